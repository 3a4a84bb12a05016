"""What all matches of a run share: game, limit, memory, margin."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.play.clock import MARGIN, MatchLimit
from ludoteca.players.processes.memory import MEMORY


@dataclass(frozen=True)
class Conditions:
    """What all matches of a run share."""

    game: str
    limit: str = "1s"
    memory: int | None = MEMORY
    margin: float = MARGIN

    @classmethod
    def of(cls, game: str, limit: str, memory: int | None = MEMORY, margin: float = MARGIN) -> Conditions:
        """The conditions in canonical form. Raises InvalidGame and InvalidOption."""
        if memory is not None and memory < 1:
            raise InvalidOption("memory={memory} MiB is too little; take at least 1, or no limit at all", memory=memory)
        if not 0 <= margin < 3600:
            raise InvalidOption("margin={margin} must be a number of seconds from 0 to 3600", margin=margin)
        return cls(game_of(game).spec, str(MatchLimit.parse(limit)), memory, margin)

    @property
    def stake(self) -> float | None:
        """What a return of 1 stands for; see `GameDetails.stake`. None too if the game is not installed any more."""
        try:
            return details_of(game_of(self.game)).stake
        except LudotecaError:
            return None

    @classmethod
    def from_key(cls, key: Mapping[str, Any]) -> Conditions:
        """The conditions in the key of a run. Raises KeyError."""
        return cls(*(key[name] for name in ("game", "limit", "memory", "margin")))

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Conditions:
        """The conditions that `to_json` wrote."""
        return cls(**json.loads(text))
