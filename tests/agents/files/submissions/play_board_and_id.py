"""The player gets its id with every move, and nothing when it is built."""


class Bot:
    def play(self, board, player_id):
        assert player_id in (1, 2)
        return board.get_possible_moves()[0]
