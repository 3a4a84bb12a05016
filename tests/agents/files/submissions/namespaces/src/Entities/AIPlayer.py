from src.Entities.Player import Player
from src.Utils.Algorithms.corner import best


class AIPlayer(Player):
    def play(self, board):
        from src.Utils.late import shown

        assert shown
        return best(board)
