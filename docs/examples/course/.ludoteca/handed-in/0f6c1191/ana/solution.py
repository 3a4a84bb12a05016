"""Ana: takes the free cell nearest to the middle of the board."""

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        middle = (board.size - 1) / 2
        return min(board.get_possible_moves(), key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
