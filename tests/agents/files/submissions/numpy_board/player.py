"""Plays itself as Player, on a board of numbers of its own."""
from hex_board import HexBoard


class Player:
    def __init__(self, player_id, depth=3):
        self.player_id = player_id

    def play(self, board: HexBoard) -> tuple:
        assert board.stones(1) + board.stones(2) + len(board.get_possible_moves()) == board.size**2
        after = board.clone()
        move = board.get_possible_moves()[0]
        assert after.place_piece(*move, self.player_id) and after.stones(self.player_id) == board.stones(self.player_id) + 1
        return move
