"""How much memory a process has taken, and may take."""

from __future__ import annotations

import os
import resource

__all__ = ["address_space", "can_limit_memory", "limit_memory", "resident"]

_PAGE = os.sysconf("SC_PAGE_SIZE")


def can_limit_memory() -> bool:
    """Whether this system tells how much memory a process has taken, without which it cannot be limited."""
    try:
        return address_space() > 0 and hasattr(resource, "RLIMIT_AS")
    except (OSError, ValueError, IndexError):
        return False


def limit_memory(mebibytes: int, taken: int | None = None) -> int:
    """Lets this process grow by so much from here on; what is loaded already is not the agent's.

    taken: its bytes of address space, for whoever knows them already. Returns the bytes that it may have from now on.
    Only where `can_limit_memory`.
    """
    limit = (address_space() if taken is None else taken) + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return limit


def address_space(process: int | str = "self") -> int:
    """The bytes of address space that a process has taken, by default this one. Raises OSError."""
    return _pages(process, 0)


def resident(process: int | str = "self") -> int:
    """The bytes of memory that a process holds, those included that it shares. Raises OSError."""
    return _pages(process, 1)


def _pages(process: int | str, column: int) -> int:
    with open(f"/proc/{process}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[column]) * _PAGE
