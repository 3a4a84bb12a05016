"""How much agents may think, as it is written on a command line: ``0.1s``, ``2000n``, ``60s/game``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludoteca.errors import InvalidOption
from ludoteca.protocols import Limit

__all__ = ["MatchLimit"]

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
