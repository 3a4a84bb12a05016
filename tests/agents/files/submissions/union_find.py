"""Keeps groups in a union-find that it imports beside the board."""
from board import HexBoard, UnionFind
from player import Player


class Groups(Player):
    def play(self, board: HexBoard):
        groups = UnionFind(board.size * board.size)
        for r, c in board.get_player_positions(self.player_id):
            for x, y in board.neighbors(r, c):
                if board.get_cell(x, y) == self.player_id:
                    groups.union(r * board.size + c, x * board.size + y)
        return board.get_possible_moves()[0]
