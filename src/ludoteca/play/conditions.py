"""What all the matches of a run share: game, limits, memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN, MatchLimit

__all__ = ["MEMORY", "Conditions"]

MEMORY = 2048
"""MiB that an agent in a process of its own may take by default, beyond what Python and our core take."""


@dataclass(frozen=True)
class Conditions:
    """What all the matches of a run share."""

    game: str
    limit: str = "1s"
    memory: int | None = MEMORY
    margin: float = MARGIN

    @classmethod
    def of(cls, game: str, limit: str, memory: int | None = MEMORY, margin: float = MARGIN) -> Conditions:
        """The same conditions in their canonical form. Raises InvalidGame and InvalidOption."""
        if memory is not None and memory < 1:
            raise InvalidOption(
                say("memory={memory} MiB is nothing; at least 1, or none at all for no limit", memory=memory)
            )
        if not 0 <= margin < 3600:
            raise InvalidOption(say("margin={margin} must be a number of seconds from 0 to 3600", margin=margin))
        return cls(game_of(game).spec, str(MatchLimit.parse(limit)), memory, margin)

    @classmethod
    def from_key(cls, key: Mapping[str, Any]) -> Conditions:
        """Those in the key of a run. Raises KeyError."""
        return cls(*(key[name] for name in ("game", "limit", "memory", "margin")))

    def to_json(self) -> str:
        """One line, from which `from_json` makes equal conditions."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Conditions:
        """What `to_json` wrote."""
        return cls(**json.loads(text))
