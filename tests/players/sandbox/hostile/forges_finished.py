"""A reply that claims to have won."""

import os
import time

from attempts import frame, wire


class Forges:
    def __init__(self, me):
        pass

    def play(self, board):
        os.write(wire(), frame(b"F", 2, b'{"ending": "finished", "message": "I won"}'))
        time.sleep(1000)
