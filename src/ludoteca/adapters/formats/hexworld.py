"""Hex matches as addresses of HexWorld's board, ``https://hexworld.org/board/#11nc1,a3:sd4``, and back.

After the # come the size and the look of the board: ``r4`` turned, ``m`` mirrored, ``n`` with numbers on the stones,
``c1`` in red and blue. After a comma come the moves: cells, ``:s`` for a swap of pieces, and at the end ``:rb`` or
``:rw`` when black, the first, or white has resigned, ``:fb`` or ``:fw`` when it has forfeited. A second comma stands
before moves that were taken back; they belong to the match all the same.

An address holds neither names nor clocks. As in SGF, the first player connects top and bottom: see `sgf`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from ludoteca.adapters.formats.format import Format
from ludoteca.adapters.formats.hex_orientation import Orientation, axial_hex, mirrored
from ludoteca.errors import InvalidAction, InvalidFile, LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action

BOARD = "https://hexworld.org/board/#"
LOOKS = "nc1"
"""Numbers on the stones, and red and blue as colours."""
SIZE = re.compile(r"(\d{1,3})(?:x(\d{1,3}))?")
LOOK = re.compile(r"r\d+|m|n|c\d+")
MOVE = re.compile(r"[a-z]+\d+|:s|:S|:p|:[rf][bw]")
END = re.compile(r":[rf][bw]")
WHOLE = re.compile(r"\S*hexworld\.org/board\S*|\d+(x\d+)?((r\d+|m|n|c\d+)*)(,\S*)?")


def looks_like(text: str) -> bool:
    """Whether the first line of a text might be an address."""
    lines = text.strip().splitlines()
    return bool(lines) and WHOLE.fullmatch(lines[0].strip()) is not None


def write(records: Iterable[Record]) -> str:
    """One address per line. Raises InvalidGame for games that HexWorld does not have."""
    return "".join(f"{address(record)}\n" for record in records)


def address(record: Record) -> str:
    """The address of one match. Raises InvalidGame.

    >>> address(Match.of_spec("hex:size=3,orientation=standard", 0, [4, 0]).record())
    'https://hexworld.org/board/#3nc1,b2a1'
    """
    game = axial_hex(record.game, "a HexWorld address")
    names = (":s" if each == game.swap else game.action_name(mirrored(game, each)) for each in record.actions)
    end = ""
    if record.fault is not None:
        end = f":{'r' if record.ending is Ending.resigned else 'f'}{'bw'[record.fault]}"
    return f"{BOARD}{game.size}{LOOKS},{''.join(names)}{end}"


def read(text: str, orientation: Orientation = "standard") -> list[Record]:
    """The records of the addresses, one per line; blank lines are skipped, and both seats are persons.

    The game has swap exactly when a swap was played. Raises InvalidFile, with the line and the reason.
    """
    records, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            records.append(_Reader(text, at, line, orientation).record())
        at += len(line)
    if not records:
        raise InvalidFile.at(text, 0, "there is no address here; it should look like {board}11c1,a3", board=BOARD)
    return records


class _Reader:
    """Reads one address."""

    def __init__(self, text: str, at: int, line: str, orientation: Orientation) -> None:
        self._text, self._at, self._orientation = text, at, orientation
        self._line = unquote(line.rstrip())
        begins = self._line.rfind("#") + 1
        self._start = begins or len(self._line) - len(self._line.lstrip())
        if not begins and "/" in self._line:
            raise self._wrong(0, say("an address of HexWorld's board has a # before the size"))

    def record(self) -> Record:
        """The match. Raises InvalidFile."""
        game, at = self._game()
        match, ended = Match(game, 0), False
        while at < len(self._line):
            if self._line[at] == ",":
                at += 1
                continue
            move = MOVE.match(self._line, at)
            if move is None:
                rest = self._line[at : at + 12]
                raise self._wrong(at, "{text!r} is no move; moves are cells, :s, :rb, :rw, :fb and :fw", text=rest)
            if ended:
                raise self._wrong(at, "{text!r} stands after the end of the match", text=move[0])
            ended = self._play(match, at, move[0])
            at = move.end()
        return match.record()

    def _game(self) -> tuple[Hex, int]:
        """The game, and where its moves begin."""
        line, at = self._line, self._start
        size = SIZE.match(line, at)
        if size is None:
            raise self._wrong(at, say("the size of the board is missing, as in #11c1,a3"))
        if size[2] is not None and size[2] != size[1]:
            raise self._wrong(at, "a board of {size} is not square, and ours are", size=size[0])
        at = size.end()
        while look := LOOK.match(line, at):
            at = look.end()
        if line[at : at + 1] not in ("", ","):
            rest = line[at : at + 12]
            raise self._wrong(at, "{text!r} is no option of HexWorld's; options are r1 to r12, m, n, c1", text=rest)
        swaps = ":s" in line[at:]
        spec = f"hex:size={size[1]},orientation={self._orientation},swap={str(swaps).lower()}"
        try:
            return axial_hex(spec, "a HexWorld address"), at
        except LudotecaError as error:
            raise self._wrong(self._start, error) from error

    def _play(self, match: Match, at: int, move: str) -> bool:
        """Plays a move; returns whether it ended the match."""
        if END.fullmatch(move):
            loser = "bw".index(move[2])
            if match.turn is not None:
                match.end_by(loser, Fault(Ending.resigned, "HexWorld says {text}", text=move))
            elif match.returns()[loser] > 0:
                raise self._wrong(at, "{text!r} cannot be: by the moves that side has won", text=move)
            return True
        try:
            match.play(_action(expect(match.game, Hex), move))
        except LudotecaError as error:
            number = len(match.actions) + 1
            raise self._wrong(at, "move {number}, {move}: {why}", number=number, move=move, why=error) from error
        return False

    def _wrong(self, at: int, why: object, /, **fields: object) -> InvalidFile:
        return InvalidFile.at(self._text, self._at + at, why, **fields)


def _action(game: Hex, move: str) -> Action:
    if move == ":p":
        raise InvalidAction(say("there is no pass in Hex"))
    if move == ":S":
        raise InvalidAction(say("it swaps the players, which is not supported; only :s, which swaps the pieces, is"))
    if move == ":s":
        assert game.swap is not None
        return game.swap
    return mirrored(game, game.parse_action(move))


FORMAT = Format(
    "hexworld",
    (".hexworld", ".url"),
    looks_like=looks_like,
    read=lambda text, orientation: [MatchTree.of(record) for record in read(text, orientation)],
    write=lambda trees, _: write(tree.record for tree in trees),
)
