def first(board):
    return board.get_possible_moves()[0]
