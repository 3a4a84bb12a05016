"""Ken: mirrors the opponent's last stone, and has a bug that shows only in some matches."""

from player import Player


class Mirror(Player):
    def __init__(self, player_id):
        super().__init__(player_id)
        self.seen = set()

    def play(self, board):
        size, free = board.size, board.get_possible_moves()
        stones = {(r, c) for r in range(size) for c in range(size) if board.board[r][c] == 3 - self.player_id}
        fresh = sorted(stones - self.seen)
        self.seen = stones
        if not fresh:
            return size // 2, size // 2
        row, column = fresh[-1]
        mirrored = (column, row)
        if row == column == size - 1:
            mirrored = free[row * size]  # wrong: there are never so many free cells left
        return mirrored if mirrored in free else free[len(free) // 2]
