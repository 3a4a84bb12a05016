def free(board):
    return board.get_possible_moves()
