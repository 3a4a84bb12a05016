class Player:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise NotImplementedError
