from src.ai.base import SearchPlayer

from ..distances import nearest


class MyAI(SearchPlayer):
    def choose(self, board):
        return nearest(board)
