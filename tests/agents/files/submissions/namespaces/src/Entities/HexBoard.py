class HexBoard:
    def __init__(self, size):
        self.size = size
        self.board = [[0] * size for _ in range(size)]

    def corners(self):
        return [(0, 0), (0, self.size - 1), (self.size - 1, 0), (self.size - 1, self.size - 1)]
