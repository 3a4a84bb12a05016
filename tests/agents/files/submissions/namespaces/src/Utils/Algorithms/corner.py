from ..late import shown
from src.Entities.HexBoard import HexBoard


def best(board):
    assert shown and isinstance(board, HexBoard)
    free = board.get_possible_moves()
    return next((cell for cell in board.corners() if cell in free), free[0])
