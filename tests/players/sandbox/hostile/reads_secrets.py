"""Looks for the store, other submissions, homes, accounts and the environment of the referee."""

import os

from attempts import all_refused

SECRETS = ["@STORE@", "@OTHER@", "/etc/passwd", "/etc/shadow", "/etc/hostname", "/home/teacher", "/home/teacher/.ssh",
           "/proc/@PID@/environ", "/proc/@PID@/mem", "/proc/2/environ", "/proc/1/mem"]  # fmt: skip


def environment():
    if "SECRET_TOKEN" not in os.environ:
        raise OSError("not told")


class Reads:
    def __init__(self, me):
        pass

    def play(self, board):
        def read(path):
            return lambda: open(path, "rb").read(1)

        def look(path):
            return lambda: os.stat(path)

        beside = os.listdir(os.path.dirname(os.path.abspath(__file__)))
        if "memory_bomb.py" in beside:
            raise RuntimeError(f"ESCAPED: it sees {beside}")
        others = [each for each in os.listdir("/proc") if each.isdigit() and each != str(os.getpid())]
        if others:
            raise RuntimeError(f"ESCAPED: it sees processes {others}")
        all_refused(environment, *map(look, SECRETS[:7]), *map(read, SECRETS))
