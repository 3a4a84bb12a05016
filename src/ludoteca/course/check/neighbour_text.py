"""Which neighbours the text of a Hex player names: offsets such as ``(-1, 1)``, or cells such as ``(r - 1, c)``.

Nothing of it runs. A layout with shifted rows has one table for even and one for odd rows; which is which is read from
the test around a table (``if r % 2 == 0``), its index (``TABLES[r & 1]``), its key, or its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ludoteca.agents.files.classes import last_name
from ludoteca.agents.files.places import Places

Offset = tuple[int, int]
Row = int
"""0 for even rows, 1 for odd ones."""
SIDES = frozenset({(0, -1), (0, 1)})
AXIAL = SIDES | {(-1, 0), (1, 0), (-1, 1), (1, -1)}
RIGHT = SIDES | {(-1, 0), (-1, 1), (1, 0), (1, 1)}
"""The neighbours in a row that is shifted to the right."""
LEFT = SIDES | {(-1, -1), (-1, 0), (1, -1), (1, 0)}
"""The neighbours in any other row of such a board."""
LEANING = SIDES | {(-1, 0), (1, 0), (-1, -1), (1, 1)}
"""Six neighbours that are those of none of our boards: the board leans to the other side."""
MIRRORED = "mirrored"
"""The name of these."""
WORDS: tuple[tuple[re.Pattern[str], Row], ...] = (
    (re.compile(r"(^|_)(odd|impar|impares|inpar)", re.IGNORECASE), 1),
    (re.compile(r"(^|_)(even|par|pares)(_|s|$|[A-Z])", re.IGNORECASE), 0),
)
ASKED = re.compile(
    r"(get_|_)?(neighbou?rs|adjacent(_cells)?)|check_(connection|win|winner)|get_winner|has_won|is_game_over|is_terminal"
)
"""Members of the board that know which cells touch."""
BOARD_MEMBERS = frozenset({"place_piece", "get_possible_moves"})
"""A class with these methods is a board of the submission's own: the course's rules take the place of its own."""


@dataclass(frozen=True)
class Named:
    """A layout that a text names."""

    layout: str
    """``axial``, ``even-r``, ``odd-r``; or `MIRRORED`, which is none of our boards."""
    file: str
    line: int


@dataclass
class NeighbourText:
    """What the texts of a player say about neighbours."""

    named: list[Named] = field(default_factory=list)
    asks_board: bool = False
    """Whether it calls a member of the board that knows which cells touch."""
    unclear: bool = False
    """Whether it looks at cells beside others in a way that was not understood."""

    @property
    def layouts(self) -> set[str]:
        """Each layout that is named."""
        return {each.layout for each in self.named}


def neighbours_in(places: Places, files: list[Path]) -> NeighbourText:
    """What these files of a submission say about neighbours."""
    found = NeighbourText()
    for file in files:
        tree = places.tree(file)
        if tree is None:
            found.unclear = True
            continue
        _Reader(tree, file.name, found).read()
    return found


class _Reader:
    """Reads one file."""

    def __init__(self, tree: ast.Module, file: str, found: NeighbourText) -> None:
        self._file, self._found = file, found
        self._parents: dict[ast.AST, ast.AST] = {}
        self._nodes: list[ast.AST] = []
        waiting: list[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            self._nodes.append(node)
            if isinstance(node, ast.ClassDef) and _is_board(node):
                continue
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
                waiting.append(child)
        used = {*self._names_by_test()}
        self._rows_of_names = {name: row for name, row in used if (name, 1 - row) not in used}
        self._shifts = dict(self._names_by_row())

    def read(self) -> None:
        """Adds what the file names to what was found."""
        shifted: dict[Row, ast.AST] = {}
        plain: dict[Row, ast.AST] = {}
        unclear = False
        for node in self._nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ASKED.fullmatch(node.func.attr):
                self._found.asks_board |= not isinstance(node.func.value, ast.Name) or node.func.value.id != "self"
            unclear |= isinstance(node, ast.expr) and _is_steps(node)
            if not isinstance(node, ast.List | ast.Tuple | ast.Set) or len(node.elts) < 2:
                unclear |= isinstance(node, ast.Subscript) and _is_beside(node)
                continue
            even, odd = (self._offsets(node, row) for row in (0, 1))
            if even is None or odd is None:
                continue
            if even == odd == AXIAL or even == odd == LEANING:
                self._add("axial" if even == AXIAL else MIRRORED, node)
            elif even == odd and even in (RIGHT, LEFT):
                row = self._row_of(node)
                if row is None:
                    unclear = True
                else:
                    (shifted if even == RIGHT else plain)[row] = node
            elif (even, odd) in ((RIGHT, LEFT), (LEFT, RIGHT)):
                self._add("even-r" if even == RIGHT else "odd-r", node)
            elif len(even) < 6 and self._is_inner(node):
                continue
            else:
                unclear = True
        for row, node in (shifted | {1 - row: node for row, node in plain.items() if 1 - row not in shifted}).items():
            self._add("odd-r" if row else "even-r", node)
        self._found.unclear |= unclear

    def _add(self, layout: str, node: ast.AST) -> None:
        named = Named(layout, self._file, getattr(node, "lineno", 0))
        if all((each.layout, each.file) != (layout, self._file) for each in self._found.named):
            self._found.named.append(named)

    def _is_inner(self, node: ast.AST) -> bool:
        """Whether a pair is one of the cells of a longer list."""
        return isinstance(self._parents.get(node), ast.List | ast.Tuple | ast.Set)

    def _offsets(self, node: ast.List | ast.Tuple | ast.Set, row: Row) -> frozenset[Offset] | None:
        """The offsets that a list of pairs holds in such a row; None where it is no list of cells beside another."""
        found: set[Offset] = set()
        for each in node.elts:
            if not isinstance(each, ast.Tuple | ast.List) or len(each.elts) != 2:
                return None
            pair = [self._number(part, row) for part in each.elts]
            if pair[0] is None or pair[1] is None or max(map(abs, pair)) > 1:  # type: ignore[arg-type]
                return None
            found.add((pair[0], pair[1]))
        found.discard((0, 0))
        return frozenset(found) if len(found) >= 2 else None

    def _number(self, node: ast.expr, row: Row) -> int | None:
        """The value of a coordinate, relative to the one name that it may hold."""
        match node:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                number = self._number(inner, row)
                return None if number is None else -number
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                one, two = self._number(left, row), self._number(right, row)
                return None if one is None or two is None else one + two if isinstance(op, ast.Add) else one - two
            case (
                ast.BinOp(op=ast.Mod(), right=ast.Constant(value=2))
                | ast.BinOp(op=ast.BitAnd(), right=ast.Constant(value=1))
            ):
                return row
            case ast.Name(id=name) if name in self._shifts:
                return self._shifts[name][row]
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return 0
        return None

    def _row_of(self, node: ast.AST) -> Row | None:
        """Whether a table is that of even or of odd rows."""
        child, parent = node, self._parents.get(node)
        while parent is not None:
            row = self._row_within(child, parent)
            if row is not None:
                return row
            if isinstance(parent, ast.If | ast.For | ast.FunctionDef | ast.ClassDef):
                row = self._row_after_return(child, parent)
                if row is not None:
                    return row
            child, parent = parent, self._parents.get(parent)
        return None

    def _row_within(self, child: ast.AST, parent: ast.AST) -> Row | None:
        """What the place of a child in its parent says."""
        match parent:
            case ast.IfExp() | ast.If():
                tested = _row_tested(parent.test)
                if tested is None or child is parent.test:
                    return None
                then = parent.body if isinstance(parent.body, list) else [parent.body]
                return tested if child in then else 1 - tested
            case ast.Tuple() | ast.List() if len(parent.elts) == 2:
                return parent.elts.index(child)  # type: ignore[arg-type]
            case ast.Dict() if child in parent.values:
                key = parent.keys[parent.values.index(child)]
                if isinstance(key, ast.Constant) and isinstance(key.value, int) and key.value in (0, 1):
                    return int(key.value)
                return (
                    _row_in_words(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
                )
            case ast.Assign() | ast.AnnAssign():
                targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                for name in map(last_name, targets):
                    if name in self._rows_of_names:
                        return self._rows_of_names[name]
                    if (row := _row_in_words(name)) is not None:
                        return row
        return None

    def _row_after_return(self, child: ast.AST, parent: ast.AST) -> Row | None:
        """Of a statement after ``if r % 2: return …``: the other rows."""
        body = getattr(parent, "body", [])
        before = body[: body.index(child)] if child in body else []
        for each in before:
            if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Return) and not each.orelse:
                tested = _row_tested(each.test)
                if tested is not None:
                    return 1 - tested
        return None

    def _names_by_test(self) -> Iterator[tuple[str, Row]]:
        """Names that are used for even or for odd rows only: ``EVEN if r % 2 == 0 else ODD``."""
        for node in self._nodes:
            if isinstance(node, ast.IfExp | ast.If) and (row := _row_tested(node.test)) is not None:
                for part, used in ((node.body, row), (node.orelse, 1 - row)):
                    for each in part if isinstance(part, list) else [part]:
                        yield from ((name, used) for name in _names_in(each))

    def _names_by_row(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Names whose value depends on the row only: ``shift = 1 if r % 2 == 0 else 0``, ``odd = r & 1``."""
        for node in self._nodes:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            name, value = last_name(node.targets[0]), node.value
            if not name:
                continue
            if isinstance(value, ast.IfExp) and (row := _row_tested(value.test)) is not None:
                then, other = (_constant(each) for each in (value.body, value.orelse))
                if then is not None and other is not None:
                    yield name, (then, other) if row == 0 else (other, then)
            elif (row := _row_tested(value)) is not None:  # `odd = r % 2` is 1 in odd rows
                yield name, (0, 1) if row == 1 else (1, 0)


