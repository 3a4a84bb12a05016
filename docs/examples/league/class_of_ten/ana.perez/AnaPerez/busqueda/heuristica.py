"""Una heurística admisible: cada columna (o fila) que queda sin fichas mías cuesta al menos una."""


def sin_fichas(board, jugador):
    """Cuántas columnas (o filas) sin fichas mías hay después de cada una."""
    n, tablero = board.size, board.board
    vacias = [
        all((tablero[i][k] if jugador == 1 else tablero[k][i]) != jugador for i in range(n)) for k in range(n)
    ]
    return [sum(vacias[k + 1 :]) for k in range(n)]
