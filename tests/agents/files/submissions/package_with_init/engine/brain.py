import engine
from .rules import free


class Brain:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return free(board)[engine.DEPTH % 2]
