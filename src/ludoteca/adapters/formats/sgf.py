"""Hex matches as SGF, ``FF[4]GM[11]``, and back, with variations and comments: the usual format for Hex.

In SGF the first player connects top and bottom. A record with ``orientation=left-right`` is mirrored on the long
diagonal when it is written and mirrored back when it is read. There are two dialects; both are read and written:

============  ===========  ==========  ================
dialect       moves first  a point is  the swap is
============  ===========  ==========  ================
hexgui        black, B     ``a1``      ``swap-pieces``
littlegolem   white, W     ``aa``      ``swap``
============  ===========  ==========  ================

HexGui, HexWorld and MoHex write the first, LittleGolem the second. SGF holds the players, the moves and the winner;
clocks, seeds and what agents thought are in JSON Lines only. ``RU[swap]`` says that the swap was allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.adapters.formats.format import Dialect, Format
from ludoteca.adapters.formats.hex_orientation import axial_hex, mirrored
from ludoteca.adapters.formats.sgf_nodes import escaped
from ludoteca.adapters.formats.sgf_reading import read, read_trees
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action

__all__ = ["DIALECTS", "FORMAT", "read", "read_trees", "write"]

DIALECTS: tuple[Dialect, ...] = ("hexgui", "littlegolem")
RESULTS = {Ending.finished: "", Ending.resigned: "R", Ending.timeout: "T"}  # any other fault is a forfeit, F
IN_A_ROW = 10
"""Moves per line."""


def write(matches: Iterable[Record | MatchTree], dialect: Dialect = "hexgui") -> str:
    """The matches as a collection of game trees. Raises InvalidGame for games that SGF does not have.

    >>> from ludoteca import Match
    >>> record = Match.of_spec("hex:size=3,orientation=standard", 0, [4, 0]).record()
    >>> print(write([record]), end="")
    (;FF[4]GM[11]CA[UTF-8]AP[ludoteca]SZ[3]PB[person]PW[person]RE[?]
    ;B[b2];W[a1])
    """
    trees = (each if isinstance(each, MatchTree) else MatchTree.of(each) for each in matches)
    return "\n".join(_Writer(tree, dialect).text() for tree in trees) + "\n"


class _Writer:
    """Writes one match."""

    def __init__(self, tree: MatchTree, dialect: Dialect) -> None:
        self._tree, self._dialect = tree, dialect
        self._game = axial_hex(tree.record.game, "SGF")
        self._colours = "BW" if dialect == "hexgui" else "WB"

    def text(self) -> str:
        """The game tree."""
        parts, following, in_row = [self._head()], self._tree.following(), IN_A_ROW
        depth = {-1: 0}
        waiting: list[int | str] = []  # a stack, because a line may be too long to recurse

        def go_on(place: int) -> None:
            after = following.get(place, [])
            if len(after) == 1:
                waiting.append(after[0])
            for each in reversed(after) if len(after) > 1 else ():
                waiting.extend([")", each, "\n("])

        go_on(-1)
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
                in_row = 0 if item == "\n(" else IN_A_ROW
                continue
            if in_row == IN_A_ROW:
                parts.append("\n")
                in_row = 0
            step = self._tree.steps[item]
            comment = f"C[{escaped(step.comment)}]" if step.comment else ""
            parts.append(f";{self._colours[depth[step.before] % 2]}[{self._point(step.action)}]{comment}")
            depth[item] = depth[step.before] + 1
            in_row += 1
            go_on(item)
        return "".join(parts) + ")"

    def _head(self) -> str:
        record, game = self._tree.record, self._game
        winner = self._colours[0 if record.score == 1 else 1]
        result = f"{winner}+{RESULTS.get(record.ending, 'F')}" if record.finished else "?"
        names = [escaped(who.agent or "person") for who in record.seats]
        black, white = names if self._dialect == "hexgui" else names[::-1]
        about = [f"limit {record.limit}"] if record.limit else []
        about += [f"{record.ending}: {record.message}"] if record.message else []
        swap = "RU[swap]" if game.swap is not None else ""
        first = "" if self._dialect == "hexgui" else "PL[W]"
        game_comment = f"GC[{escaped('; '.join(about))}]" if about else ""
        comment = f"C[{escaped(self._tree.comment)}]" if self._tree.comment else ""
        return f"(;FF[4]GM[11]CA[UTF-8]AP[ludoteca]SZ[{game.size}]PB[{black}]PW[{white}]RE[{result}]{first}{swap}" + (
            f"{game_comment}{comment}"
        )

    def _point(self, action: Action) -> str:
        game = self._game
        if action == game.swap:
            return "swap-pieces" if self._dialect == "hexgui" else "swap"
        cell = mirrored(game, action)
        if self._dialect == "hexgui":
            return game.action_name(cell)
        row, column = divmod(cell, game.size)
        return chr(ord("a") + column) + chr(ord("a") + row)


FORMAT = Format(
    "sgf",
    (".sgf",),
    looks_like=lambda text: text.startswith("("),
    read=read_trees,
    write=write,
    comments=True,
    variations=True,
)
