class HexBoard:
    def __init__(self, size):
        self.size = size
        self.board = [[0] * size for _ in range(size)]

    def corner(self):
        return 0, 0
