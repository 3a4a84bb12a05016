"""A board that knows its groups; place_piece keeps them up to date, and clone copies all of it by deepcopy."""
from copy import deepcopy


class TableroRapido:
    def __init__(self, size):
        self.size = size
        self.board = [[0] * size for _ in range(size)]
        self.parent = {}
        self.turns = 0

    def clone(self):
        return deepcopy(self)

    def find(self, cell):
        while self.parent[cell] != cell:
            cell = self.parent[cell]
        return cell

    def place_piece(self, row, col, player_id):
        if self.board[row][col]:
            return False
        self.board[row][col] = player_id
        self.parent[row, col] = row, col
        self.turns += 1
        for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)):
            other = row + dr, col + dc
            if other in self.parent and self.board[other[0]][other[1]] == player_id:
                self.parent[self.find(other)] = row, col
        return True

    def get_possible_moves(self):
        return [(r, c) for r in range(self.size) for c in range(self.size) if not self.board[r][c]]

    def check_connection(self, player_id):
        return False

    def groups(self, player_id):
        return {self.find((r, c)) for (r, c) in self.parent if self.board[r][c] == player_id}
