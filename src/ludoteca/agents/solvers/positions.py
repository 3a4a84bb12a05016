"""The solvers: by game, what proves the value of a position."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Final, Protocol, cast

from ludoteca.errors import InvalidOption
from ludoteca.protocols import Decision, Game, View

SOLVERS: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.solver.solve",
    "hex": "ludoteca.agents.hex.solver.solve",
    "horses": "ludoteca.agents.horses.solver.solve",
    "kittens": "ludoteca.agents.kittens.solver.solve",
}
"""By game the function that solves it, imported when needed."""
ALL_ACTIONS: Final[dict[str, str]] = {"hex": "ludoteca.agents.hex.solver.solve_every"}
"""By game the function that proves the value of every action."""


class Solver(Protocol):
    """What proves the value of a position."""

    def __call__(
        self, game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = ""
    ) -> Iterator[Decision]:
        """Decisions for the seat on turn, each better known than the last; the last is `proven` once it is solved.

        memory: megabytes for its tables. against: the best answer to this agent is wanted, instead of best play by
        both. Closing it stops it. Raises InvalidOption for what this solver cannot do.
        """


class AllActionsSolver(Protocol):
    """What proves the value of every action in a position."""

    def __call__(self, game: Game, view: View, *, threads: int = 1, memory: int = 256) -> Iterator[Decision]:
        """Decisions for the seat on turn; `scores` are the values of the actions that are proven so far.

        The last one is `proven` once every action is. The rest is as `Solver` has it.
        """


def solver(game: Game) -> Solver:
    """What solves positions of this game. Raises InvalidOption where nothing does."""
    if game.name not in SOLVERS:
        raise InvalidOption(
            "nothing here solves {game}; what can be solved: {names}", game=game.name, names=sorted(SOLVERS)
        )
    return cast(Solver, _load(SOLVERS[game.name]))


def all_actions_solver(game: Game) -> AllActionsSolver:
    """What solves every action of a position of this game. Raises InvalidOption where nothing does."""
    if game.name not in ALL_ACTIONS:
        raise InvalidOption(
            "every action can be proven in these games only: {names}; not in {game}",
            game=game.name,
            names=sorted(ALL_ACTIONS),
        )
    return cast(AllActionsSolver, _load(ALL_ACTIONS[game.name]))


def _load(path: str) -> object:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)
