"""How much agents may think, as it is written on a command line: ``0.1s``, ``2000n``, ``60s/game``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Limit, Seat

__all__ = ["MARGIN", "PATIENCE", "Clock", "MatchLimit"]

PART = re.compile(r"(?P<amount>\d+(\.\d+)?)(?P<unit>s|ms|n)(?P<game>/game)?")


@dataclass(frozen=True)
class MatchLimit:
    """What each agent may use per action, and over the whole match; None means without limit.

    >>> MatchLimit.parse("0.1s,60s/game")
    MatchLimit(seconds=0.1, nodes=None, game_seconds=60.0, game_nodes=None)
    >>> str(MatchLimit.parse("100ms, 60s/game"))
    '0.1s,60s/game'
    """

    seconds: float | None = None
    nodes: int | None = None
    game_seconds: float | None = None
    game_nodes: int | None = None

    @classmethod
    def parse(cls, text: str) -> MatchLimit:
        """Parts joined by commas: an amount, its unit (s, ms or n for nodes) and ``/game`` for the whole match.

        Raises InvalidOption.
        """
        found: dict[str, float] = {}
        for part in text.replace(" ", "").split(",") if text.strip() else []:
            match = PART.fullmatch(part)
            if match is None:
                raise InvalidOption(f"the limit {part!r} is not of the form 0.1s, 50ms, 2000n, 60s/game or 9000n/game")
            name = ("game_" if match["game"] else "") + ("nodes" if match["unit"] == "n" else "seconds")
            amount = float(match["amount"]) / (1000 if match["unit"] == "ms" else 1)
            if amount <= 0 or (match["unit"] == "n" and amount != int(amount)):
                raise InvalidOption(f"the limit {part!r} must be more than nothing, and nodes are whole")
            if name in found:
                raise InvalidOption(f"the limit {text!r} gives {name.replace('_', ' ')} twice")
            found[name] = amount
        nodes = {key: int(value) for key, value in found.items() if key.endswith("nodes")}
        return cls(**(found | nodes))  # type: ignore[arg-type]

    def __str__(self) -> str:
        parts = [
            None if self.seconds is None else f"{self.seconds:g}s",
            None if self.nodes is None else f"{self.nodes}n",
            None if self.game_seconds is None else f"{self.game_seconds:g}s/game",
            None if self.game_nodes is None else f"{self.game_nodes}n/game",
        ]
        return ",".join(part for part in parts if part)

    def next(self, used_seconds: float, used_nodes: int) -> Limit:
        """What an agent may use for its next action, having used so much in this match."""
        seconds = [self.seconds, None if self.game_seconds is None else max(0.0, self.game_seconds - used_seconds)]
        nodes = [self.nodes, None if self.game_nodes is None else max(1, self.game_nodes - used_nodes)]
        return Limit(
            seconds=min((each for each in seconds if each is not None), default=None),
            nodes=min((each for each in nodes if each is not None), default=None),
        )


PATIENCE = 600.0
"""Seconds after which an agent without any limit in seconds is taken to hang."""
MARGIN = 0.05
"""Seconds that the clock forgives beyond a limit: what pipes and a busy machine may cost an honest agent."""


class Clock:
    """What the seats of a match have used, and what each may use for its next action."""

    def __init__(self, limit: MatchLimit, margin: float = MARGIN) -> None:
        self._limit, self._margin = limit, margin
        self._whole_match = limit.game_seconds is not None or limit.game_nodes is not None
        self._each = limit.next(0.0, 0)
        self._patience = PATIENCE if self._each.seconds is None else self._each.seconds + margin
        self.seconds, self.nodes = [0.0, 0.0], [0, 0]

    def next(self, seat: Seat) -> tuple[Limit, float]:
        """The limit to tell the player, and after how many seconds the referee stops waiting. Raises Fault."""
        if not self._whole_match:
            return self._each, self._patience
        limit = self._limit.next(self.seconds[seat], self.nodes[seat])
        if limit.seconds is None:
            return limit, PATIENCE
        patience = limit.seconds
        if self._limit.game_seconds is not None:  # the margin is granted once for the match, not for every action
            patience = min(patience, self._limit.game_seconds - self.seconds[seat])
        if patience + self._margin <= 0:
            raise Fault(
                Ending.timeout, say("the agent has used up its {seconds:g} seconds", seconds=self._limit.game_seconds)
            )
        return limit, patience + self._margin

    def spend(self, seat: Seat, seconds: float, nodes: int) -> None:
        """Counts what an action took."""
        self.seconds[seat] += seconds
        self.nodes[seat] += nodes
