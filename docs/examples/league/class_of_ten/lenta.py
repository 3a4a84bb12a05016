"""Sofía López. Simula hasta agotar casi todo su tiempo, en cada jugada, aunque no haga falta."""

import random
import time

from player import Player


class JugadoraLenta(Player):
    def play(self, board, seconds=1.0):
        fin = time.perf_counter() + 0.7 * seconds
        jugadas = board.get_possible_moves()
        puntos = dict.fromkeys(jugadas, 0)
        while time.perf_counter() < fin:
            jugada = random.choice(jugadas)
            copia = board.clone()
            copia.place_piece(*jugada, self.player_id)
            resto = copia.get_possible_moves()
            random.shuffle(resto)
            for i, casilla in enumerate(resto):
                copia.place_piece(*casilla, self.player_id if i % 2 else 3 - self.player_id)
            puntos[jugada] += 1 if copia.check_connection(self.player_id) else -1
        return max(puntos, key=puntos.get)
