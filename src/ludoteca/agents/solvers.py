"""Which games can be solved here, and by what."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Final, Protocol, cast

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, View

__all__ = ["SOLVERS", "Solver", "solver"]

SOLVERS: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.solver.solve",
    "horses": "ludoteca.agents.horses.solver.solve",
    "kittens": "ludoteca.agents.kittens.solver.solve",
}
"""By game the function that solves it. It is imported when it is needed."""


class Solver(Protocol):
    """What proves the value of a position."""

    def __call__(
        self, game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = ""
    ) -> Iterator[Decision]:
        """Decisions for the seat on turn, each better known than the last; the last is `proven` once it is solved.

        memory: megabytes for its tables. against: the best answer to this agent is wanted, instead of best play by
        both. Closing it stops it. Raises InvalidOption for what this solver cannot do.
        """


def solver(game: Game) -> Solver:
    """What solves positions of this game. Raises InvalidOption where nothing does."""
    if game.name not in SOLVERS:
        raise InvalidOption(
            say("nothing here solves {game}; what can be solved: {names}", game=game.name, names=sorted(SOLVERS))
        )
    module, _, name = SOLVERS[game.name].rpartition(".")
    return cast(Solver, getattr(importlib.import_module(module), name))
