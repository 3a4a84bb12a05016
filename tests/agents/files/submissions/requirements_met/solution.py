"""Uses a package that is there."""
import numpy as np


class SmartPlayer:
    def __init__(self, player_id: int):
        self.player_id = player_id

    def play(self, board):
        return np.argwhere(np.array(board.board) == 0)[0]
