"""odd-r written out in a method; alpha-beta of depth 2 with a union-find, without a look for wins in one."""
import time


class DSU:
    def __init__(self):
        self.p = {}

    def find(self, x):
        self.p.setdefault(x, x)
        while self.p[x] != x:
            x = self.p[x]
        return x

    def union(self, a, b):
        self.p[self.find(a)] = self.find(b)


class MinimaxPlayer:
    def __init__(self, player_id):
        self.player_id = player_id
        self.opponent = 3 - player_id

    def vecinos(self, f, c, n):
        if f % 2 == 0:
            posibles = [(f, c - 1), (f, c + 1), (f - 1, c - 1), (f - 1, c), (f + 1, c - 1), (f + 1, c)]
        else:
            posibles = [(f, c - 1), (f, c + 1), (f - 1, c), (f - 1, c + 1), (f + 1, c), (f + 1, c + 1)]
        return [(x, y) for x, y in posibles if 0 <= x < n and 0 <= y < n]

    def gano(self, grid, jugador):
        n = len(grid)
        d = DSU()
        for f in range(n):
            for c in range(n):
                if grid[f][c] == jugador:
                    if jugador == 1 and c == 0 or jugador == 2 and f == 0:
                        d.union("A", (f, c))
                    if jugador == 1 and c == n - 1 or jugador == 2 and f == n - 1:
                        d.union("B", (f, c))
                    for v in self.vecinos(f, c, n):
                        if grid[v[0]][v[1]] == jugador:
                            d.union((f, c), v)
        return d.find("A") == d.find("B")

    def evaluar(self, grid):
        if self.gano(grid, self.player_id):
            return 1000
        if self.gano(grid, self.opponent):
            return -1000
        n = len(grid)
        total = 0
        for f in range(n):
            for c in range(n):
                if grid[f][c] == self.player_id:
                    total += sum(grid[x][y] == self.player_id for x, y in self.vecinos(f, c, n))
                elif grid[f][c] == self.opponent:
                    total -= sum(grid[x][y] == self.opponent for x, y in self.vecinos(f, c, n))
        return total

    def minimax(self, grid, depth, alpha, beta, mine):
        libres = [(f, c) for f in range(len(grid)) for c in range(len(grid)) if grid[f][c] == 0]
        if depth == 0 or not libres or time.time() > self.fin:
            return self.evaluar(grid), None
        mejor = None
        for f, c in libres:
            grid[f][c] = self.player_id if mine else self.opponent
            v, _ = self.minimax(grid, depth - 1, alpha, beta, not mine)
            grid[f][c] = 0
            if mine and v > alpha:
                alpha, mejor = v, (f, c)
            elif not mine and v < beta:
                beta, mejor = v, (f, c)
            if alpha >= beta:
                break
        return (alpha if mine else beta), mejor

    def play(self, board, time_limit=4.5):
        self.fin = time.time() + time_limit * 0.9
        _, move = self.minimax([r[:] for r in board.board], 2, -10**9, 10**9, True)
        return move or board.get_possible_moves()[0]
