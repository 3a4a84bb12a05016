"""Small games of Kittens, whose equilibrium is found by regret minimisation."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.protocols import Game

__all__ = ["MOST_POSITIONS", "ROUNDS", "solved", "tree"]

MOST_POSITIONS = 50_000
"""Games up to this size the engine solves before it plays: a second or so."""
ROUNDS = 300
_SOLVED: dict[str, _core.KittensEquilibrium | None] = {}


def tree(game: Game, most_positions: int) -> _core.KittensEquilibrium | None:
    """All of a game; None if it has more positions than that, or chance after the deal."""
    assert isinstance(game, _core.KittensRules)
    if game.options["rules"] == "original":  # type: ignore[attr-defined]  # which every game of ours has
        return None
    try:
        return _core.KittensEquilibrium(game, most_positions)
    except ValueError:
        return None


def solved(game: Game) -> _core.KittensEquilibrium | None:
    """The same after enough rounds to play by, once for this process; None if it is too large for that."""
    if game.spec not in _SOLVED:
        found = tree(game, MOST_POSITIONS)
        if found is not None:
            found.iterate(ROUNDS)
        _SOLVED[game.spec] = found
    return _SOLVED[game.spec]
