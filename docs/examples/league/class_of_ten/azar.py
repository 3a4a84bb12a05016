"""Carlos Ruiz. Primera versión: al azar, pero si puedo ganar ya, gano."""

import random

from player import Player


class JugadorAlAzar(Player):
    def play(self, board):
        jugadas = board.get_possible_moves()
        for jugada in jugadas:
            copia = board.clone()
            copia.place_piece(*jugada, self.player_id)
            if copia.check_connection(self.player_id):
                return jugada
        return random.choice(jugadas)
