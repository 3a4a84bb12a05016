"""What a match leaves behind. Ratings, replays, plots and reports are functions of records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Seat

__all__ = ["Record"]


@dataclass(frozen=True)
class Record:
    """A finished match, whole: `(game, seed, actions)` replays it, the rest says how it came about."""

    game: str
    """The spec of the game."""
    seed: int
    """What the deal came from."""
    agents: tuple[str, str]
    """The specs of the agents by seat."""
    limit: str
    """The limit they played under, as on the command line."""
    actions: tuple[Action, ...]
    returns: tuple[float, float]
    """By seat, in [-1, 1]; after a fault -1 for the seat at fault and 1 for the other."""
    ending: Ending = Ending.finished
    fault: Seat | None = None
    """The seat at fault, if there was a fault."""
    message: str = ""
    """What the fault was, in words."""
    values: tuple[float | None, ...] = ()
    """For each action the value that the agent gave, where it gave one; empty where no agent gave any."""
    nodes: tuple[int, ...] = ()
    """For each action the nodes that the agent counted; empty where no agent counted any."""
    seconds: tuple[float, ...] = ()
    """For each action the agent's own time by the referee's clock; never the same twice, so not in `identity`."""

    @property
    def score(self) -> float:
        """What seat 0 scored: 1 for a win, a half for a draw, 0 for a loss."""
        difference = self.returns[0] - self.returns[1]
        return 0.5 if difference == 0 else float(difference > 0)

    def identity(self) -> bytes:
        """All but the clock, as bytes: equal for equal play, whenever and wherever it happened."""
        return replace(self, seconds=()).to_json().encode()

    def to_json(self) -> str:
        """One line of JSON, from which `from_json` makes an equal record."""
        return json.dumps(vars(self), separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that `to_json` wrote. Raises ValueError for anything else."""
        try:
            fields: dict[str, Any] = json.loads(text)
            lists: dict[str, Sequence[Any]] = {key: value for key, value in fields.items() if isinstance(value, list)}
            tuples = {key: tuple(value) for key, value in lists.items()}
            return cls(**(fields | tuples | {"ending": Ending(fields["ending"])}))
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"this is no record of a match: {text[:80]!r}") from error
