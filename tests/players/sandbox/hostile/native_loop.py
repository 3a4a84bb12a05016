"""An endless loop in native code, which no Python signal handler interrupts."""

import itertools


class Loops:
    def __init__(self, me):
        pass

    def play(self, board):
        return sum(itertools.repeat(0))
