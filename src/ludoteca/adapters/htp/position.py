"""A Hex board for HTP: stones of either colour in any order, undone one by one.

A controller may send stones out of turn: after a swap HexGui clears the board and plays the stones again, and a puzzle
may have only black stones. So the position is the set of stones; their order counts only if they were played in turn.
Black is seat 0 and connects top and bottom.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ludoteca.errors import InvalidAction
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action, Seat, State

COLOURS: Final = ("black", "white")
LARGEST: Final = 19
SWAP: Final = ("swap-pieces", "swap")
"""The first is written; both are read."""

Word = Literal["swap-pieces", "swap-sides", "resign"]


class HtpError(Exception):
    """Refuses a command; its text is the answer after the question mark."""


class Play(NamedTuple):
    """One play as the command gave it."""

    seat: Seat
    move: Action | Word


def colour_of(text: str) -> Seat:
    """The seat of a colour: b, black, w or white, in any case. Raises HtpError."""
    word = text.lower()
    for seat, name in enumerate(COLOURS):
        if word in (name, name[0]):
            return seat
    raise HtpError(f"{text!r} is no colour: say black or white")


def point_of(game: Hex, action: Action) -> str:
    """An action as HTP writes it."""
    return SWAP[0] if action == game.swap else str(game.action_name(action))


class Position:
    """All plays since the board was cleared."""

    def __init__(self, size: int = 11, *, swap: bool = False) -> None:
        """swap: the engine itself may answer the first stone by swap-pieces; others may always. Raises HtpError."""
        if not 1 <= size <= LARGEST:
            raise HtpError(f"boards are 1 to {LARGEST} cells wide, not {size}")
        self.game = Hex(size, "standard", swap=swap)
        self._plain = Hex(size, "standard")
        self._boards: list[list[Seat | None]] = [[None] * (size * size)]
        self._plays: list[Play] = []

    @property
    def stones(self) -> list[Seat | None]:
        """The owner of each cell."""
        return self._boards[-1]

    @property
    def winner(self) -> Seat | None:
        """The seat that has connected, or to which the other resigned."""
        for play in self._plays:
            if play.move == "resign":
                return 1 - play.seat
        over = self._plain.position(self.stones, 0)
        return None if over.turn is not None else 0 if over.returns()[0] > 0 else 1

    @property
    def next_seat(self) -> Seat:
        """The seat that plays next in turn."""
        return 1 - self._plays[-1].seat if self._plays else 0

    def play(self, seat: Seat, text: str) -> None:
        """A stone, swap-pieces, swap-sides or resign. Raises HtpError and changes nothing."""
        word, board = text.lower(), list(self.stones)
        if word in SWAP:
            board = self._swapped(seat)
            self._push(Play(seat, "swap-pieces"), board)
        elif word == "swap-sides":
            self._only_stone(seat)
            self._push(Play(seat, "swap-sides"), board)
        elif word == "resign":
            self._push(Play(seat, "resign"), board)
        else:
            try:
                cell = self._plain.parse_action(word)
            except InvalidAction as error:
                raise HtpError(str(error)) from None
            if board[cell] is not None:
                raise HtpError(f"illegal move: {word} is taken")
            board[cell] = seat
            self._push(Play(seat, cell), board)

    def undo(self) -> None:
        """Takes the last play back. Raises HtpError."""
        if not self._plays:
            raise HtpError("cannot undo: nothing has been played")
        self._plays.pop()
        self._boards.pop()

    def state(self, seat: Seat) -> State:
        """The position with this seat on turn. Played in turn, the state also knows the last stone and the swap."""
        state: State = self.game.deal(0)
        for play in self._plays:
            if state.turn != play.seat or (isinstance(play.move, str) and play.move != "swap-pieces"):
                break
            action = play.move if isinstance(play.move, int) else self.game.swap
            if action is None or action not in state.legal():
                break
            state.apply(action)
        else:
            if state.turn in (seat, None):
                return state
        return self._plain.position(self.stones, seat)

    def legal(self) -> list[str]:
        """The legal plays; empty after a win."""
        if self.winner is not None:
            return []
        cells = [self._plain.action_name(cell) for cell, owner in enumerate(self.stones) if owner is None]
        state = self.state(self.next_seat)
        return [*cells, *([SWAP[0]] if self.game.swap is not None and self.game.swap in state.legal() else [])]

    def text(self) -> str:
        """The board as text, with black as the full stones."""
        return self._plain.text(self._plain.position(self.stones, 0).view(0))

    def _push(self, play: Play, board: list[Seat | None]) -> None:
        self._plays.append(play)
        self._boards.append(board)

    def _only_stone(self, seat: Seat) -> int:
        laid = [cell for cell, owner in enumerate(self.stones) if owner is not None]
        if len(laid) != 1 or self.stones[laid[0]] == seat:
            raise HtpError("a swap answers the first stone of the other colour, and only that")
        return laid[0]

    def _swapped(self, seat: Seat) -> list[Seat | None]:
        """The only stone, mirrored on the long diagonal, in the other colour."""
        row, column = divmod(self._only_stone(seat), self._plain.size)
        board: list[Seat | None] = [None] * len(self.stones)
        board[column * self._plain.size + row] = seat
        return board
