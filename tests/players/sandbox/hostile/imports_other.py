"""Imports and reads other submissions beside it, which its text names in every way that a text can."""

import importlib
import os

from attempts import all_refused

HERE = os.path.dirname(os.path.abspath(__file__))


def by_name():
    import memory_bomb

    return memory_bomb


def from_the_root():
    from submissions.honest import Honest

    return Honest


def from_beside():
    from .exits import Exits

    return Exits


def as_text(name):
    return lambda: importlib.import_module(name)


def refused(attempt):
    """A module that is not found is what is wanted; anything else is not."""

    def tried():
        try:
            return attempt()
        except ImportError as error:
            raise OSError(str(error)) from None

    return tried


class Imports:
    def __init__(self, me):
        pass

    def play(self, board):
        imports = map(refused, (by_name, from_the_root, from_beside, as_text("memory_bomb"), as_text("prints")))
        names = ("memory_bomb.py", "honest.py", "exits.py", "prints.py")
        all_refused(*imports, *(lambda name=name: open(os.path.join(HERE, name)) for name in names))
