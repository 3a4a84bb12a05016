"""Imports the course's classes by other names than the course gave them."""
from main import HexBoard, Player


class Mine(Player):
    def play(self, board):
        for cell in board.get_possible_moves():
            after = board.copy()
            after.place_piece(*cell, self.player_id)
            if after.check_connection(self.player_id):
                return cell
        return board.get_possible_moves()[len(board.get_possible_moves()) // 2]
