"""Looks through its open handles for more than its wire: a folder, another socket, a file of ours."""

import os
import stat

from attempts import first_free, wire


class Finds:
    def __init__(self, me):
        pass

    def play(self, board):
        for handle in range(4096):
            try:
                mode = os.fstat(handle).st_mode
            except OSError:
                continue
            expected = stat.S_ISCHR(mode) or (stat.S_ISFIFO(mode) and handle in (1, 2)) or handle == wire()
            if not expected:
                raise RuntimeError(f"ESCAPED: handle {handle} is {stat.filemode(mode)}")
        return first_free(board)
