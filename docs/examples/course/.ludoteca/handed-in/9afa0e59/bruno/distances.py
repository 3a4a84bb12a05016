"""The cheapest way from one side to the other: own cells cost nothing, free ones 1, the other's cannot be crossed."""

import heapq


def cheapest_cells(board, player_id):
    """The cells of one cheapest path, from its beginning to its end."""
    size, cells = board.size, board.board

    def cost(row, column):
        owner = cells[row][column]
        return 0 if owner == player_id else 1 if owner == 0 else None

    starts = [(place, 0) if player_id == 1 else (0, place) for place in range(size)]
    waiting = [(cost(*cell), cell, cell) for cell in starts if cost(*cell) is not None]
    heapq.heapify(waiting)
    came_from = {}
    while waiting:
        spent, cell, before = heapq.heappop(waiting)
        if cell in came_from:
            continue
        came_from[cell] = before
        row, column = cell
        if (column if player_id == 1 else row) == size - 1:
            path = [cell]
            while came_from[path[-1]] != path[-1]:
                path.append(came_from[path[-1]])
            return path[::-1]
        for r, c in board.get_neighbors(row, column):
            more = cost(r, c)
            if more is not None and (r, c) not in came_from:
                heapq.heappush(waiting, (spent + more, (r, c), cell))
    return []
