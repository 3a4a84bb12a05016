"""Writes wherever something could be read later; then fills its scratch folder."""

import os
import sys
import tempfile

from attempts import all_refused

PLACES = [
    os.path.dirname(os.path.abspath(__file__)), "/", "/etc", "/usr", "/usr/bin", "/home", "/root", "/var/tmp", "/dev",
    "/dev/shm", "/proc/self", "/sys", "/proc/sys/kernel", sys.prefix, os.path.dirname(os.__file__), "@OUTSIDE@",
]  # fmt: skip


def fill():
    path = os.path.join(tempfile.gettempdir(), "filler")
    for number in range(64):
        with open(f"{path}{number}", "wb") as file:
            file.write(b"x" * (1 << 20))


class Writes:
    def __init__(self, me):
        pass

    def play(self, board):
        def write_to(place):
            return lambda: open(os.path.join(place, "note-@PID@"), "w")

        def make_in(place):
            return lambda: os.mkdir(os.path.join(place, "folder-@PID@"))

        all_refused(*map(write_to, PLACES), *map(make_in, PLACES), lambda: open(__file__, "a"), fill)
