"""even-r, two tables at the top; takes the move that shortens its own way most (Dijkstra)."""
import heapq

from board import HexBoard
from player import Player

EVEN_ROW = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1)]
ODD_ROW = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0)]


class SmartPlayer(Player):
    def distance(self, grid, player):
        n = len(grid)
        best = {}
        heap = []
        for i in range(n):
            cell = (i, 0) if player == 1 else (0, i)
            if grid[cell[0]][cell[1]] != 3 - player:
                heapq.heappush(heap, (0 if grid[cell[0]][cell[1]] == player else 1, cell))
        while heap:
            d, (r, c) = heapq.heappop(heap)
            if (r, c) in best:
                continue
            best[r, c] = d
            if (c if player == 1 else r) == n - 1:
                return d
            for dr, dc in EVEN_ROW if r % 2 == 0 else ODD_ROW:
                a, b = r + dr, c + dc
                if 0 <= a < n and 0 <= b < n and grid[a][b] != 3 - player and (a, b) not in best:
                    heapq.heappush(heap, (d + (grid[a][b] == 0), (a, b)))
        return 99

    def play(self, board: HexBoard) -> tuple:
        best, chosen = None, None
        for r, c in board.get_possible_moves():
            grid = [row[:] for row in board.board]
            grid[r][c] = self.player_id
            value = self.distance(grid, 3 - self.player_id) - self.distance(grid, self.player_id)
            if best is None or value > best:
                best, chosen = value, (r, c)
        return chosen
