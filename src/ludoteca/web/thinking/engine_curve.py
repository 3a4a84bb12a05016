"""The strongest engine's curve of a match while it is played, drawn before those of the players.

The engine looks at each position for a moment, the newest first, while no other agent waits and few tables are open:
what people asked for comes first.
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
from ludoteca.reports.chance import advantage
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.thinking.queue import Busy
from ludoteca.web.thinking.single_decision import Decide

SECONDS: Final = 0.05
"""For each position."""
PAUSE: Final = 0.3
"""Seconds between two positions, and after a change, so that quick play is not followed."""


class EngineCurve:
    """The engine's curve of the match that one tab shows; calls `show` when it knows more."""

    def __init__(
        self,
        decide: Decide,
        has_time: Callable[[], bool],
        others_wait: Callable[[], bool],
        show: Callable[[], None],
        pause: float = PAUSE,
    ) -> None:
        """has_time: whether the server is idle enough at all. others_wait: whether other agents wait in the queue."""
        self._decide, self._has_time, self._others_wait, self._show = decide, has_time, others_wait, show
        self._pause = pause
        self._values: dict[tuple[Action, ...], float | None] = {}
        """By the actions played how far seat 0 is ahead; None where the engine gave none."""
        self._task: asyncio.Task[None] | None = None

    def follow(self, match: Match) -> None:
        """Evaluates the positions of this match that are not known yet, instead of those of the match before.

        If the server is busy now, the next change of the match tries again.
        """
        self.stop()
        if self._has_time() and self._missing(match) is not None:
            self._task = asyncio.create_task(self._run(match.before(len(match.actions))))

    def stop(self) -> None:
        """Stops evaluating; what is known stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def curve(self, match: Match) -> Curve | None:
        """The curve of a match as far as it is known; None when nothing is."""
        actions = tuple(match.actions)
        values = [self._values.get(actions[:ply]) for ply in range(len(actions) + 1)]
        if not any(value is not None for value in values):
            return None
        if match.view(0).turn is None:
            values[-1] = match.returns()[0]
        return Curve(strongest(match.game), tuple(values))

    def _missing(self, match: Match) -> int | None:
        """The last action before which no value is known; None when all are."""
        actions = tuple(match.actions)
        last = len(actions) if match.turn is not None else len(actions) - 1
        return next((ply for ply in range(last, -1, -1) if actions[:ply] not in self._values), None)

    async def _run(self, match: Match) -> None:
        agent = strongest(match.game)
        while (ply := self._missing(match)) is not None:
            await asyncio.sleep(self._pause)
            if not self._has_time():
                return
            if self._others_wait():
                continue
            here = match.before(ply)
            try:
                decision, _ = await self._decide(here, agent, SECONDS)
            except Busy:
                continue
            except (Fault, LudotecaError):
                return  # then there is no curve; a review says why
            value = advantage(match.game, agent, decision)
            self._values[tuple(here.actions)] = value if value is None or here.turn == 0 else -value
            self._show()
