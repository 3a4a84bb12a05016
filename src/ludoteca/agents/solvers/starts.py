"""The solvers of many starts: what proves the openings or the deals of a game, one after another."""

from __future__ import annotations

import importlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, cast

from ludoteca.agents.solvers.positions import solver
from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.protocols import Action, Decision, Game, View

START_SOLVERS: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.solver.DominoesStartSolver",
    "hex": "ludoteca.agents.hex.solver.HexStartSolver",
}
"""By game the class that solves its starts, imported when needed; other games have `StartSolver`."""


@dataclass(frozen=True)
class Start:
    """Where a match starts: with a deal, or with the opening action after it."""

    seed: int | None = None
    """None where the deal does not matter."""
    opening: Action | None = None


@dataclass(frozen=True)
class Solution:
    """What is known about a start. The value is the return of the seat that begins, with best play by both."""

    value: float | None = None
    """None: not proven."""
    within: float = 0.0
    """How far the value may be from the exact one."""
    nodes: int = 0
    """Positions searched in this attempt."""


class StartSolver:
    """Solves starts of a game of perfect information, each by itself. A game may have a solver of its own."""

    first_nodes: ClassVar[int] = 1_000_000
    """The nodes of a first attempt; the next ones have more."""

    def __init__(self, game: Game, threads: int, memory: int) -> None:
        """memory: megabytes. Raises InvalidOption for a game that has no solver."""
        solver(game)
        self.game, self.threads, self.memory = game, threads, memory

    def openings(self) -> list[Start]:
        """Every action that may begin the match. Raises InvalidOption where that depends on the deal."""
        if len({bytes(self.game.deal(seed).view(0)) for seed in (0, 1)}) > 1:
            raise InvalidOption("the first actions of {game} depend on the deal; choose --seeds", game=self.game.spec)
        return [Start(opening=action) for action in self.game.deal(0).legal()]

    def deals(self, count: int) -> list[Start]:
        """The first deals. Raises InvalidOption where the seats do not see the deal."""
        if details_of(self.game).hidden_information:
            raise InvalidOption("the seats of {game} do not see the deal, so it cannot be solved", game=self.game.spec)
        return [Start(seed) for seed in range(count)]

    def attempt(self, start: Start) -> Generator[Solution, None, None]:
        """Solutions as they improve; the first with a value is the last. Close it to stop."""
        state = self.game.deal(start.seed or 0)
        first = state.turn
        if start.opening is not None:
            state.apply(start.opening)
        if state.turn is None:
            assert first is not None
            yield Solution(state.returns()[first])
            return
        thinking = self.decisions(state.view(state.turn))
        try:
            for decision in thinking:
                if decision.proven and decision.value is not None:
                    yield Solution(decision.value if state.turn == first else -decision.value, nodes=decision.nodes)
                    return
                yield Solution(nodes=decision.nodes)
        finally:
            if (close := getattr(thinking, "close", None)) is not None:
                close()

    def decisions(self, view: View) -> Iterator[Decision]:
        """The decisions about the position after a start; the last is proven."""
        return solver(self.game)(self.game, view, threads=self.threads, memory=self.memory)

    def representative(self, start: Start) -> Start:
        """Of all starts that are the same by symmetry, the one to attempt."""
        return start

    def name(self, start: Start) -> str:
        """What a start is called in files: the opening action, or ``seed=7``; empty for a whole game."""
        if start.opening is not None:
            return self.game.action_name(start.opening)
        return "" if start.seed is None else f"seed={start.seed}"

    def share(self, start: Start) -> float:
        """How often a match starts so by chance; 0 where a seat chooses it, or where it is one of a sample."""
        return 0.0

    def implied(self, start: Start, solution: Solution) -> list[Start]:
        """Other starts that have the same value by the same proof."""
        return []

    def save(self, path: Path) -> None:
        """Write what the attempts have learned, for `load`. Raises OSError."""

    def load(self, path: Path) -> None:
        """Go on with what an earlier run has learned. Raises InvalidFile for a damaged file."""


def start_solver(game: Game, threads: int = 1, memory: int = 256) -> StartSolver:
    """What solves starts of this game. Raises InvalidOption where nothing does."""
    module, _, name = START_SOLVERS.get(game.name, f"{__name__}.StartSolver").rpartition(".")
    made = cast(type[StartSolver], getattr(importlib.import_module(module), name))
    return made(game, threads, memory)
