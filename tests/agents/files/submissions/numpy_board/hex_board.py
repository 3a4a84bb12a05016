import numpy as np


class HexBoard:
    def __init__(self, size):
        self.size = size
        self.board = np.zeros((size, size), dtype=int)

    def clone(self):
        other = HexBoard(self.size)
        other.board = self.board.copy()
        return other

    def place_piece(self, row, col, player_id):
        if self.board[row, col] != 0:
            return False
        self.board[row, col] = player_id
        return True

    def get_possible_moves(self):
        return list(zip(*np.where(self.board == 0)))

    def stones(self, player_id):
        return int((self.board == player_id).sum())
