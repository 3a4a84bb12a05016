"""Asks not to be killed when the process that forked it ends."""

from attempts import LIBRARY, all_refused, checked

DIE_WITH_PARENT = 1


class Outlives:
    def __init__(self, me):
        pass

    def play(self, board):
        all_refused(lambda: checked(LIBRARY.prctl(DIE_WITH_PARENT, 0, 0, 0, 0)))
