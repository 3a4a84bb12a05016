"""Looks for the environment of the process that forked it: by /proc, and in the memory where the kernel put it."""

import ctypes
import os

from attempts import LIBRARY, first_free

DUMPABLE, NAME_OF_PROGRAM = 4, 31
KNOWN = {"LANG", "LC_ALL", "LC_CTYPE", "TZ", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX",
         "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH"}  # fmt: skip
OWN = {"HOME", "TMPDIR", "PATH"}


def by_proc():
    LIBRARY.prctl(DUMPABLE, 1, 0, 0, 0)
    try:
        with open("/proc/self/environ", "rb") as file:
            return file.read()
    except OSError:
        return b""


def in_memory():
    """The kernel puts the environment just below the name of the program."""
    LIBRARY.getauxval.restype = ctypes.c_ulong
    end = LIBRARY.getauxval(NAME_OF_PROGRAM)
    return ctypes.string_at(end - 2048, 2048)


class Reads:
    def __init__(self, me):
        pass

    def play(self, board):
        texts = by_proc() + in_memory()
        names = {each.partition(b"=")[0].decode() for each in texts.split(b"\0") if b"=" in each and each[:1].isalpha()}
        unknown = {each for each in names if each.replace("_", "").isalnum()} - KNOWN
        unknown |= set(os.environ) - KNOWN - OWN
        if unknown:
            raise RuntimeError(f"ESCAPED: it knows {sorted(unknown)}")
        return first_free(board)
