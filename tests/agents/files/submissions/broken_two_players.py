"""Two players, and nothing says which."""
from player import Player


class Attack(Player):
    def play(self, board):
        return board.get_possible_moves()[0]


class Defence(Player):
    def play(self, board):
        return board.get_possible_moves()[-1]
