"""Remembers the board from move to move to see what the other one did."""
from player import Player


class Memory(Player):
    def __init__(self, player_id):
        super().__init__(player_id)
        self.last = None

    def play(self, board):
        if self.last is not None:
            changed = [c for c in self.last if c not in board.get_possible_moves()]
            assert len(changed) == 2, "my stone and the other's"
        self.last = board.get_possible_moves()
        return self.last[0]
