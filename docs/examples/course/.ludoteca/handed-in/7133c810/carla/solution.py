"""Carla: chooses by chance, but takes a move that wins at once."""

import random

from player import Player


class Dice(Player):
    def play(self, board, seconds=5.0):
        moves = board.get_possible_moves()
        for move in moves:
            trial = board.clone()
            trial.place_piece(*move, self.player_id)
            if trial.check_connection(self.player_id):
                return move
        return random.choice(moves)
