from .common import Player


class Attack(Player):
    def play(self, board):
        return board.get_possible_moves()[0]
