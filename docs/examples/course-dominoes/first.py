"""Plays the first tile that fits."""


class First:
    def __init__(self, game, seat, seed):
        pass

    def act(self, view, limit):
        return view.legal()[0]
