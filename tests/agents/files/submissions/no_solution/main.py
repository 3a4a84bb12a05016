"""The program that its author runs; it asks, so it must not run here."""
from src.ai.agent import MyAI
from src.ai.base import RandomPlayer


class Game:
    def play(self):
        input("your move? ")


if __name__ == "__main__":
    Game().play()
    print(MyAI(1), RandomPlayer(2))
