"""Small games of Kittens, whose equilibrium is found by regret minimisation."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.protocols import Game

__all__ = ["MOST_NODES", "ROUNDS", "solved", "tree"]

MOST_NODES = 80_000
"""Trees up to this size the engine solves before it plays: a second or so."""
ROUNDS = 300
_SOLVED: dict[str, _core.KittensSmall | None] = {}


def tree(game: Game, most_nodes: int) -> _core.KittensSmall | None:
    """All of a game; None if it has more nodes than that, or chance after the deal."""
    assert isinstance(game, _core.KittensRules)
    if game.options["rules"] == "original":  # type: ignore[attr-defined]  # which every game of ours has
        return None
    try:
        return _core.KittensSmall(game, most_nodes)
    except ValueError:
        return None


def solved(game: Game) -> _core.KittensSmall | None:
    """The same after enough rounds to play by, once for this process; None if it is too large for that."""
    if game.spec not in _SOLVED:
        found = _SOLVED[game.spec] = tree(game, MOST_NODES)
        if found is not None:
            found.iterate(ROUNDS)
    return _SOLVED[game.spec]
