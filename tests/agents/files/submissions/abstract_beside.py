"""The base class says by an exception that it is none to play with."""


class Player:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise NotImplementedError("implement me")


class Bridge(Player):
    def play(self, board):
        return board.get_valid_moves()[0]
