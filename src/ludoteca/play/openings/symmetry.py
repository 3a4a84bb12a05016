"""Symmetries of the board: openings that differ only by one are the same."""

from __future__ import annotations

from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action, Game

__all__ = ["symmetries", "transposed"]


def symmetries(game: Game) -> list[dict[Action, Action]]:
    """Permutations of the actions that keep the game the same; the identity first.

    In Hex the half turn of the board, if it keeps all neighbours. Both seats keep their sides.
    """
    if game.spec not in _known:
        _known[game.spec] = _symmetries(game)
    return _known[game.spec]


def _symmetries(game: Game) -> list[dict[Action, Action]]:
    same = {action: action for action in range(game.num_actions)}
    if not isinstance(game, Hex):
        return [same]
    last = game.size * game.size - 1
    turned = same | {cell: last - cell for cell in range(last + 1)}
    keeps = all(
        {turned[near] for near in game.neighbours(cell)} == set(game.neighbours(turned[cell]))
        for cell in range(last + 1)
    )
    return [same, turned] if keeps else [same]


_known: dict[str, list[dict[Action, Action]]] = {}


def transposed(game: Hex, action: Action) -> Action:
    """The cell with row and column exchanged: where the same stone lies in the other orientation."""
    row, column = divmod(action, game.size)
    return column * game.size + row
