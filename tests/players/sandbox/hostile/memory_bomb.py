"""Takes memory until there is no more."""


class Bomb:
    def __init__(self, me):
        self.held = []

    def play(self, board):
        while True:
            self.held.append(bytearray(1 << 24))
