"""Diego: a single file; plays along the middle row or column."""

from player import Player


class Diego(Player):
    def play(self, board):
        middle = board.size // 2
        along = 0 if self.player_id == 1 else 1
        return min(board.get_possible_moves(), key=lambda cell: (abs(cell[along] - middle), cell))
