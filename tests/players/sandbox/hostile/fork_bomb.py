"""A fork bomb, which ends after two hundred processes where nothing else ends it."""

from attempts import fork


class Bomb:
    def __init__(self, me):
        pass

    def play(self, board):
        for _ in range(200):
            fork()
        raise RuntimeError("ESCAPED: it started two hundred processes")
