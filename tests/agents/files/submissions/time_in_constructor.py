"""The player gets its time when it is built, beside other arguments with defaults."""
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
