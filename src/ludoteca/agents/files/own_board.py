"""A submission's own board class, joined with the course's.

Where a student's board does all that the course's does, it stays as it is: it may keep a union-find or a winner beside
its cells, which only its own methods keep up to date. Only the rules come from us: which cells touch and who has
connected depends on the layout that the match is played on. Where their board does not do the same, ours plays, with
their other members added.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
from collections.abc import Callable
from typing import Any

from ludoteca.agents.hex.course import HexBoard

MEMBERS = frozenset(["place_piece", "get_possible_moves", "check_connection", "clone"])
"""The methods of the course's board."""
RULES = {"check_connection": 1, "get_neighbors": 2}
"""The methods that the layout decides, by the number of their arguments."""
TRIED = 3
"""The size of the board on which a class is tried."""


def is_board_like(found: object) -> bool:
    """Whether this is a class with most of the members of the course's board, and not that board."""
    return (
        isinstance(found, type)
        and found is not HexBoard
        and sum(callable(getattr(found, name, None)) for name in MEMBERS) >= 2
    )


def joined_board(ours: type[HexBoard], theirs: type[Any]) -> type[HexBoard]:
    """A subclass of both: their members win if they do the same as ours, else ours do."""
    try:
        kept = _theirs_first(ours, theirs)
        if _does_the_same(kept):
            return kept
        return _ours_first(ours, theirs)
    except TypeError:  # Python cannot join the two
        return ours


def _theirs_first(ours: type[HexBoard], theirs: type[Any]) -> type[Any]:
    def __init__(self: Any, size: int = 11, *rest: Any, **more: Any) -> None:  # noqa: N807
        theirs.__init__(self, size, *rest, **more)
        own = dict(vars(self))
        ours.__init__(self, size)
        vars(self).update(own)

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:  # noqa: N807
        other = object.__new__(type(self))
        memo[id(self)] = other
        vars(other).update(copy.deepcopy(vars(self), memo))
        return other

    rules = {name: getattr(ours, name) for name, count in RULES.items() if _takes(getattr(theirs, name, None), count)}
    members: dict[str, Any] = {"__init__": __init__, "__module__": theirs.__module__, "layout": _Layout(), **rules}
    if "__deepcopy__" not in vars(theirs):
        members["__deepcopy__"] = __deepcopy__
    if "clone" not in vars(theirs):
        members["clone"] = lambda self: copy.deepcopy(self)
    return type(theirs.__name__, (theirs, ours), members)


class _Layout:
    """The layout of a board that was made without our constructor: that of the match."""

    def __get__(self, board: Any, owner: type[HexBoard]) -> Any:
        return owner.default_layout


def _ours_first(ours: type[HexBoard], theirs: type[Any]) -> type[HexBoard]:
    def __init__(self: Any, size: int = 11, *rest: Any, **more: Any) -> None:  # noqa: N807
        try:
            theirs.__init__(self, size, *rest, **more)
        except Exception:  # its own attributes are missing then; the board still works
            vars(self).clear()
        empty = [[0] * size for _ in range(size)]
        grids = [name for name, value in vars(self).items() if type(value) is list and value == empty]
        ours.__init__(self, size)
        for name in grids:  # whatever they call it, it is one board
            setattr(self, name, self.board)

    return type(theirs.__name__, (ours, theirs), {"__init__": __init__, "__module__": theirs.__module__})


def _does_the_same(board_class: type[Any]) -> bool:
    """Whether a board of this class takes stones, lists the free cells and is copied as the course's is."""
    try:
        board = board_class(TRIED)
        stones = {(0, 0): 1, (1, 2): 2, (2, 2): 1}
        for (row, col), player in stones.items():
            board.place_piece(row, col, player)
        other = board.clone()
        other.place_piece(1, 1, 2)
        cells = [(row, col) for row in range(TRIED) for col in range(TRIED)]
        free = [cell for cell in cells if cell not in stones]
        return (
            board.size == TRIED
            and all(board.board[row][col] == stones.get((row, col), 0) for row, col in cells)
            and sorted(map(tuple, board.get_possible_moves())) == free
            and other.board[1][1] == 2
            and isinstance(board.check_connection(1), bool)
        )
    except Exception:  # whatever it raises, it does something else
        return False


def _takes(method: Callable[..., Any] | None, count: int) -> bool:
    """Whether a method can be called with so many arguments besides the board."""
    if not callable(method):
        return True
    with contextlib.suppress(TypeError, ValueError):
        inspect.signature(method).bind(*[None] * (count + 1))
        return True
    return False
