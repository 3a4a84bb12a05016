"""A reply that claims to have four gigabytes."""

import os
import struct
import time

from attempts import wire


class Forges:
    def __init__(self, me):
        pass

    def play(self, board):
        os.write(wire(), struct.pack("<cII", b"A", 2, 2**32 - 1) + b"x" * 1000)
        time.sleep(1000)
