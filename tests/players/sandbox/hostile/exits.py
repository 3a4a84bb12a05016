"""Ends its process."""

import os


class Exits:
    def __init__(self, me):
        pass

    def play(self, board):
        os._exit(0)
