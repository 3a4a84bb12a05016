"""``analyze``, ``solve`` and ``review`` as a user meets them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run


def test_an_opinion_is_shown_and_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "opinion.svg"
    output = run("analyze", "hex:size=5", "c3 b2", "--agent", "astar", "--svg", str(picture)).stdout
    assert "● " in output and re.search(r"^best: [a-e][1-5]   \w.*\.$", output, re.MULTILINE)
    assert not re.search(r"[+-]\d\.\d", output), "values are for --verbose"
    assert re.search(r"^line: ([a-e][1-5] ?)+", output, re.MULTILINE) and re.search(
        r"looked at [\d,]+ positions · 3 moves ahead", output
    )
    assert picture.read_text().startswith("<svg")


def test_in_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    output = run("analyze", "hex:size=4", "--agent", "astar").stdout
    assert "lo mejor: " in output and "asiento" not in output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["analyze", "hex:size=3", "b2 z9", "--agent", "astar"], "action 2 of the position: 'z9' is no cell"),
        (["analyze", "hex:size=3", "--agent", "minimax"], "minimax does not play hex"),
        (["analyze", "hex:size=3", "a2 a1 b2 b1 c2", "--agent", "astar"], "the match is over in this position"),
        (["analyze", "hex:size=3", "--agent", "astar", "--limit", "soon"], "the limit 'soon' is not of the form"),
        (["analyze", "hex:size=3", "--agent", "astar", "--svg", "/no/such/folder/x.svg"], "cannot be written"),
        (["solve", "hex", "--against", "astar"], "hex is solved for best play by both seats"),
        (["solve", "horses", "--every"], "every action can be proven in these games only: hex; not in horses"),
        (["solve", "hex", "--every", "--against", "astar"], "cannot be used with --against"),
        (["solve", "hex", "--all-openings"], "many starts are solved with --out FILE"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: list[str], complaint: str) -> None:
    failed = run(*arguments)
    assert failed.returncode == 2
    assert complaint in failed.stderr and "Traceback" not in failed.stderr


def test_a_board_is_solved() -> None:
    output = run("solve", "hex:size=4,orientation=standard").stdout
    assert re.search(r"^best: (d1|c2|b3|a4)   red wins: that is proven\.$", output, re.MULTILINE)


def test_every_action_is_proven_and_marked_on_the_board() -> None:
    output = run("solve", "hex:size=4,orientation=standard", "--every").stdout
    rows = [re.findall("[+−·●○]", line)[:4] for line in output.splitlines()[1:5]]
    assert ["".join(row) for row in rows] == ["−−−+", "−−+−", "−+−−", "+−−−"]
    assert "win (4): d1 c2 b3 a4" in output and "lose (12): " in output and "not proven" not in output


def used(process: subprocess.Popen[str]) -> float:
    """Seconds that a process has worked, however long it had to wait for a core."""
    user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_control_c_ends_an_analysis_with_what_is_known() -> None:
    command = [sys.executable, "-m", "ludoteca.cli", "analyze", "horses", "--agent", "minimax:depth=64"]
    process = subprocess.Popen(
        [*command, "--limit", "600s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    begun = None
    while begun is None or used(process) < begun + 0.2:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
        if begun is None and len(os.listdir(f"/proc/{process.pid}/task")) > 1:  # it searches in a thread of its own
            begun = used(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "best: " in out and "Stopped." in out and not err


def test_a_stored_match_is_reviewed(tmp_path: Path) -> None:
    run("match", "horses:size=5", "random", "random", "-n", "2")
    output = run("review", "last", "0", "--agent", "minimax:depth=4", "--limit", "2000n").stdout
    assert re.search(r"^move +side +played +to win +lost +better", output, re.MULTILINE)
    assert re.search(r"^White \(random\): lost", output, re.MULTILINE) and "Black (random): lost" in output
    assert "match 7" in run("review", "last", "7", "--agent", "minimax").stderr
