"""What an agent says about the position that a tab shows: a hint, or a heat map."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision
from ludoteca.web.pages.frame import OUR_FAULT, Visit
from ludoteca.web.pages.thoughts import sentences
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.thinking.opponents import agent_title, first_agent
from ludoteca.web.thinking.queue import fault_reason
from ludoteca.web.thinking.single_decision import Decide

__all__ = ["Hints"]

SECONDS = 1.0


class Hints:
    """The hints of one tab; calls `show` when there is something new to draw."""

    def __init__(self, visit: Visit, decide: Decide, tab: TabState, show: Callable[[], None]) -> None:
        self.visit, self.decide, self.tab, self.show = visit, decide, tab, show
        self.hint: Decision | None = None
        self.text = ""
        """The hint in words, or that an agent is thinking about it."""
        self.heat: tuple[str, Decision] | None = None
        """The agent that was asked for a heat map of the position shown, and its decision."""
        self._hint_task: asyncio.Task[None] | None = None
        self._heat_task: asyncio.Task[None] | None = None

    @property
    def heat_pending(self) -> bool:
        """Whether an agent is being asked for a heat map."""
        return self._heat_task is not None

    def stop(self) -> None:
        """Drops everything: another position is shown."""
        for task in (self._hint_task, self._heat_task):
            if task is not None:
                task.cancel()
        self._hint_task = self._heat_task = self.hint = self.heat = None
        self.text = ""

    def ask_for_hint(self) -> None:
        """Asks an agent what to play, unless one is being asked or it would reveal a hand."""
        question = self.tab.position_to_ask()
        if question is None or self._hint_task is not None:
            return
        agent = self._agent_to_ask(question)
        self._hint_task = asyncio.create_task(self._fetch_hint(question, agent))
        self.text = self.visit.say("{agent} is thinking …", agent=self.visit.agent(agent))
        self.show()

    def ask_for_heat(self) -> None:
        """Asks an agent for a heat map of the position shown, if none has thought about it or is going to.

        While hands are hidden no agent is asked: then the heat map comes with a hint.
        """
        tab = self.tab
        question = None if tab.hides_hands or self.heat_pending else tab.position_to_ask()
        agents_turn = tab.ply is None and tab.table.agent_on_turn is not None
        if question is None or agents_turn or (tab.ply is not None and tab.thought(tab.ply) is not None):
            return
        self._heat_task = asyncio.create_task(self._fetch_heat(question, self._agent_to_ask(question)))

    def _agent_to_ask(self, question: Match) -> str:
        """The agent to ask: the opponent, unless it plays at random."""
        others = [who for who in self.tab.table.names if who != PERSON]
        return others[0] if others and others[0] != "random" else first_agent(question.game.name)

    async def _fetch_heat(self, question: Match, agent: str) -> None:
        try:
            thought, _ = await self.decide(question, agent, SECONDS)
        except (Fault, LudotecaError):
            return  # then there is no heat map; a hint shows the error
        self._heat_task, self.heat = None, (agent, replace(thought, line=()))
        self.show()

    async def _fetch_hint(self, question: Match, agent: str) -> None:
        try:
            hint, _ = await self.decide(question, agent, SECONDS)
        except (Fault, LudotecaError) as error:
            self.text = self.visit.translated(say("{agent}: {why}", agent=agent_title(agent), why=fault_reason(error)))
        except Exception:
            logging.getLogger(__name__).exception("an agent could not be asked")
            self.text = self.visit.translate(OUR_FAULT)
        else:
            name = self.visit.spoken(question.game.action_name(hint.action))
            self.text = self.visit.say("{agent} suggests {action}", agent=self.visit.agent(agent), action=name)
            if hint.explanation:
                self.text += f". {sentences(self.visit.note(hint.explanation))}"
            self.hint = hint if hint.line else replace(hint, line=(hint.action,))
        self._hint_task = None
        self.show()
