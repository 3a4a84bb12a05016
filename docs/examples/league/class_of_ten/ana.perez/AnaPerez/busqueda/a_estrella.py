"""A* de un borde al otro: mis fichas cuestan 0, las casillas vacías 1, las del rival no se cruzan."""

import heapq

from .heuristica import sin_fichas

LEJOS = 1000


def _buscar(board, jugador):
    n, tablero = board.size, board.board
    eje = 1 if jugador == 1 else 0
    faltan = sin_fichas(board, jugador)
    cola, visto = [], {}
    for i in range(n):
        casilla = (i, 0) if jugador == 1 else (0, i)
        dueño = tablero[casilla[0]][casilla[1]]
        if dueño in (0, jugador):
            coste = int(dueño == 0)
            heapq.heappush(cola, (coste + faltan[casilla[eje]], coste, casilla, casilla))
    while cola:
        _, coste, casilla, anterior = heapq.heappop(cola)
        if casilla in visto:
            continue
        visto[casilla] = anterior
        if casilla[eje] == n - 1:
            return coste, casilla, visto
        for vecina in board.get_neighbors(*casilla):
            dueño = tablero[vecina[0]][vecina[1]]
            if vecina not in visto and dueño in (0, jugador):
                nuevo = coste + int(dueño == 0)
                heapq.heappush(cola, (nuevo + faltan[vecina[eje]], nuevo, vecina, casilla))
    return LEJOS, None, visto


def distancia(board, jugador):
    """Cuántas fichas me faltan, por el camino más corto."""
    return _buscar(board, jugador)[0]


def camino(board, jugador):
    """Las casillas del camino más corto, o ninguna si ya no hay."""
    _, casilla, visto = _buscar(board, jugador)
    if casilla is None:
        return []
    pasos = [casilla]
    while visto[pasos[-1]] != pasos[-1]:  # la primera casilla viene de sí misma
        pasos.append(visto[pasos[-1]])
    return pasos[::-1]
