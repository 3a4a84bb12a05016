"""Calls what older boards had."""
from player import Player


class Oldtimer(Player):
    def play(self, board):
        own = board.player_positions[self.player_id]
        assert len(board) == board.n == board.get_size()
        for row, col in sorted(own):
            for r, c in board.get_neighbors(row, col) + board._neighbors(row, col):
                if board.is_valid(r, c) and board.is_empty(r, c):
                    return r, c
        return next((r, c) for r, row in enumerate(board) for c, owner in enumerate(row) if board[r, c] == owner == 0)
