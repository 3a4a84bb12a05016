"""Takes memory until there is no more, or it has four gigabytes; it writes to none of it."""


class Bomb:
    def __init__(self, me):
        self.held = []

    def play(self, board):
        for _ in range(256):
            self.held.append(bytearray(1 << 24))
        raise RuntimeError("ESCAPED: it has four gigabytes")
