"""The command that makes suites of openings, as a user meets it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from ludoteca.play.openings import Suite
from tests.commands import run

COMMAND = ["openings", "hex:size=7", "--agent", "mcts", "--nodes", "300", "--within", "0.3"]


def test_nothing_is_lost_when_it_is_stopped(tmp_path: Path) -> None:
    """Ctrl-C comes when some openings are found; it goes on, and the suite is the one that nobody stopped."""
    path, whole = tmp_path / "suite.json", tmp_path / "whole.json"
    command = [sys.executable, "-m", "ludoteca.cli", *COMMAND, "-n", "100000", "--out", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "The same command goes on" in out and not errors

    stopped = Suite.from_json(path.read_text())
    found = len(stopped.openings)
    assert found and stopped.command == f"ludoteca {' '.join(COMMAND[:2])} -n {found} {' '.join(COMMAND[2:])}"
    assert f"{found + 2} openings in" in run(*COMMAND, "-n", str(found + 2), "--out", str(path), columns=300).stdout
    run(*COMMAND, "-n", str(found + 2), "--out", str(whole))
    resumed, never_stopped = (Suite.from_json(each.read_text()) for each in (path, whole))
    assert resumed.openings[:found] == stopped.openings
    assert (resumed.openings, resumed.command) == (never_stopped.openings, never_stopped.command)


def test_what_is_there_is_continued_or_left_alone(tmp_path: Path) -> None:
    """A finished suite is not made again, and a file of something else is never replaced."""
    path = tmp_path / "suite.json"
    run(*COMMAND, "-n", "2", "--out", str(path))
    suite = Suite.from_json(path.read_text())
    marked = replace(suite, openings=tuple(opening._replace(share=0.123) for opening in suite.openings))
    marked.write(path)
    for fewer in ("2", "1"):
        assert "2 openings in" in run(*COMMAND, "-n", fewer, "--out", str(path), columns=300).stdout
        assert path.read_text() == marked.to_json()
    run(*COMMAND, "-n", "3", "--out", str(path))
    assert Suite.from_json(path.read_text()).openings[:2] == marked.openings

    for text, reason in (
        (marked.to_json(), "holds what another command made: ludoteca openings"),
        ("{}", "is not a suite"),
    ):
        path.write_text(text)
        said = run(*COMMAND[:-1], "0.25", "-n", "3", "--out", str(path), columns=300)
        assert said.returncode == 2 and f"{path} " in said.stderr and reason in said.stderr
        assert path.read_text() == text


def test_mcts_judges_where_there_is_no_network(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    run("openings", "hex:size=5,layout=odd-r", "-n", "2", "--out", str(path))
    suite = Suite.from_json(path.read_text())
    assert suite.method.startswith("mcts with 2000 nodes") and len(suite.openings) == 2
    assert all(0.45 <= opening.share <= 0.55 for opening in suite.openings)


def test_it_says_what_helps_when_nothing_is_even(tmp_path: Path) -> None:
    """On 2×2 the first player wins every opening that is tried, or has lost already."""
    said = run("openings", "hex:size=2,layout=odd-r", "--out", str(tmp_path / "suite.json"))
    assert said.returncode == 0 and "0 openings in" in said.stdout and "a larger --within accepts more" in said.stdout


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "suite.json"
    said = run(*COMMAND, "-n", "1", "--out", str(path), columns=300)
    assert said.returncode == 2 and f"{path} cannot be written: " in said.stderr
