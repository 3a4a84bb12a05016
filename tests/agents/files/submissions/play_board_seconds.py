"""play(board, seconds): the time comes after the board."""
import random

from player import Player


class MyPlayer(Player):
    def play(self, board, seconds):
        assert 0 < seconds < 60
        return random.choice(board.get_possible_moves())
