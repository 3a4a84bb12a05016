"""A slice of `make kills`: one kill of each kind in a tournament, and one of a process that holds the store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_killed_tournament_ends_as_an_undisturbed_one() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.kills", "--only", "tournament", "--kills", "1", "--pause", "2"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    for kind in ("tournament: worker", "tournament: fork server", "tournament: referee", "store"):
        assert f"   1  {kind}" in done.stdout.splitlines()
