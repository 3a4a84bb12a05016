"""Takes whatever it is given."""


class Flexible:
    def __init__(self, *args, **kwargs):
        self.id = args[0]

    def play(self, *args, **kwargs):
        board = args[0]
        return board.get_possible_moves()[self.id]
