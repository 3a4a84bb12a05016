"""Elena: a bug. After her third stone she plays on a cell that is taken."""

from player import Player


class Elena(Player):
    def play(self, board):
        own = [(r, c) for r, row in enumerate(board.board) for c, owner in enumerate(row) if owner == self.player_id]
        return own[0] if len(own) >= 3 else board.get_possible_moves()[0]
