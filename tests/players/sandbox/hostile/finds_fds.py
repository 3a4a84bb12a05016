"""Looks through its open file descriptors for more than its wire: a folder, another socket, a file of ours."""

import os
import stat

from attempts import first_free, maker, wire


class Finds:
    def __init__(self, me):
        pass

    def play(self, board):
        for fd in range(4096):
            try:
                mode = os.fstat(fd).st_mode
            except OSError:
                continue
            expected = (
                stat.S_ISCHR(mode) or (stat.S_ISFIFO(mode) and fd in (1, 2)) or fd == wire() or maker(fd) == os.getpid()
            )
            if not expected:
                raise RuntimeError(f"ESCAPED: fd {fd} is {stat.filemode(mode)}")
        return first_free(board)
