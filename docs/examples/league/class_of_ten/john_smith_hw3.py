"""CS 340, homework 3 (John Smith). Flat Monte Carlo: random playouts from every move until time is up."""

import random
import time

from board import HexBoard
from player import Player


class MonteCarloPlayer(Player):
    def play(self, board: HexBoard, seconds: float = 1.0) -> tuple:
        deadline = time.perf_counter() + 0.4 * seconds
        moves = board.get_possible_moves()
        wins = {move: 1 for move in moves}
        tries = {move: 2 for move in moves}
        while time.perf_counter() < deadline:
            # Successive attention: half of the time goes to the move that looks best.
            move = max(moves, key=lambda m: wins[m] / tries[m]) if random.random() < 0.5 else random.choice(moves)
            tries[move] += 1
            wins[move] += self.playout(board.clone(), move)
        return max(moves, key=lambda m: wins[m] / tries[m])

    def playout(self, board, move):
        """Fills the board at random: in Hex exactly one player is connected then."""
        board.place_piece(*move, self.player_id)
        rest = board.get_possible_moves()
        random.shuffle(rest)
        player = 3 - self.player_id
        for cell in rest:
            board.place_piece(*cell, player)
            player = 3 - player
        return int(board.check_connection(self.player_id))
