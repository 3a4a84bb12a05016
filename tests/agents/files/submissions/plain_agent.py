"""A plain agent, for any game."""


class LastLegal:
    def __init__(self, game, seat, seed):
        self.game = game

    def act(self, view, limit):
        return view.legal()[-1]
