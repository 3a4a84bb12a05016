"""Emily: greedy. Extends her chain by a bridge towards the nearer edge, else takes what is near the middle."""

from player import Player


class Greedy(Player):
    def play(self, board):
        free = board.get_possible_moves()
        axis = 1 if self.player_id == 1 else 0
        middle = board.size // 2
        own = [(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == self.player_id]
        if not own:
            return min(free, key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
        lowest = min(cell[axis] for cell in own)
        highest = max(cell[axis] for cell in own)

        def score(cell):
            touches = sum(neighbour in own for neighbour in board.get_neighbors(*cell))
            gain = max(lowest - cell[axis], cell[axis] - highest, 0)
            return 3 * min(gain, 2) + touches - 0.5 * abs(cell[1 - axis] - middle)

        return max(free, key=score)