def _is_steps(node: ast.expr) -> bool:
    """Whether this counts from one cell to the next: ``range(-1, 2)``, ``[-1, 0, 1]``."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[start, stop]):
            return (_constant(start), _constant(stop)) == (-1, 2)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return {*map(_constant, parts)} == {-1, 0, 1}
    return False


def _is_beside(node: ast.Subscript) -> bool:
    """Whether this is a cell beside another: ``grid[r + 1][c]``, ``cells[r, c - 1]``."""
    if isinstance(node.slice, ast.Tuple):
        parts = node.slice.elts
    else:
        parts = [node.slice, node.value.slice] if isinstance(node.value, ast.Subscript) else []
    return len(parts) == 2 and any(
        isinstance(each, ast.BinOp) and isinstance(each.left, ast.Name) and _constant(each.right) == 1 for each in parts
    )


def _is_board(node: ast.ClassDef) -> bool:
    return {each.name for each in node.body if isinstance(each, ast.FunctionDef)} >= BOARD_MEMBERS


def _row_tested(test: ast.expr) -> Row | None:
    """In which rows a test is true; None where it does not ask for the row."""
    match test:
        case (
            ast.BinOp(op=ast.Mod(), right=ast.Constant(value=2))
            | ast.BinOp(op=ast.BitAnd(), right=ast.Constant(value=1))
        ):
            return 1
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            row = _row_tested(inner)
            return None if row is None else 1 - row
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=inner):
            row = _row_tested(inner)
            return None if row is None else 1 - row
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=0 | 1 as value)]
        ):
            if _row_tested(left) is None:
                return None
            row = 1 if value else 0
            return row if isinstance(op, ast.Eq) else 1 - row
    return None


def _row_in_words(name: str) -> Row | None:
    return next((row for pattern, row in WORDS if pattern.search(name)), None)


def _names_in(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name | ast.Attribute) and isinstance(each.ctx, ast.Load):
            yield last_name(each)


def _constant(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return int(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -int(value)
    return None
