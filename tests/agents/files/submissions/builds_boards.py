"""Rebuilds the position on boards of its own."""
from board import HexBoard


class Rebuilder:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for cell in board.get_possible_moves():
            mine = HexBoard(board.size)
            mine.board = [row[:] for row in board.board]
            assert mine.layout == board.layout
            mine.place_piece(*cell, self.player_id)
            if mine.check_connection(self.player_id):
                return cell
        return board.get_possible_moves()[0]
