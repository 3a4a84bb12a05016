"""A bench that is killed leaves no process behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = """
import os, pathlib, time
from bench.workers import worker_pool

def play(file):
    pathlib.Path(file).write_text(str(os.getpid()))
    time.sleep(600)

if __name__ == "__main__":
    import sys
    with worker_pool(1) as pool:
        pool.submit(play, sys.argv[1]).result()
"""


def alive(pid: int) -> bool:
    """Whether the process still runs; one that ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_workers_of_a_killed_bench_end(tmp_path: Path) -> None:
    program, file = tmp_path / "killed.py", tmp_path / "pid"
    program.write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, program, file], env=environment) as bench:
        while not (file.exists() and file.read_text()):
            assert bench.poll() is None
            time.sleep(0.05)
        worker = int(file.read_text())
        assert alive(worker)
        bench.kill()
    for _ in range(600):
        if not alive(worker):
            return
        time.sleep(0.05)
    raise AssertionError(f"worker {worker} outlived its bench")
