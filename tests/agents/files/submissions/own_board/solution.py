"""Uses what only its own copy of the board has."""
from board import EMPTY, HexBoard


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        assert isinstance(board, HexBoard)
        assert board.stones_of(1) >= board.stones_of(2)
        assert isinstance(board.history, list)
        return next((r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == EMPTY)
