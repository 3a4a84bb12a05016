"""Which openings of a game are the same but for how one looks at the board."""

from __future__ import annotations

from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action, Game

__all__ = ["symmetries", "transposed"]


def symmetries(game: Game) -> list[dict[Action, Action]]:
    """Permutations of the actions under which the game stays the same, the one that changes nothing first.

    In Hex a half turn of the board, where its rows lie so that it keeps all neighbours; both seats keep their sides.
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
    """The cell with row and column exchanged: that is where a stone of the other orientation lies."""
    row, column = divmod(action, game.size)
    return column * game.size + row
