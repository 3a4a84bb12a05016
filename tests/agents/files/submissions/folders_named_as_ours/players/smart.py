"""Its folders are called as the course's modules, and have no __init__.py."""
import game.rules as rules
from hex.board import HexBoard
from players.base import Player


class Smart(Player):
    def play(self, board: HexBoard):
        assert board.corner() == (0, 0) and rules.FIRST == 0
        return board.get_possible_moves()[rules.FIRST]
