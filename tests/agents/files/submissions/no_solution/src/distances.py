def nearest(board):
    middle = board.size // 2
    return min(board.get_possible_moves(), key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
