from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

import ludoteca
from ludoteca.play.record import Record
from ludoteca.play.store import Store, default_path
from ludoteca.players.faults import Ending
from tests.commands import run

LUDOTECA = [sys.executable, "-m", "ludoteca.cli"]


def kept() -> list[Record]:
    """The matches that were played in the terminal."""
    with Store(default_path()) as store:
        return list(store.records(store.people_run("terminal").id))


def test_games_lists_every_game_with_its_options() -> None:
    output = run("games").stdout
    for name in ("dominoes", "hex", "horses", "kittens"):
        assert re.search(rf"^{name} ", output, re.MULTILINE)
    assert "size=11" in output
    assert "axial|even-r|odd-r" in output


def test_games_shows_the_rules_of_one() -> None:
    output = run("games", "hex").stdout
    assert "Stones never move." in output and "tensor" not in output, "a player reads no encodings"
    assert "dominoes" not in output
    assert "The tensor has shape" in run("games", "hex", "--details").stdout


def test_games_shows_the_rules_in_the_language_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_PT.UTF-8")
    output = run("games", "hex").stdout
    assert "Ligue os seus dois lados" in output and "The tensor" not in output


def test_games_shows_the_opponents_of_one_with_their_ratings() -> None:
    found = re.findall(r"minimax:level=(\w+) +\+(\d+)", run("games", "horses").stdout)
    assert [level for level, _ in found] == ["beginner", "amateur", "expert"]
    assert sorted(int(elo) for _, elo in found) == [int(elo) for _, elo in found]


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_games_shows_the_table_of_a_tensor_as_a_table(game: str) -> None:
    output = run("games", game, "--details").stdout
    assert "===" not in output
    rows = [line for line in output.splitlines() if re.match(r"  (3T|\d+ - )", line)]
    assert len(rows) > 4 and all(re.search(r" {2,}\S", row[3:]) for row in rows)


def test_agents_lists_those_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "random (" in run("agents", "hex:size=5").stdout
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert "Juega al azar una acción legal" in " ".join(run("agents", "hex:size=5").stdout.split())


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
        (["play", "--resume"], "there is no unfinished match"),
        (["games", "go"], "no game is called 'go'"),
        (["agents", "go"], "no game is called 'go'"),
        (["play", "hex", "--side", "green"], "'green' is no side of hex: red or blue"),
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
    output = run(command, "--help").stdout
    for name in ludoteca.agents.names():
        assert re.search(rf"^  {name} +\S", output, re.MULTILINE), name
    assert re.search("^  minimax +level=expert, depth=0, mobility=0.5$", output, re.MULTILINE)


def test_a_match_is_played_to_its_end_with_errors_explained() -> None:
    moves = "zz\na1\na1\na\n" + "\n".join(f"{column}{row}" for row in (1, 2, 3) for column in "abc") * 2
    done = run("play", "hex:size=3", "--seed", "3", answer=moves)
    assert done.returncode == 0
    assert "'zz' is no cell of hex:size=3: cells are a1 to c3" in done.stdout
    assert "'a1' is not legal now\n" in done.stdout
    assert re.search("You win!|random wins.", done.stdout)
    (record,) = kept()
    assert record.ending is Ending.finished and record.seats[0].person and record.seats[1].agent == "random"


def test_spanish() -> None:
    output = run("play", "hex:size=3", "--language", "es", answer="salir\n").stdout
    assert "Eres rojo: tienes que unir la izquierda con la derecha." in output
    assert "izquierda–derecha" in output
    assert "La partida queda guardada" in output


def test_the_language_of_the_environment_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert "Escribe una jugada" in run("play", "hex:size=3").stdout


def test_the_end_of_input_keeps_the_match_and_resume_goes_on() -> None:
    run("play", "hex:size=3", "--seed", "3", answer="b2\n")
    (record,) = kept()
    assert (record.game, record.seed, len(record.actions), record.ending) == ("hex:size=3", 3, 2, Ending.unfinished)
    output = run("play", "--resume", answer="undo\nlegal\nquit\n").stdout
    assert "against random" in output
    assert [len(record.actions) for record in kept()] == [0]


