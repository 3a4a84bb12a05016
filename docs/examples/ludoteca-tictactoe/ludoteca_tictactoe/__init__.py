"""Tic-tac-toe: three in a row. The rules are in C++; this is what a person meets."""

from __future__ import annotations

from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction
from ludoteca.games.core_game import CoreGame
from ludoteca.messages import say
from ludoteca.protocols import Action, View
from ludoteca_tictactoe._tictactoe import TicTacToeRules

__all__ = ["TicTacToe"]

MARKS = {None: "·", 0: "X", 1: "O"}


class TicTacToe(CoreGame, TicTacToeRules):
    """The rules of tic-tac-toe, which has no options."""

    name = "tictactoe"
    title = say("Tic-tac-toe")
    tensor_range = (0.0, 1.0)
    zero_sum = True

    def __init__(self) -> None:
        super().__init__()
        self._remember()

    def action_name(self, action: Action) -> str:
        """``a1`` to ``c3``: the letter is the column, the number the row from the top."""
        self._check_range(action)
        return f"{'abc'[action % 3]}{action // 3 + 1}"

    def parse_action(self, text: str) -> Action:
        """The cell that `text` names. Raises InvalidAction."""
        names = [self.action_name(action) for action in range(9)]
        if (word := text.strip().lower()) not in names:
            raise InvalidAction("{text!r} is not a cell of tictactoe: cells are a1 to c3", text=text)
        return names.index(word)

    def text(self, view: View, *, language: Language = "en") -> str:
        """Three rows of marks."""
        marks = [MARKS[owner] for owner in view.owners]  # type: ignore[attr-defined]
        return "\n".join(" ".join(marks[row : row + 3]) for row in (0, 3, 6))
