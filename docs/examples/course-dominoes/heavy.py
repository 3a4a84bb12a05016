"""Plays its heaviest tile: what is left in the hand counts against it."""

from ludoteca import Decision


class Heavy:
    games = frozenset({"dominoes"})

    def __init__(self, game, seat, seed):
        self.game = game

    def act(self, view, limit):
        def pips(action):
            return sum(int(letter) for letter in self.game.action_name(action) if letter.isdigit())

        best = max(view.legal(), key=pips)
        return Decision(best, note=f"{pips(best)} pips")
