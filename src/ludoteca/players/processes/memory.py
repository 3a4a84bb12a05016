"""How much memory a process holds, and how to limit it."""

from __future__ import annotations

import os
import resource

MEMORY = 2048
"""MiB that an agent in its own process may use by default, beyond what Python and our core use."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


def can_limit_memory(pid: int | str = "self") -> bool:
    """Whether this system reports the address space of a process, by default this one, and can limit it."""
    try:
        return address_space(pid) > 0 and hasattr(resource, "RLIMIT_AS")
    except (OSError, ValueError, IndexError):
        return False


def limit_memory(mebibytes: int, used: int | None = None) -> int:
    """Lets this process grow by so many MiB from now on; what it has loaded before does not count.

    used: its address space in bytes, if it is known already. Returns the new limit in bytes. Only where
    `can_limit_memory`.
    """
    limit = (address_space() if used is None else used) + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return limit


def address_space(pid: int | str = "self") -> int:
    """The bytes of address space of a process, by default this one. Raises OSError."""
    return _pages(pid, 0)


def resident(pid: int | str = "self") -> int:
    """The bytes of memory that a process holds, shared pages included. Raises OSError."""
    return _pages(pid, 1)


def _pages(pid: int | str, column: int) -> int:
    with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[column]) * _PAGE
