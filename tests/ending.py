"""Waits until a process has ended, without looking again and again."""

from __future__ import annotations

import contextlib
import os
import select


def has_ended(pid: int, within: float = 60.0) -> bool:
    """Whether a process ends within so many seconds. It need not be a child of this one."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            return bool(select.select([handle], [], [], within)[0])
        finally:
            os.close(handle)
    return True
