from abc import ABC, abstractmethod


class Player(ABC):
    def __init__(self, player_id):
        self.player_id = player_id

    @abstractmethod
    def play(self, board):
        """Where to play."""


class SearchPlayer(Player):
    def play(self, board):
        return self.choose(board)


class RandomPlayer(Player):
    def play(self, board):
        return board.get_possible_moves()[0]
