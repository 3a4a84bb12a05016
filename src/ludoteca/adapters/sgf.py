"""Hex records as SGF, ``FF[4]GM[11]``, and back: what HexGui, HexWorld and the rest of the Hex world read.

There black is first and connects top and bottom. A record in ``orientation=course``, whose first seat connects left and
right, is therefore mirrored on the long diagonal when it is written, and back when it is read. Points are written
``a1``; ``swap`` is ``swap-pieces``.

Read are also LittleGolem's files, in which white is first, points are pairs of letters and the swap is ``swap``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from ludoteca.errors import IllegalAction, InvalidAction, InvalidGame
from ludoteca.games import game as game_of
from ludoteca.games.hex import Hex
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action

__all__ = ["read", "write"]

COLOURS = ("B", "W")
RESULTS = {Ending.finished: "", Ending.resigned: "R", Ending.timeout: "T"}  # any other fault is a forfeit, F
PROPERTY = re.compile(r"\s*([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)", re.DOTALL)
VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
QUITS = ("resign", "forfeit")


def write(records: Iterable[Record]) -> str:
    """The records as a collection, one game tree after another. Raises InvalidGame for what SGF's Hex cannot say."""
    return "\n".join(_write(record) for record in records) + "\n"


def _hex(spec: str) -> Hex:
    game = game_of(spec)
    if not isinstance(game, Hex):
        raise InvalidGame(
            say("only Hex is written as SGF, not {game}; use JSON Lines, which hold every game", game=spec)
        )
    if game.layout != "axial":
        raise InvalidGame(
            say(
                "SGF's Hex has an axial board, and {game} has layout={layout}; use JSON Lines",
                game=spec,
                layout=game.layout,
            )
        )
    return game


def _write(record: Record) -> str:
    game = _hex(record.game)
    winner = COLOURS[0 if record.score == 1 else 1]
    result = f"{winner}+{RESULTS.get(record.ending, 'F')}" if record.finished else "?"
    black, white = (_escape(who.agent or "person") for who in record.seats)
    comment = _escape(f"limit {record.limit}" + (f"; {record.ending}: {record.message}" if record.message else ""))
    head = f"(;FF[4]GM[11]CA[UTF-8]AP[ludoteca]SZ[{game.size}]PB[{black}]PW[{white}]RE[{result}]GC[{comment}]"
    moves = [f";{COLOURS[turn % 2]}[{_point(game, action)}]" for turn, action in enumerate(record.actions)]
    rows = ["".join(moves[start : start + 10]) for start in range(0, len(moves), 10)]
    return "\n".join([head, *rows]) + ")"


def _escape(text: str) -> str:
    return re.sub(r"([\]\\:])", r"\\\1", text)


def _point(game: Hex, action: Action) -> str:
    return "swap-pieces" if action == game.swap else game.action_name(_mirrored(game, action))


def _mirrored(game: Hex, action: Action) -> Action:
    """The same cell on the board of the other orientation, if this one's is not the world's."""
    if game.orientation == "standard":
        return action
    row, column = divmod(action, game.size)
    return column * game.size + row


def read(text: str, orientation: Literal["course", "standard"] = "standard") -> list[Record]:
    """The records in a collection, main lines only; seats, moves, names and result, but no clock.

    Read with `orientation` course, a record is mirrored so that the first seat connects left and right. The game has
    swap exactly when a swap was played. Raises InvalidGame for what is no Hex, and InvalidAction or IllegalAction.
    """
    return [_read(nodes, orientation) for nodes in _trees(text)]


