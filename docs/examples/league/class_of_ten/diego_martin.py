"""Diego Martín: un agente sin el tablero del curso. Sirve para cualquier juego de Ludoteca."""

import random

from ludoteca import Decision


class Muestras:
    """Juega partidas al azar desde lo que ve, y se queda con la acción que mejor sale."""

    def __init__(self, game, seat, seed):
        self.seat, self.rng = seat, random.Random(seed)

    def act(self, view, limit):
        actions = view.legal()
        totals = dict.fromkeys(actions, 0.0)
        for action in actions:
            for _ in range(3):
                state = view.sample(self.rng.getrandbits(32))
                state.apply(action)
                while state.turn is not None:
                    state.apply(self.rng.choice(state.legal()))
                totals[action] += state.returns()[self.seat]
        best = max(actions, key=totals.get)
        return Decision(best, value=totals[best] / 3, note=f"{3 * len(actions)} partidas")
