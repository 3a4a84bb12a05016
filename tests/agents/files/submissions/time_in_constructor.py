"""The time is told when the player is built, with other arguments that have defaults."""
import time


class JugadorHex:
    def __init__(self, player_id, tiempo_maximo, profundidad=2, verbose=False):
        self.player_id = player_id
        self.tiempo = tiempo_maximo
        self.profundidad = profundidad

    def play(self, board):
        fin = time.time() + min(self.tiempo, 0.01)
        mejor = None
        for jugada in board.get_possible_moves():
            mejor = jugada
            if time.time() > fin:
                break
        return mejor
