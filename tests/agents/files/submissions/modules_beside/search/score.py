def score(board, cell):
    return -sum(abs(each - board.size // 2) for each in cell)
