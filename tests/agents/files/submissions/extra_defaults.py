"""play with arguments of its own, all with defaults."""
from player import Player


class AlphaBeta(Player):
    def __init__(self, player_id, depth=1, heuristic="distance", *, table=None):
        super().__init__(player_id)
        self.depth, self.heuristic, self.table = depth, heuristic, table or {}

    def play(self, board, depth=None, alpha=float("-inf"), beta=float("inf")):
        depth = depth or self.depth
        return board.get_possible_moves()[len(self.table) * depth]
