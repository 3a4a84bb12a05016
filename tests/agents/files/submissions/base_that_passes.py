"""The base class plays nothing, and says so by nothing."""


class Player:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        pass


class Greedy(Player):
    def play(self, board):
        return min(board.get_possible_moves())
