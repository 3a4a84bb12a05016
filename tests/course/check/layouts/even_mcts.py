"""even-r by a numpy-free board of its own; Monte Carlo that takes all of its 4.5 seconds whatever it is given."""
import math
import random
import time
from collections import deque


class Nodo:
    def __init__(self, parent=None, move=None, turn=1):
        self.parent, self.move, self.turn = parent, move, turn
        self.children, self.visits, self.wins = [], 0, 0.0


class MCTSPlayer:
    TIME = 4.5

    def __init__(self, player_id: int):
        self.player_id = player_id

    @staticmethod
    def neighbors(row, col, n):
        # even-r: even rows are shifted to the right
        shift = 1 if row % 2 == 0 else 0
        for r, c in ((row, col - 1), (row, col + 1), (row - 1, col - 1 + shift), (row - 1, col + shift),
                     (row + 1, col - 1 + shift), (row + 1, col + shift)):
            if 0 <= r < n and 0 <= c < n:
                yield r, c

    def connected(self, grid, who):
        n = len(grid)
        queue = deque((i, 0) if who == 1 else (0, i) for i in range(n))
        queue = deque(cell for cell in queue if grid[cell[0]][cell[1]] == who)
        seen = set(queue)
        while queue:
            r, c = queue.popleft()
            if (c if who == 1 else r) == n - 1:
                return True
            for cell in self.neighbors(r, c, n):
                if cell not in seen and grid[cell[0]][cell[1]] == who:
                    seen.add(cell)
                    queue.append(cell)
        return False

    def play(self, board):
        end = time.time() + self.TIME
        root = Nodo(turn=self.player_id)
        while time.time() < end:
            grid = [row[:] for row in board.board]
            node = root
            while node.children and len(node.children) == sum(row.count(0) for row in grid):
                node = max(node.children, key=lambda k: k.wins / k.visits + 1.4 * math.sqrt(math.log(node.visits) / k.visits))
                grid[node.move[0]][node.move[1]] = 3 - node.turn
            free = [(r, c) for r in range(board.size) for c in range(board.size) if grid[r][c] == 0]
            tried = {k.move for k in node.children}
            new = [m for m in free if m not in tried]
            if new:
                move = random.choice(new)
                grid[move[0]][move[1]] = node.turn
                child = Nodo(node, move, 3 - node.turn)
                node.children.append(child)
                node = child
                free.remove(move)
            random.shuffle(free)
            turn = node.turn
            for r, c in free:
                grid[r][c] = turn
                turn = 3 - turn
            winner = 1 if self.connected(grid, 1) else 2
            while node:
                node.visits += 1
                node.wins += winner == 3 - node.turn
                node = node.parent
        return max(root.children, key=lambda k: k.visits).move
