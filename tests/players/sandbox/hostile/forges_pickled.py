"""A reply that would do something, were it unpickled."""

import os
import time

from attempts import frame, wire


class Forges:
    def __init__(self, me):
        pass

    def play(self, board):
        os.write(wire(), frame(b"A", 2, b"cos\nsystem\n(S'touch @OUTSIDE@/made'\ntR."))
        time.sleep(1000)
