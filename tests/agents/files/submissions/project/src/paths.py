from src.player import Player


def shortest(board, player_id):
    assert Player
    row = board.size // 2
    cells = [(row, c) if player_id == 1 else (c, row) for c in range(board.size)]
    return [cell for cell in cells if board[cell] == 0]
