"""What an agent is asked about the position that a tab shows: a hint, or a heat map of it."""

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
from ludoteca.web.thinking.queue import AgentQueue, told
from ludoteca.web.thinking.single_decision import decide_once

__all__ = ["Hints"]

SECONDS = 1.0


class Hints:
    """Belongs to one tab; `show` is called when there is something new to draw."""

    def __init__(self, visit: Visit, queue: AgentQueue, tab: TabState, show: Callable[[], None]) -> None:
        self.visit, self.queue, self.tab, self.show = visit, queue, tab, show
        self.hint: Decision | None = None
        self.text = ""
        """The hint in words, or that somebody thinks about it."""
        self.looked: tuple[str, Decision] | None = None
        """Who was asked for a heat map of the position shown, and what it said."""
        self._hinting: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    @property
    def looking(self) -> bool:
        """Whether an agent is being asked for a heat map."""
        return self._looking is not None

    def stop(self) -> None:
        """Nobody is asked any more, and what was said is forgotten: another position is shown."""
        for task in (self._hinting, self._looking):
            if task is not None:
                task.cancel()
        self._hinting = self._looking = self.hint = self.looked = None
        self.text = ""

    def ask_for_hint(self) -> None:
        """Asks what to play, unless that has been asked already or would give a hand away."""
        question = self.tab.question()
        if question is None or self._hinting is not None:
            return
        agent = self._adviser(question)
        self._hinting = asyncio.create_task(self._think_of_hint(question, agent))
        self.text = self.visit.say("{agent} is thinking …", agent=self.visit.agent(agent))
        self.show()

    def look(self) -> None:
        """Asks for a heat map of the position shown, if nobody has thought about it or is going to.

        While hands are hidden nobody is asked: then the heat map comes with a hint.
        """
        tab = self.tab
        question = None if tab.hides or self.looking else tab.question()
        agents_turn = tab.ply is None and tab.table.agent_on_turn is not None
        if question is None or agents_turn or (tab.ply is not None and tab.thought(tab.ply) is not None):
            return
        self._looking = asyncio.create_task(self._look_at(question, self._adviser(question)))

    def _adviser(self, question: Match) -> str:
        """Who is asked: the opponent, unless it plays by chance."""
        others = [who for who in self.tab.table.names if who != PERSON]
        return others[0] if others and others[0] != "random" else first_agent(question.game.name)

    async def _look_at(self, question: Match, agent: str) -> None:
        try:
            thought, _ = await decide_once(self.queue, question, agent, SECONDS)
        except (Fault, LudotecaError):
            return  # then there is no heat map; asking for a hint tells why
        self._looking, self.looked = None, (agent, replace(thought, line=()))
        self.show()

    async def _think_of_hint(self, question: Match, agent: str) -> None:
        try:
            hint, _ = await decide_once(self.queue, question, agent, SECONDS)
        except (Fault, LudotecaError) as error:
            self.text = self.visit.translated(say("{agent}: {why}", agent=agent_title(agent), why=told(error)))
        except Exception:
            logging.getLogger(__name__).exception("an agent could not be asked")
            self.text = self.visit.translate(OUR_FAULT)
        else:
            name = self.visit.spoken(question.game.action_name(hint.action))
            self.text = self.visit.say("{agent} suggests {action}", agent=self.visit.agent(agent), action=name)
            if hint.note:
                self.text += f". {sentences(self.visit.note(hint.note))}"
            self.hint = hint if hint.line else replace(hint, line=(hint.action,))
        self._hinting = None
        self.show()
