"""Maria: alpha-beta, as deep as the time allows, on the few moves that matter."""

import time

from evaluation import connection_cost, evaluate
from player import Player

WIN = 10_000


class OutOfTime(Exception):
    pass


class AlphaBetaPlayer(Player):
    def play(self, board, seconds=1.0):
        self.stop_at = time.perf_counter() + 0.4 * seconds
        moves = self.candidates(board)
        best = moves[0]
        try:
            for depth in range(1, 5):
                best, value = self.root(board, moves, depth)
                moves.sort(key=lambda move: move != best)  # the best move first in the next round
                if abs(value) >= WIN:
                    break
        except OutOfTime:
            pass
        return best

    def root(self, board, moves, depth):
        best, alpha = moves[0], -2 * WIN
        for move in moves:
            after = board.clone()
            after.place_piece(*move, self.player_id)
            value = -self.search(after, 3 - self.player_id, depth - 1, -2 * WIN, -alpha)
            if value > alpha:
                best, alpha = move, value
        return best, alpha

    def search(self, board, player, depth, alpha, beta):
        if time.perf_counter() > self.stop_at:
            raise OutOfTime
        if board.check_connection(3 - player):
            return -WIN - depth
        if depth == 0:
            return evaluate(board, player)
        for move in self.candidates(board):
            after = board.clone()
            after.place_piece(*move, player)
            alpha = max(alpha, -self.search(after, 3 - player, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def candidates(self, board, most=8):
        """The free cells that lie on the cheapest connections of both players."""
        free = board.get_possible_moves()
        middle = board.size // 2
        costs = [connection_cost(board, player) for player in (1, 2)]

        def order(cell):
            through = sum(cost.get(cell, 99) for cost in costs)
            return through, abs(cell[0] - middle) + abs(cell[1] - middle)

        return sorted(free, key=order)[:most]
