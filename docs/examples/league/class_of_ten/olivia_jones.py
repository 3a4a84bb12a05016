"""Olivia: a row through the middle. She forgot that a cell may be taken, and never lost a stone when she tried it."""

from player import Player


class MiddleRow(Player):
    def __init__(self, player_id):
        super().__init__(player_id)
        self.turn = -1

    def play(self, board):
        self.turn += 1
        step = self.turn % board.size
        return (board.size // 2, step) if self.player_id == 1 else (step, board.size // 2)
