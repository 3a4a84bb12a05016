"""Needs a package and a module beside it, one of them only while it plays."""
from search.score import score


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        import later

        return max(board.get_possible_moves(), key=lambda cell: later.BONUS + score(board, cell))
