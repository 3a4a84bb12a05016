"""Entrega de Ana: A* en los dos sentidos y una casilla que sirva para ganar y para estorbar."""

from busqueda import camino, distancia
from player import Player


class SmartPlayer(Player):
    def __init__(self, player_id: int):
        super().__init__(player_id)
        self.rival = 3 - player_id

    def play(self, board):
        libres = board.get_possible_moves()
        centro = board.size // 2
        if (centro, centro) in libres:
            return centro, centro
        mio = camino(board, self.player_id)
        suyo = camino(board, self.rival)
        # Una casilla de los dos caminos vale doble: me acerca y lo aleja.
        candidatas = [casilla for casilla in mio if casilla in suyo and casilla in libres]
        candidatas = candidatas or [casilla for casilla in mio + suyo if casilla in libres] or libres

        def valor(casilla):
            despues = board.clone()
            despues.place_piece(*casilla, self.player_id)
            return distancia(despues, self.rival) - distancia(despues, self.player_id)

        return max(candidatas, key=valor)
