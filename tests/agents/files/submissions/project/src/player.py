from abc import ABC, abstractmethod


class Player(ABC):
    def __init__(self, player_id: int):
        self.player_id = player_id
        self.opponent = 3 - player_id

    @abstractmethod
    def play(self, board):
        """Where to play."""
