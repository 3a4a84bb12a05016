"""Returns something whose text is huge."""


class Talks:
    def __init__(self, me):
        pass

    def play(self, board):
        return ["x" * 1000] * 10_000
