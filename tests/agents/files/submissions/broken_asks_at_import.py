"""Plays a match with the person who imports it."""
from player import Player


class MyPlayer(Player):
    def play(self, board):
        return board.get_possible_moves()[0]


size = int(input("Size of the board? "))
