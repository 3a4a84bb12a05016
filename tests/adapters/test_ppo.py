"""The example of docs/gymnasium.md, run as its reader would, only shorter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed"),
]

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "kittens-ppo"


def python(folder: Path, *arguments: str) -> str:
    run = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_example_trains_and_what_it_learnt_plays_in_the_arena(tmp_path: Path) -> None:
    for file in EXAMPLE.glob("*.py"):
        shutil.copy(file, tmp_path)
    program = """
import runpy, sys
sys.argv = ["train.py", "200"]
runpy.run_path("train.py", run_name="__main__")
import ludoteca
name = "ppo_player.PPO"
admission = ludoteca.Admission(trusted=(name,))
result = ludoteca.series("kittens", name, "random", 2, limit="600s", workers=1, store=":memory:", admission=admission)
print(sum(record.ending.is_fault for record in result.records), len(result.records))
"""
    assert python(tmp_path, "-c", program).split()[-2:] == ["0", "2"]
    assert (tmp_path / "kittens_ppo.zip").exists()


def test_the_example_is_as_short_as_the_docs_say_and_the_docs_quote_it() -> None:
    code = (EXAMPLE / "train.py").read_text().split('"""')[2]
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 10
    docs = (EXAMPLE.parents[1] / "gymnasium.md").read_text()
    player = (EXAMPLE / "ppo_player.py").read_text()
    for line in [*lines[4:6], *(line for line in player.splitlines() if line.startswith("    ") and '"""' not in line)]:
        assert line in docs