def test_a_new_match_leaves_the_unfinished_ones_as_they_are() -> None:
    run("play", "hex:size=3", answer="b2\n")
    output = run("play", "hex:size=4", answer="a1\n").stdout
    assert "1 unfinished match: ludoteca play --resume" in output
    assert [record.game for record in kept()] == ["hex:size=3", "hex:size=4"]
    assert "hex:size=4" in run("play", "--resume").stdout, "the one played at last"
    assert "hex:size=3" in run("play", "--resume", "--match", "0").stdout
    assert "match 7 cannot be continued" in run("play", "--resume", "--match", "7").stderr
    shown = run("show", "terminal").stdout
    assert shown.count("unfinished") == 2 and "a person" in shown


def test_a_match_from_a_start_is_gone_on_with() -> None:
    start = "line: 6-6 6-4; 0: 5-5 4-1; 1: 2; turn: 0"
    output = run("play", "dominoes", "--start", start, "--seed", "3").stdout
    assert "6 [6|6][6|4] 4" in output and "You can play: 4-1@right" in output
    output = run("play", "--resume", answer="4-1@right\n").stdout
    assert "[6|6][6|4][4|1]" in output
    assert kept()[0].start == start


def test_hidden_reasons_are_shown_only_at_the_end() -> None:
    """A cheat who asks for reasons in a game of hidden cards learns nothing before the match is over."""
    output = run("play", "kittens", "--against", "v2", "--seed", "5", answer="draw\n" * 3).stdout
    assert "v2 drew a card." in output and "rule" not in output
    output = run("replay", "terminal", "0").stdout
    assert "rule" not in output and "This match is not finished." in output
    assert "hidden until the match is over" in run("replay", "terminal", "0", "--seat", "1").stderr
    output = run("play", "--resume", answer="draw\ntop\n" * 60 + "thoughts\n").stdout
    assert re.search("You win!|v2 wins.", output) and "rule" in output.partition("The match is over.")[2]
    assert "rule" in run("replay", "terminal", "0").stdout


def test_the_limit_is_enforced(faulty: object) -> None:
    """The stand-in answers twice, then never again."""
    output = run(
        "play", "hex:size=4", "--against", "loops", "--limit", "0.2s", answer="a1\nb1\na2\nb2\na3\nb3\n"
    ).stdout
    assert "loops has lost: the agent needed more than 0.25 seconds" in " ".join(output.split())
    assert "You win!" in output
    assert kept()[-1].ending is Ending.timeout


def test_the_version_is_printed() -> None:
    assert re.fullmatch(r"ludoteca \d+\.\d+\.\d+\n", run("--version").stdout)


def test_two_people_do_not_see_each_other() -> None:
    output = run(
        "play", "dominoes", "--against", "human", "--start", "line: 6-6; 0: 6-5; 1: 6-4", answer="\n6-5\n"
    ).stdout
    assert "It is the turn of red: press Enter when you are ready." in output and "Red wins." in output
    output = run("play", "hex:size=2", "--against", "human", answer="a1\nb1\nb2\na2\n").stdout
    assert "press Enter" not in output, "there is nothing to hide"
    assert re.search("(Red|Blue) wins.", output)


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
    read_until(handle, "Your move: ")
    os.write(handle, b"b2\n")
    read_until(handle, "Your move: ")
    os.kill(process.pid, signal.SIGINT)
    while not select.select([handle], [], [], 2)[0]:  # Python misses a signal that comes just before it waits for input
        os.kill(process.pid, signal.SIGINT)  # so a person presses Ctrl-C again
    read_until(handle, "ludoteca play --resume")
    assert process.wait(timeout=60) == 0
    assert len(kept()[0].actions) == 2


def test_a_killed_process_loses_nothing(terminal_of_a_person: tuple[subprocess.Popen[bytes], int]) -> None:
    process, handle = terminal_of_a_person
    read_until(handle, "Your move: ")
    os.write(handle, b"b2\n")
    read_until(handle, "Your move: ")
    process.kill()
    process.wait()
    assert "against random" in run("play", "--resume").stdout
    assert len(kept()[0].actions) == 2


def test_without_a_game_the_program_asks_for_one() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*LUDOTECA, "play"], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        read_until(ours, "Which game? Its number or name: ")
        os.write(ours, b"chess\n")
        assert "no game is called 'chess'" in read_until(ours, "name: ")
        os.write(ours, b"2\n")
        assert "You are red: connect left and right." in read_until(ours, "Your move: ")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_help_teaches() -> None:
    assert "hex:size=7,swap=true" in run("--help").stdout
    assert "--resume" in run("play", "--help").stdout


def test_every_name_in_all_exists() -> None:
    for name in ludoteca.__all__:
        assert hasattr(ludoteca, name)
