"""Reads Hex matches from SGF; `sgf` describes the two dialects."""

from __future__ import annotations

import re

from ludoteca.adapters.formats.hex_orientation import Orientation, axial_hex, mirrored
from ludoteca.adapters.formats.sgf_nodes import Node, parse
from ludoteca.agents.identity import Identity
from ludoteca.errors import IllegalAction, InvalidAction, InvalidFile, LudotecaError
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree, Step
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action, State

COLOURS = ("B", "W")
QUITS = ("resign", "forfeit")
SET_UP = ("AB", "AW", "AE")


def read(text: str, orientation: Orientation = "standard") -> list[Record]:
    """The records in a collection, main lines only; seats, moves, names and result, but no clock.

    orientation: left-right mirrors the record, so that the first seat connects left and right. The game has the swap
    rule if the file says RU[swap] or a swap was played. Raises InvalidFile, with the line and the reason.
    """
    return [tree.record for tree in read_trees(text, orientation)]


def read_trees(text: str, orientation: Orientation = "standard") -> list[MatchTree]:
    """The matches with variations and comments; every action of a variation is legal too."""
    return [_Reader(text, nodes, orientation).tree() for nodes in parse(text)]


class _Reader:
    """Reads one game tree."""

    def __init__(self, text: str, nodes: list[Node], orientation: Orientation) -> None:
        self._text, self._nodes, self._root = text, nodes, nodes[0]
        self._moves = [self._move_of(node) for node in nodes]
        self._game = self._game_of_root(orientation)
        first = next((move[0] for move in self._moves if move is not None), self._root.first("PL").upper()[:1])
        self._colours = COLOURS[::-1] if first == "W" else COLOURS

    def tree(self) -> MatchTree:
        """The match with all its steps. Raises InvalidFile."""
        steps: list[Step] = []
        step_of, said, gave_up = {-1: -1}, dict[int, list[str]](), set[int]()
        path: list[tuple[int, State]] = [(-1, self._game.deal(0))]  # depth first: finished branches are dropped
        for number, (node, move) in enumerate(zip(self._nodes, self._moves, strict=True)):
            step = step_of[node.before]
            while path[-1][0] != step:
                path.pop()
            if move is not None:
                colour, point = move
                if step in gave_up:
                    raise self._wrong(node, colour, say("a player resigned before this move"))
                self._check_turn(node, colour, point, len(path) - 1)
                if point in QUITS:
                    gave_up.add(step)
                else:
                    state = path[-1][1].copy()
                    action = self._apply(state, node, colour, point, len(path))
                    steps.append(Step(step, action))
                    step = len(steps) - 1
                    path.append((step, state))
            step_of[number] = step
            said.setdefault(step, []).extend(node.properties.get("C", []))
        comments = {step: "\n".join(texts) for step, texts in said.items()}
        known = tuple(Step(each.before, each.action, comments.get(place, "")) for place, each in enumerate(steps))
        return self._named(known, comments.get(-1, ""), gave_up)

    def _named(self, steps: tuple[Step, ...], comment: str, gave_up: set[int]) -> MatchTree:
        """The tree with its record. The winner is decided by the rules, else by RE, else by who resigned."""
        names = {"B": self._root.first("PB", "black"), "W": self._root.first("PW", "white")}
        first, second = (Who(Identity(names[each])) for each in self._colours)
        following: dict[int, int] = {}
        for place, step in enumerate(steps):
            following.setdefault(step.before, place)
        match, last = Match(self._game, 0, seats=(first, second)), -1
        while last in following:
            last = following[last]
            match.play(steps[last].action)
        given = self._root.first("RE")
        winner, loser = given[:1].upper(), None
        if winner in COLOURS:
            loser = 1 - self._colours.index(winner)
        elif last in gave_up:
            loser = match.turn
        if match.turn is None:  # the rules have decided; a file that says otherwise is wrong
            if loser is not None and match.returns()[loser] > 0:
                why = say(
                    "RE[{given}] names the other side: by the moves {right} won",
                    given=given,
                    right="W" if winner == "B" else "B",
                )
                raise self._wrong(self._root, "RE", why)
            loser = None
        if loser is not None:
            ending = Ending.timeout if given.upper().endswith("+T") else Ending.resigned
            match.end_by(loser, Fault(ending, "SGF says {text}", text=given or "resign"))
        return MatchTree(match.record(), steps, comment)

    def _game_of_root(self, orientation: Orientation) -> Hex:
        root = self._root
        if (kind := root.first("GM")) not in ("11", ""):
            raise self._wrong(root, "GM", "this SGF holds game GM[{game}], and Hex is GM[11]", game=kind[:20])
        size = root.first("SZ", "11")
        if (both := re.fullmatch(r"(\d+):(\d+)", size)) is not None and both[1] == both[2]:
            size = both[1]
        if not (size.isascii() and size.isdigit() and len(size) < 4):
            why = say("SZ[{size}] is no size of a Hex board; boards are 1 to 19", size=size[:20])
            raise self._wrong(root, "SZ", why)
        swaps = "swap" in root.first("RU").lower() or any(move and move[1].startswith("swap") for move in self._moves)
        try:
            return axial_hex(f"hex:size={size},orientation={orientation},swap={str(swaps).lower()}", "SGF")
        except LudotecaError as error:
            raise self._wrong(root, "SZ", error) from error

    def _move_of(self, node: Node) -> tuple[str, str] | None:
        """Colour and point of the move in a node, if there is one."""
        for name in SET_UP:
            if name in node.properties:
                why = say("{name} sets stones up by hand, and a record begins on the empty board", name=name)
                raise self._wrong(node, name, why)
        moves = [(colour, node.properties[colour]) for colour in COLOURS if colour in node.properties]
        if sum(len(points) for _, points in moves) > 1:
            raise self._wrong(node, moves[-1][0], say("two moves in one node; each needs a ; of its own"))
        return (moves[0][0], moves[0][1][0].strip().lower()) if moves else None

    def _check_turn(self, node: Node, colour: str, point: str, played: int) -> None:
        if colour != (right := self._colours[played % 2]):
            raise self._wrong(
                node,
                colour,
                "move {number}, {colour}[{move}], is out of turn; {other} moves there",
                number=played + 1,
                colour=colour,
                move=point[:20],
                other=right,
            )

    def _apply(self, state: State, node: Node, colour: str, point: str, number: int) -> Action:
        """Plays the move and gives its action."""
        try:
            action = self._action(point)
            state.apply(action)
        except (InvalidAction, IllegalAction) as error:
            why = say("move {number}, {move}: {why}", number=number, move=point[:20], why=error)
            raise self._wrong(node, colour, why) from error
        return action

    def _action(self, point: str) -> Action:
        game = self._game
        if point == "swap-sides":
            raise InvalidAction(say("swap-sides swaps the players, which is not supported; only swap-pieces is"))
        if point in ("swap", "swap-pieces"):
            assert game.swap is not None
            return game.swap
        if point in ("pass", ""):
            raise InvalidAction(say("there is no pass in Hex"))
        if re.fullmatch("[a-z]{2}", point):  # LittleGolem: column and row as letters
            point = f"{point[0]}{ord(point[1]) - ord('a') + 1}"
        return mirrored(game, game.parse_action(point))

    def _wrong(self, node: Node, name: str, why: object, /, **fields: object) -> InvalidFile:
        return InvalidFile.at(self._text, node.places.get(name, node.at), why, **fields)
