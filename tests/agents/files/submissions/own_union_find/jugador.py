"""Counts the groups of its own board; a board whose stones were put there otherwise has none."""
from tablero_rapido import TableroRapido


class JugadorIA:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board: "TableroRapido") -> tuple:
        stones = sum(bool(cell) for row in board.board for cell in row)
        assert board.turns == stones == len(board.parent)

        def groups_after(move):
            after = board.clone()
            after.place_piece(*move, self.player_id)
            assert after.turns == board.turns + 1
            return len(after.groups(self.player_id))

        return min(board.get_possible_moves(), key=groups_after)
