"""Leaves notes for its next match wherever it can write."""

import os
import tempfile

from attempts import first_free

import ludoteca

NOTE = "note-@PID@"
PLACES = {tempfile.gettempdir(), "/tmp", os.path.expanduser("~"), os.getcwd(), "/scratch"}


class Notes:
    def __init__(self, me):
        found = [each for each in PLACES if os.path.exists(os.path.join(each, NOTE))]
        found += [each for each in ("NOTE",) if each in os.environ]
        found += [each for each in ("note",) if hasattr(ludoteca, each)]
        if found:
            raise RuntimeError(f"ESCAPED: notes were found in {found}")
        written = 0
        for place in PLACES:
            try:
                with open(os.path.join(place, NOTE), "w") as note:
                    note.write("the other one opens in the corner")
                written += 1
            except OSError:
                continue
        assert written, "it has a scratch folder"
        os.environ["NOTE"] = ludoteca.note = "the same"

    def play(self, board):
        return first_free(board)
