"""odd-r by name, in a class attribute; A* from side to side, plays a cell of its own shortest way."""
from heapq import heappop, heappush


class AStarPlayer:
    OFFSETS = {
        "even": [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)],
        "odd": [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)],
    }

    def __init__(self, player_id):
        self.player_id = player_id

    def path(self, board, player):
        n = board.size
        heap = []
        for i in range(n):
            start = (i, 0) if player == 1 else (0, i)
            if board.board[start[0]][start[1]] in (0, player):
                heappush(heap, (int(board.board[start[0]][start[1]] == 0), start, [start]))
        seen = set()
        while heap:
            cost, cell, way = heappop(heap)
            if cell in seen:
                continue
            seen.add(cell)
            if cell[1 if player == 1 else 0] == n - 1:
                return cost, way
            for dr, dc in self.OFFSETS["even" if cell[0] % 2 == 0 else "odd"]:
                r, c = cell[0] + dr, cell[1] + dc
                if 0 <= r < n and 0 <= c < n and board.board[r][c] in (0, player):
                    heappush(heap, (cost + (board.board[r][c] == 0), (r, c), [*way, (r, c)]))
        return 999, []

    def play(self, board, tiempo):
        mine, way = self.path(board, self.player_id)
        theirs, other = self.path(board, 3 - self.player_id)
        chosen = way if mine <= theirs else other
        free = [cell for cell in chosen if board.board[cell[0]][cell[1]] == 0]
        return free[len(free) // 2] if free else board.get_possible_moves()[0]
