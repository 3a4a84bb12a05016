# -*- coding: utf-8 -*-
"""Luis Peña. Jugador voraz: mira una jugada adelante y se queda con la mejor distancia."""
from collections import deque

from player import Player


class JugadorPeña(Player):
    """El mejor año: acorta mi camino más de lo que acorta el del rival."""

    def play(self, board):
        mejor, mejor_valor = None, None
        for fila, columna in board.get_possible_moves():
            copia = board.clone()
            copia.place_piece(fila, columna, self.player_id)
            if copia.check_connection(self.player_id):
                return fila, columna
            valor = self.distancia(copia, 3 - self.player_id) - self.distancia(copia, self.player_id)
            # En caso de empate, lo más cerca posible del centro.
            cerca = -abs(fila - board.size // 2) - abs(columna - board.size // 2)
            if mejor_valor is None or (valor, cerca) > mejor_valor:
                mejor, mejor_valor = (fila, columna), (valor, cerca)
        return mejor

    def distancia(self, board, jugador):
        """Búsqueda 0-1 en anchura: ¿cuántas fichas faltan?"""
        n, tablero = board.size, board.board
        coste = {}
        cola = deque()
        for i in range(n):
            f, c = (i, 0) if jugador == 1 else (0, i)
            if tablero[f][c] in (0, jugador):
                coste[f, c] = 0 if tablero[f][c] == jugador else 1
                (cola.appendleft if coste[f, c] == 0 else cola.append)((f, c))
        while cola:
            f, c = cola.popleft()
            if (c if jugador == 1 else f) == n - 1:
                return coste[f, c]
            for v in board.get_neighbors(f, c):
                if tablero[v[0]][v[1]] not in (0, jugador):
                    continue
                paso = 0 if tablero[v[0]][v[1]] == jugador else 1
                if coste[f, c] + paso < coste.get(v, 999):
                    coste[v] = coste[f, c] + paso
                    (cola.appendleft if paso == 0 else cola.append)(v)
        return 99
