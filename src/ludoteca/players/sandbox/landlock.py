"""Landlock: a second restriction of files, TCP, abstract sockets and signals, where the kernel has it."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from ludoteca.players.sandbox.syscalls import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _READ_FILE, _READ_DIR = 1, 1 << 2, 1 << 3
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of file rights by version; 16 from version 5 on."""
_NETWORK, _SCOPES = 3, 3


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def version() -> int:
    """The version of Landlock in this kernel; 0 for none."""
    try:
        return syscall(_CREATE, None, 0, 1)
    except OSError:
        return 0


def restrict(writable: Sequence[str]) -> int:
    """Lets this process write only below these folders, read everywhere, and connect nowhere.

    Call `no_new_privileges` before. Returns the version of Landlock, 0 where there is none.
    """
    known = version()
    if known == 0:
        return 0
    everything = (1 << _RIGHTS.get(known, 16)) - 1
    rules = _Ruleset(everything, _NETWORK if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = syscall(_CREATE, ctypes.byref(rules), size, 0, what="landlock_create_ruleset")
    try:
        reading = _EXECUTE | _READ_FILE | _READ_DIR
        for path, rights in (("/", reading), *((each, everything) for each in writable)):
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                rule = _Beneath(rights & everything, folder)
                syscall(_ADD, ruleset, 1, ctypes.byref(rule), 0, what="landlock_add_rule")
            finally:
                os.close(folder)
        syscall(_RESTRICT, ruleset, 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)
    return known