def _read(nodes: list[dict[str, list[str]]], orientation: str) -> Record:
    root = nodes[0]
    if root.get("GM", ["11"])[0].strip() not in ("11", ""):
        raise InvalidGame(say("this SGF holds game GM[{game}], and Hex is GM[11]", game=root["GM"][0]))
    size = root.get("SZ", ["11"])[0].strip()
    if not (size.isascii() and size.isdigit()):
        raise InvalidGame(say("SZ[{size}] is no size of a Hex board; boards are 1 to 19", size=size))
    played = [(colour, node[colour][0].strip().lower()) for node in nodes for colour in COLOURS if colour in node]
    swaps = any(move.startswith("swap") for _, move in played)
    game = _hex(f"hex:size={size},orientation={orientation},swap={str(swaps).lower()}")
    colours = list(COLOURS) if not played or played[0][0] == "B" else list(reversed(COLOURS))
    moves = [move for _, move in played if move not in QUITS]
    for turn, (colour, move) in enumerate(played):
        if colour != colours[turn % 2]:
            raise InvalidAction(
                say(
                    "move {number}, {colour}[{move}], is out of turn; {other} moves there",
                    number=turn + 1,
                    colour=colour,
                    move=move,
                    other=colours[turn % 2],
                )
            )
    match = Match(game, 0)
    for turn, move in enumerate(moves, start=1):
        try:
            match.play(_action(game, move))
        except IllegalAction as error:
            raise IllegalAction(say("move {number}, {move}: {why}", number=turn, move=move, why=error)) from error
    names = {"B": root.get("PB", ["black"])[0], "W": root.get("PW", ["white"])[0]}
    return _result(match, (names[colours[0]], names[colours[1]]), root.get("RE", [""])[0], colours, len(played))


def _result(match: Match, agents: tuple[str, str], text: str, colours: list[str], played: int) -> Record:
    """The record: who won by the rules, else by RE, else by who moved last before a resignation."""
    match.seats = (Who(agents[0]), Who(agents[1]))
    if match.turn is not None:
        winner, loser = text.strip()[:1].upper(), None
        if winner in COLOURS:
            loser = 1 - colours.index(winner)
        elif played > len(match.actions):
            loser = match.turn
        if loser is not None:
            by_time = text.strip().upper().endswith("+T")
            message = say("SGF says {text}", text=text or "resign")
            match.end_by(loser, Fault(Ending.timeout if by_time else Ending.resigned, message))
    return match.record()


def _action(game: Hex, move: str) -> Action:
    if move.startswith("swap"):
        if move == "swap-sides":
            raise InvalidAction(
                say("swap-sides exchanges the seats, which no record of ours can say; only swap-pieces")
            )
        assert game.swap is not None
        return game.swap
    if re.fullmatch("[a-z]{2}", move):  # LittleGolem: column and row as letters
        move = f"{move[0]}{ord(move[1]) - ord('a') + 1}"
    return _mirrored(game, game.parse_action(move))


def _trees(text: str) -> list[list[dict[str, list[str]]]]:
    """The main lines of a collection, as nodes of properties. Raises InvalidGame for what is no SGF."""
    trees: list[list[dict[str, list[str]]]] = []
    depth, at, closed = 0, 0, False
    while at < len(text):
        character = text[at]
        if character == "(":
            if depth == 0:
                trees.append([])
                closed = False
            depth += 1
        elif character == ")":
            depth, closed = depth - 1, True  # what opens after the first branch has closed is a variation
        elif character == ";" and depth > 0:
            properties = _Properties(text, at + 1)
            if not closed:
                trees[-1].append(properties.found)
            at = properties.end
            continue
        elif depth > 0 and not character.isspace():
            raise InvalidGame(say("this is no SGF: {text!r} stands where a node should begin", text=text[at : at + 20]))
        at += 1
    if depth != 0 or not trees or not all(trees):
        raise InvalidGame(say("this is no whole SGF: it should look like (;FF[4]GM[11]SZ[11];B[a1]…)"))
    return trees


class _Properties:
    """The properties of one node, and where they end."""

    def __init__(self, text: str, start: int) -> None:
        self.found: dict[str, list[str]] = {}
        self.end = start
        while (match := PROPERTY.match(text, self.end)) is not None:
            values = [re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) for value in VALUE.findall(match[2])]
            self.found["".join(letter for letter in match[1] if letter.isupper())] = values
            self.end = match.end()
