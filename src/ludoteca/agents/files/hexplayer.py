"""The agent around a course's Hex player: translates views into boards and pairs into actions."""

from __future__ import annotations

import contextlib
import inspect
import operator
from pathlib import Path
from typing import Any

from ludoteca._core import HexView
from ludoteca.agents.files.calling import announced_time, call
from ludoteca.agents.files.modules import Modules
from ludoteca.agents.hex.course import HexBoard
from ludoteca.agents.tracebacks import shown
from ludoteca.errors import IllegalAnswer, InvalidAgent
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Decision, Limit, Seat, View


class HexPlayer:
    """A student's player in a seat of one match. The first question builds it, with the time that it then has.

    Raises InvalidAgent for a board that cannot be turned.
    """

    def __init__(self, player: type[Any], modules: Modules, game: Hex, seat: Seat) -> None:
        if game.orientation == "standard" and game.layout != "axial":
            raise InvalidAgent(
                "{player} connects left and right as player 1, and a board with layout={layout} cannot be turned "
                "for it: play {game} with orientation=left-right",
                player=player.__name__,
                layout=game.layout,
                game=game.spec,
            )
        self._class, self._modules, self._game, self._seat = player, modules, game, seat
        self._turned = game.orientation == "standard"  # the course's player 1 always connects left and right
        self._player: Any = None

    def act(self, view: View, limit: Limit) -> Decision:
        """Where the player plays. Raises IllegalAnswer for a taken cell and for whatever is no cell."""
        seconds = announced_time(limit.seconds)
        offered = {
            "player": self._seat + 1, "opponent": 2 - self._seat, "size": self._game.size, "time": seconds,
        }  # fmt: skip
        with self._modules.importable():
            self._modules.board.default_layout = self._game.layout
            board = self._board(expect(view, HexView))
            if self._player is None:
                self._player = call(self._class, "player", offered)
                if not hasattr(self._player, "player_id"):
                    with contextlib.suppress(AttributeError):
                        self._player.player_id = self._seat + 1
            answer = call(self._player.play, "board", offered | {"board": board})
        row, column = self._cell(answer)
        action = column * self._game.size + row if self._turned else row * self._game.size + column
        if action not in view.legal():
            raise IllegalAnswer(
                "{play} returned {answer}, but that cell is taken: board.get_possible_moves() has the free ones",
                play=self._where(),
                answer=shown(answer),
            )
        return Decision(action)

    def _board(self, view: HexView) -> HexBoard:
        size = self._game.size
        board = self._modules.board(size)
        stones = {}
        for cell, owner in enumerate(view.stones):
            if owner is not None:
                row, column = divmod(cell, size)
                stones[(column, row) if self._turned else (row, column)] = owner + 1
        for (row, column), player in stones.items():
            board.place_piece(row, column, player)
        for row in range(size):
            for column in range(size):  # a board of the submission's own may refuse a stone, as after a win
                if board.board[row][column] != stones.get((row, column), 0):
                    board.board[row][column] = stones.get((row, column), 0)
        return board

    def _cell(self, answer: Any) -> tuple[int, int]:
        last = self._game.size - 1
        try:
            row, column = (operator.index(each) for each in answer)  # NumPy's integers are welcome
        except (TypeError, ValueError):
            row = column = -1
        if not (0 <= row <= last and 0 <= column <= last):
            raise IllegalAnswer(
                "{play} returned {answer}, which is no cell: it must be (row, col), both from 0 to {last}",
                play=self._where(),
                answer=shown(answer),
                last=last,
            )
        return row, column

    def _where(self) -> str:
        """What its author calls it, and where it stands: their file and line, not ours."""
        name = f"{self._class.__name__}.play"
        play = inspect.unwrap(self._class.play)
        code = getattr(play, "__code__", None)
        return name if code is None else f"{name} ({Path(code.co_filename).name}, line {code.co_firstlineno})"
