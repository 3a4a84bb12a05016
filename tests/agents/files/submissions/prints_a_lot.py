"""Talks while it thinks."""
from player import Player


class Chatterbox(Player):
    def play(self, board):
        for cell in board.get_possible_moves():
            print("thinking about", cell)
        board.print_board()
        return cell
