"""How many stones a connection through each cell would still cost."""

import heapq


def connection_cost(board, player):
    """{cell: stones that are missing on the cheapest connection through this cell}."""
    size = board.size
    first = [(i, 0) if player == 1 else (0, i) for i in range(size)]
    last = [(i, size - 1) if player == 1 else (size - 1, i) for i in range(size)]
    one, two = _costs(board, player, first), _costs(board, player, last)
    return {cell: one[cell] + two[cell] - (board.board[cell[0]][cell[1]] == 0) for cell in one if cell in two}


def _costs(board, player, starts):
    cells, costs, waiting = board.board, {}, []
    for row, column in starts:
        if cells[row][column] != 3 - player:
            heapq.heappush(waiting, (int(cells[row][column] == 0), (row, column)))
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if cell in costs:
            continue
        costs[cell] = cost
        for row, column in board.get_neighbors(*cell):
            if (row, column) not in costs and cells[row][column] != 3 - player:
                heapq.heappush(waiting, (cost + int(cells[row][column] == 0), (row, column)))
    return costs


def evaluate(board, player):
    own = min(connection_cost(board, player).values(), default=99)
    other = min(connection_cost(board, 3 - player).values(), default=99)
    return 10 * (other - own)
