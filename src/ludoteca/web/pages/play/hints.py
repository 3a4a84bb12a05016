"""What the strongest engine says about the position that a tab shows: a hint, or a heat map."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from ludoteca.agents import strongest
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision, Game
from ludoteca.reports.chance import chance_to_win, your_outlook
from ludoteca.web.drawing.board import first_reason
from ludoteca.web.pages.frame import OUR_FAULT, Visit
from ludoteca.web.pages.thoughts import sentences
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.queue import Work, fault_reason
from ludoteca.web.thinking.single_decision import Decide

SECONDS, WITHIN = 1.0, 2.0
"""Thinking time, and the seconds after which what the engine has found so far is the hint."""


class Hints:
    """The hints of one tab; calls `show` when there is something new to draw."""

    def __init__(
        self, visit: Visit, decide: Decide, tab: TabState, show: Callable[[], None], within: float = WITHIN
    ) -> None:
        self.visit, self.decide, self.tab, self.show, self._within = visit, decide, tab, show, within
        self.hint: Decision | None = None
        self.text = ""
        """The hint in words, or that the engine is thinking about it."""
        self.heat: tuple[str, Decision] | None = None
        """The engine that was asked for a heat map of the position shown, and its decision."""
        self.heat_failure = ""
        """Why the engine gave no heat map of the position shown, in the visitor's language."""
        self._hint_task: asyncio.Task[None] | None = None
        self._heat_task: asyncio.Task[None] | None = None
        self._busy_timer: asyncio.TimerHandle | None = None

    @property
    def heat_pending(self) -> bool:
        """Whether the engine is being asked for a heat map."""
        return self._heat_task is not None

    def stop(self) -> None:
        """Drops everything: another position is shown."""
        for pending in (self._hint_task, self._heat_task, self._busy_timer):
            if pending is not None:
                pending.cancel()
        self._hint_task = self._heat_task = self.hint = self.heat = None
        self.text = self.heat_failure = ""

    def ask_for_hint(self) -> None:
        """Asks the strongest engine what to play, unless it is being asked or that would reveal a hand."""
        question = self.tab.position_to_ask()
        if question is None or self._hint_task is not None:
            return
        agent = strongest(question.game)
        self._hint_task = asyncio.create_task(self._fetch_hint(question, agent))
        self.text = self.visit.say("{agent} is thinking …", agent=self.visit.agent(agent))
        self._busy_timer = asyncio.get_running_loop().call_later(self._within, self._say_busy)
        self.show()

    def _say_busy(self) -> None:
        """Nothing has come in time."""
        self.text = self.visit.say("This computer is very busy. The hint comes as soon as there is one.")
        self.show()

    def ask_for_heat(self) -> None:
        """Asks the strongest engine for a heat map of the position shown, unless an agent has given or may give one.

        While hands are hidden it is not asked: then the heat map comes with a hint.
        """
        tab = self.tab
        question = None if tab.hides_hands or self.heat_pending or self.heat else tab.position_to_ask()
        agents_turn = tab.ply is None and tab.table.agent_on_turn is not None
        thought = None if tab.ply is None else tab.thought(tab.ply)
        if question is None or agents_turn or (thought is not None and thought.scores):
            return
        self.heat_failure = ""
        self._heat_task = asyncio.create_task(self._fetch_heat(question, strongest(question.game)))

    async def _ask(self, question: Match, agent: str) -> Decision | str:
        """The engine's decision; or why there is none, in the visitor's language."""
        try:
            decision, _ = await self.decide(question, agent, SECONDS, work=Work.hint, within=self._within)
        except (Fault, LudotecaError) as error:
            return self.visit.translated(say("{agent}: {why}", agent=agent_title(agent), why=fault_reason(error)))
        except Exception:
            logging.getLogger(__name__).exception("an agent could not be asked")
            return self.visit.translate(OUR_FAULT)
        return decision

    async def _fetch_heat(self, question: Match, agent: str) -> None:
        thought = await self._ask(question, agent)
        if isinstance(thought, str):
            self.heat_failure = thought
        elif thought.scores:
            self.heat = (agent, replace(thought, line=()))
        else:
            named = self.visit.agent(agent)
            self.heat_failure = self.visit.say("No heat map: {agent} compares no actions here.", agent=named)
        self._heat_task = None
        self.show()

    async def _fetch_hint(self, question: Match, agent: str) -> None:
        hint = await self._ask(question, agent)
        if isinstance(hint, str):
            self.text = hint
        else:
            self.text = _advice(self.visit, question, agent, hint)
            self.hint = first_reason(hint if hint.line else replace(hint, line=(hint.action,)))
        if self._busy_timer is not None:
            self._busy_timer.cancel()
        self._hint_task = None
        self.show()


def _advice(visit: Visit, position: Match, agent: str, hint: Decision) -> str:
    """What to play, the first reason, and how sure the engine is."""
    action = visit.spoken(position.game.action_name(hint.action))
    why = hint.reasons[0].text if hint.reasons else hint.note
    return " ".join(
        filter(
            None,
            [
                visit.say("{agent} suggests {action}.", agent=visit.agent(agent), action=action),
                sentences(visit.note(why)),
                _certainty(visit, position.game, agent, hint),
            ],
        )
    )


def _certainty(visit: Visit, game: Game, agent: str, hint: Decision) -> str:
    """How you stand by the engine's search: proven, or your chance to win; else how much it has looked at."""
    stands = sentences(visit.translated(your_outlook(game, agent, hint)))
    if hint.proven and stands:
        return stands
    if chance_to_win(game, agent, hint) is not None:
        return stands
    unsure = (
        visit.say_count(
            "It is not sure: it has looked at {count:,} position.",
            "It is not sure: it has looked at {count:,} positions.",
            hint.nodes,
        )
        if hint.nodes
        else visit.say("It is not sure.")
    )
    return f"{stands} {unsure}".strip()
