"""Lets a process and its children use only a part of a processor, as on a machine that others keep busy."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

PERIOD = 100_000
"""Microseconds over which the kernel counts."""
ROOT = Path("/sys/fs/cgroup")


@contextlib.contextmanager
def limited(process: int, cores: float | None) -> Iterator[None]:
    """Within, the process and what it starts get so many cores; None: as many as there are.

    Not fewer either: others on the machine come after them. Needs root and cgroups.
    """
    if cores is None:
        yield
        return
    second = (ROOT / "cgroup.controllers").exists()
    group = (ROOT if second else ROOT / "cpu") / f"ludoteca-bench-{os.getpid()}"
    group.mkdir()
    try:
        if second:
            (group / "cpu.max").write_text(f"{int(cores * PERIOD)} {PERIOD}")
            (group / "cpu.weight").write_text("10000")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(int(cores * PERIOD)))
            (group / "cpu.shares").write_text("100000")
        (group / "cgroup.procs").write_text(str(process))
        yield
    finally:
        for each in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(OSError):
                (group.parent / "cgroup.procs").write_text(each)
        for _ in range(50):  # a process that ends just now still counts
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.1)
