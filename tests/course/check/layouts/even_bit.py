"""even-r with numpy-like index arithmetic; looks for wins and threats first, else plays near the middle."""
import random

from HexBoard import HexBoard
from Player import Player

DELTAS = (((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1)), ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, -1)))


class IAPlayer(Player):
    def _touching(self, cell, size):
        r, c = cell
        return [(r + x, c + y) for x, y in DELTAS[r & 1] if 0 <= r + x < size and 0 <= c + y < size]

    def _wins(self, stones, player, size):
        todo = [cell for cell in stones if cell[player % 2] == 0]
        seen = set(todo)
        for cell in todo:
            if cell[player % 2] == size - 1:
                return True
            for other in self._touching(cell, size):
                if other in stones and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return False

    def play(self, board):
        moves = board.get_possible_moves()
        for who in (self.player_id, 3 - self.player_id):
            stones = {(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == who}
            for move in moves:
                if self._wins(stones | {move}, who, board.size):
                    return move
        m = board.size / 2
        return min(moves, key=lambda x: abs(x[0] - m) + abs(x[1] - m) + random.random())
