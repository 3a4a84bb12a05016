"""How many threads this process has, those of the core included, which Python does not know of."""

from __future__ import annotations

from pathlib import Path

import pytest

TASKS = Path("/proc/self/task")


def native_threads() -> int:
    if not TASKS.is_dir():
        pytest.skip("this system does not say how many threads a process has")
    return len(list(TASKS.iterdir()))
