"""Copies boards by copy and deepcopy, and asks who has won."""
import copy

from player import Player


class Copycat(Player):
    def play(self, board):
        for cell in board.get_legal_moves():
            trial = copy.deepcopy(board)
            assert trial.place_piece(*cell, self.player_id)
            if trial.check_win(self.player_id) or trial.get_winner():
                return cell
            trial = copy.copy(board)
            trial.board[cell[0]][cell[1]] = self.player_id
            assert board.board[cell[0]][cell[1]] == 0
        return board.get_legal_moves()[0]
