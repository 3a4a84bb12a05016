"""Knows a digest of the seed of the deal, and looks for the seed in all that Python holds."""

import gc
import hashlib
import os
import sys

from attempts import first_free


def numbers():
    for each in gc.get_objects():
        if isinstance(each, dict):
            yield from (value for value in list(each.values()) if isinstance(value, int))
        elif isinstance(each, list | tuple | set):
            yield from (value for value in list(each) if isinstance(value, int))
    for text in (*os.environ.values(), *sys.argv):
        if text.isdigit():
            yield int(text)


class Guesses:
    def __init__(self, me):
        pass

    def play(self, board):
        if any(hashlib.sha256(str(number).encode()).hexdigest() == "@DIGEST@" for number in set(numbers())):
            raise RuntimeError("ESCAPED: it knows the deal")
        return first_free(board)
