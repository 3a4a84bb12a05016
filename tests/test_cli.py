from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca.terminal import play as terminal

LUDOTECA = [sys.executable, "-m", "ludoteca.cli"]


def run(*arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "100"}
    return subprocess.run(
        [*LUDOTECA, *arguments], input=answer, capture_output=True, text=True, check=False, env=environment
    )


def test_games_lists_every_game_with_its_options() -> None:
    told = run("games").stdout
    for name in ("dominoes", "hex", "horses", "kittens"):
        assert re.search(rf"^{name} ", told, re.MULTILINE)
    assert "size=11" in told
    assert "axial|even-r|odd-r" in told


def test_games_tells_the_rules_of_one() -> None:
    told = run("games", "hex").stdout
    assert "The tensor has shape" in told
    assert "dominoes" not in told


def test_agents_lists_those_of_a_game() -> None:
    assert "random (" in run("agents", "hex:size=5").stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "chess"], "no game is called 'chess'; the games are dominoes, hex, horses, kittens"),
        (["play", "hex:size=99"], "size=99 must be a whole number from 1 to 19"),
        (["play", "hex:sise=5"], "did you mean 'size'?"),
        (["play", "hex:5"], "'5' is not of the form key=value"),
        (["play", "hex", "--against", "nobody"], "no agent is called 'nobody'"),
        (["play", "hex", "--against", "random:depth=2"], "random has no option 'depth'; it has no options"),
        (["play", "hex", "--against", "nosuch.py:X"], "nosuch.py:X: there is no file nosuch.py"),
        (["play"], "which game? one of dominoes, hex, horses, kittens"),
        (["play", "--resume"], "there is no unfinished match to go on with"),
        (["games", "go"], "no game is called 'go'"),
        (["agents", "go"], "no game is called 'go'"),
        (["play", "hex", "--start", "a1"], "hex begins with a deal: the start 'a1' means nothing to it"),
        (["play", "dominoes", "--start", "line: 6-6 5-4"], "5-4 does not match either number of 6-6"),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["agents", "play"])
def test_help_offers_every_agent_with_its_options(command: str) -> None:
    told = run(command, "--help").stdout
    for name in ludoteca.agents.names():
        assert re.search(rf"^  {name} +\S", told, re.MULTILINE), name
    assert re.search("^  minimax +level=expert, depth=0, mobility=0.5$", told, re.MULTILINE)


def test_a_match_is_played_to_its_end_with_errors_explained() -> None:
    moves = "zz\na1\na1\na\n" + "\n".join(f"{column}{row}" for row in (1, 2, 3) for column in "abc") * 2
    done = run("play", "hex:size=3", "--seed", "3", answer=moves)
    assert done.returncode == 0
    assert "'zz' is no cell of hex:size=3: cells are a1 to c3" in done.stdout
    assert "'a1' is not legal now\n" in done.stdout
    assert re.search("You win!|random wins.", done.stdout)
    assert not terminal.unfinished_path().exists()


def test_spanish() -> None:
    told = run("play", "hex:size=3", "--language", "es", answer="salir\n").stdout
    assert "tienes el asiento 0" in told
    assert "izquierda–derecha" in told
    assert "La partida queda guardada" in told


def test_the_language_of_the_environment_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert "Escribe una acción" in run("play", "hex:size=3").stdout


def test_the_end_of_input_keeps_the_match_and_resume_goes_on() -> None:
    run("play", "hex:size=3", "--seed", "3", answer="b2\n")
    kept = json.loads(terminal.unfinished_path().read_text())
    assert kept["game"] == "hex:size=3"
    assert len(kept["actions"]) == 2
    told = run("play", "--resume", answer="undo\nlegal\nquit\n").stdout
    assert "seed 3" in told
    assert json.loads(terminal.unfinished_path().read_text())["actions"] == []


def test_a_match_from_a_start_is_gone_on_with() -> None:
    start = "line: 6-6 6-4; 0: 5-5 4-1; 1: 2; turn: 0"
    told = run("play", "dominoes", "--start", start, "--seed", "3").stdout
    assert "6 [6|6][6|4] 4" in told and "Legal: 4-1@right" in told
    told = run("play", "--resume", answer="4-1@right\n").stdout
    assert "[6|6][6|4][4|1]" in told
    assert json.loads(terminal.unfinished_path().read_text())["start"] == start


def test_a_damaged_unfinished_match_is_refused() -> None:
    terminal.unfinished_path().parent.mkdir(parents=True)
    for damage, complaint in [("{", "cannot be read"), ('{"x": 1}', "cannot be read")]:
        terminal.unfinished_path().write_text(damage)
        done = run("play", "--resume")
        assert done.returncode == 2
        assert complaint in done.stderr
    sitting = terminal.Sitting("hex:size=3", "random", 0, 1, [0, 0])
    sitting.save()
    done = run("play", "--resume")
    assert done.returncode == 2
    assert "is not legal" in done.stderr


def test_two_people_do_not_see_each_other() -> None:
    told = run("play", "hex:size=2", "--against", "human", answer="a1\n\nb1\n\nb2\n\na2\n").stdout
    assert "Seat 1 is on turn" in told
    assert re.search("Seat [01] wins.", told)


@pytest.fixture
def terminal_of_a_person() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command line on a pseudo-terminal, as a person has it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*LUDOTECA, "play", "hex:size=3", "--seed", "1"], stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    yield process, ours
    process.kill()
    process.wait()
    os.close(ours)


def read_until(handle: int, text: str) -> str:
    seen = b""
    end = time.monotonic() + 60
    while text.encode() not in seen and time.monotonic() < end:
        if not select.select([handle], [], [], 1)[0]:
            continue
        try:
            seen += os.read(handle, 4096)
        except OSError:
            break
    assert text.encode() in seen, seen.decode(errors="replace")
    return seen.decode()


def test_control_c_keeps_the_match(terminal_of_a_person: tuple[subprocess.Popen[bytes], int]) -> None:
    process, handle = terminal_of_a_person
    read_until(handle, "your action: ")
    os.write(handle, b"b2\n")
    read_until(handle, "your action: ")
    os.kill(process.pid, signal.SIGINT)
    read_until(handle, "ludoteca play --resume")
    assert process.wait(timeout=60) == 0
    assert len(json.loads(terminal.unfinished_path().read_text())["actions"]) == 2


def test_a_killed_process_loses_nothing(terminal_of_a_person: tuple[subprocess.Popen[bytes], int]) -> None:
    process, handle = terminal_of_a_person
    read_until(handle, "your action: ")
    os.write(handle, b"b2\n")
    read_until(handle, "your action: ")
    process.kill()
    process.wait()
    assert "random (seed 1)" in run("play", "--resume").stdout
    assert len(json.loads(Path(terminal.unfinished_path()).read_text())["actions"]) == 2


def test_help_teaches() -> None:
    assert "hex:size=7,swap=true" in run("--help").stdout
    assert "--resume" in run("play", "--help").stdout


def test_every_name_in_all_exists() -> None:
    for name in ludoteca.__all__:
        assert hasattr(ludoteca, name)
