"""odd-r through a helper function; iterative deepening that needs four seconds for every move."""
import time


def adj(r, c):
    if r % 2:
        return [(r - 1, c), (r - 1, c + 1), (r, c - 1), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
    return [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c - 1), (r + 1, c)]


def steps(grid, who):
    n = len(grid)
    inf = 1000
    dist = {}
    front = []
    for i in range(n):
        cell = (i, 0) if who == 1 else (0, i)
        if grid[cell[0]][cell[1]] != 3 - who:
            dist[cell] = 0 if grid[cell[0]][cell[1]] == who else 1
            front.append(cell)
    while front:
        front.sort(key=lambda x: dist[x], reverse=True)
        r, c = front.pop()
        for x, y in adj(r, c):
            if 0 <= x < n and 0 <= y < n and grid[x][y] != 3 - who:
                d = dist[r, c] + (grid[x][y] != who)
                if d < dist.get((x, y), inf):
                    dist[x, y] = d
                    front.append((x, y))
    ends = [dist.get((i, n - 1) if who == 1 else (n - 1, i), inf) for i in range(n)]
    return min(ends)


class Jugador:
    def __init__(self, player_id):
        self.id = player_id

    def play(self, board):
        start = time.time()
        grid = [row[:] for row in board.board]
        scored = []
        for r, c in board.get_possible_moves():
            grid[r][c] = self.id
            scored.append((steps(grid, 3 - self.id) - 1.1 * steps(grid, self.id), (r, c)))
            grid[r][c] = 0
        while time.time() - start < 4.0:
            pass
        return max(scored)[1]
