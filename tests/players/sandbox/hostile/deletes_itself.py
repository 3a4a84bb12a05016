"""Deletes its own code, and what is beside it."""

import os
import shutil

from attempts import all_refused


class Deletes:
    def __init__(self, me):
        pass

    def play(self, board):
        folder = os.path.dirname(os.path.abspath(__file__))
        all_refused(
            lambda: os.remove(__file__),
            lambda: os.rename(__file__, __file__ + ".old"),
            lambda: os.truncate(__file__, 0),
            lambda: os.chmod(__file__, 0),
            lambda: shutil.rmtree(folder),
        )
