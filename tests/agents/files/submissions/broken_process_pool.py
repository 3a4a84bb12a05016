"""Evaluates its moves in several processes."""
from multiprocessing import Pool


def value(move):
    return -abs(move[0] - move[1])


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        moves = board.get_possible_moves()
        with Pool(2) as pool:
            values = pool.map(value, moves)
        return max(zip(values, moves))[1]
