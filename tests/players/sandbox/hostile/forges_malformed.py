"""A reply that is no JSON."""

import os
import time

from attempts import frame, wire


class Forges:
    def __init__(self, me):
        pass

    def play(self, board):
        os.write(wire(), frame(b"A", 2, b"\xff{{{"))
        time.sleep(1000)
