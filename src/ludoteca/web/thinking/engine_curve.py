"""How the strongest engine sees a match while it is played: the curve that goes before those of the players.

Each position is looked at for a moment, the newest first, while nobody else waits for an agent and while few tables are
open: what people asked for comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ludoteca.agents import strongest
from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.protocols import Action
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.thinking.queue import AgentQueue, Busy
from ludoteca.web.thinking.single_decision import decide_once

__all__ = ["EngineCurve"]

SECONDS: Final = 0.05
"""For each position."""
PAUSE: Final = 0.3
"""Seconds from one look to the next, and after a change: whoever plays fast is not followed."""


class EngineCurve:
    """The engine's curve of the match that one tab shows; `show` is called when it knows more."""

    def __init__(self, queue: AgentQueue, quiet: Callable[[], bool], show: Callable[[], None]) -> None:
        """quiet: whether there is time for this at all."""
        self._queue, self._quiet, self._show = queue, quiet, show
        self._values: dict[tuple[Action, ...], float | None] = {}
        """By the actions that led there how it stands for seat 0; None where the engine did not say."""
        self._task: asyncio.Task[None] | None = None

    def follow(self, match: Match) -> None:
        """From now on the positions of this match as it stands are looked at, as far as they are not known yet.

        Where there is no time for this now, the next change asks again.
        """
        self.stop()
        if self._quiet() and self._missing(match) is not None:
            self._task = asyncio.create_task(self._run(match.before(len(match.actions))))

    def stop(self) -> None:
        """Nothing is looked at any more; what is known stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def curve(self, match: Match) -> Curve | None:
        """What is known of a match; None where that is nothing."""
        actions = tuple(match.actions)
        values = [self._values.get(actions[:ply]) for ply in range(len(actions) + 1)]
        if not any(value is not None for value in values):
            return None
        if match.view(0).turn is None:
            values[-1] = match.returns()[0]
        return Curve(strongest(match.game), tuple(values))

    def _missing(self, match: Match) -> int | None:
        """The last action before which nothing is known; None where all is."""
        actions = tuple(match.actions)
        last = len(actions) if match.turn is not None else len(actions) - 1
        return next((ply for ply in range(last, -1, -1) if actions[:ply] not in self._values), None)

    async def _run(self, match: Match) -> None:
        agent = strongest(match.game)
        while (ply := self._missing(match)) is not None:
            await asyncio.sleep(PAUSE)
            if not self._quiet():
                return
            if self._queue.waiting:
                continue
            here = match.before(ply)
            try:
                decision, _ = await decide_once(self._queue, here, agent, SECONDS)
            except Busy:
                continue
            except (Fault, LudotecaError):
                return  # then there is no such curve; whoever asks for a review is told why
            value = decision.value
            self._values[tuple(here.actions)] = value if value is None or here.turn == 0 else -value
            self._show()
