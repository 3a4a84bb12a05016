"""Leaves shared memory, which belongs to no process, for its next match, and takes it away there."""

from attempts import call, first_free

KEY, SIZE = int("@PID@"), 4096
CREATE, REMOVE = 0o1666, 0


def asked(*arguments):
    try:
        return call(*arguments)
    except OSError:
        return None


class Leaves:
    def __init__(self, me):
        found = asked("shmget", KEY, SIZE, 0o666)
        if found is not None:
            asked("shmctl", found, REMOVE, 0)
            raise RuntimeError("ESCAPED: memory of an earlier match was found")
        asked("shmget", KEY, SIZE, CREATE)

    def play(self, board):
        return first_free(board)
