"""Forgets to return anything when it finds nothing good."""
from player import Player


class MyPlayer(Player):
    def play(self, board):
        for cell in board.get_possible_moves():
            if sum(cell) > 100:
                return cell
