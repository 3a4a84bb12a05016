"""A plain agent that shows its thoughts and leaves out what it does not need."""
from ludoteca import Decision


class Thoughtful:
    def __init__(self, game):
        self.game = game

    def think(self, view, limit):
        for action in view.legal()[:3]:
            yield Decision(action, note="so far")
