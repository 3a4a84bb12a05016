"""Equilibria of small games of Kittens, found by CFR+."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.protocols import Game

MAX_POSITIONS = 50_000
"""The engine solves games up to this size before it plays them: a second or so."""
ITERATIONS = 300
_SOLVED: dict[str, _core.KittensEquilibrium | None] = {}


def build(game: Game, max_positions: int) -> _core.KittensEquilibrium | None:
    """The tree of a game before any iteration; None if it has more positions than that, or chance after the deal."""
    assert isinstance(game, _core.KittensRules)
    if game.options["rules"] == "original":  # type: ignore[attr-defined]  # which every game of ours has
        return None
    try:
        return _core.KittensEquilibrium(game, max_positions)
    except ValueError:
        return None


def solved(game: Game) -> _core.KittensEquilibrium | None:
    """The game after enough iterations to play by, computed once per process; None if it is too large."""
    if game.spec not in _SOLVED:
        found = build(game, MAX_POSITIONS)
        if found is not None:
            found.iterate(ITERATIONS)
        _SOLVED[game.spec] = found
    return _SOLVED[game.spec]
