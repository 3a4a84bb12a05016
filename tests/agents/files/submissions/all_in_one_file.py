"""Board, base class, a random player to try against and the player: all in one file."""
import random
from abc import ABC, abstractmethod


class HexBoard:
    def __init__(self, size):
        self.size = size
        self.board = [[0] * size for _ in range(size)]

    def free(self):
        return [(r, c) for r in range(self.size) for c in range(self.size) if self.board[r][c] == 0]


class Player(ABC):
    def __init__(self, player_id):
        self.player_id = player_id

    @abstractmethod
    def play(self, board):
        pass


class RandomPlayer(Player):
    def play(self, board):
        return random.choice(board.free())


class MCTSPlayer(Player):
    def play(self, board):
        assert isinstance(board, HexBoard)
        return board.free()[0]


def main():
    board = HexBoard(11)
    print(RandomPlayer(1).play(board))


if __name__ == "__main__":
    main()
