"""A course is played to its end, whatever interrupts it; what is handed in again plays only its own matches."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca.arena.api import WorkerSettings
from ludoteca.arena.results import TournamentResult
from ludoteca.cli import app
from ludoteca.course.check.class_check import check_all
from ludoteca.course.check.report import Report
from ludoteca.course.tournament import Course, Standing, run
from ludoteca.errors import InvalidOption
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from tests.course.made import FIRST, GOOD, LAST, TOML, course, hand_in

ONE = WorkerSettings(1, False)
QUALIFYING = TOML + '[qualification]\nagainst = "random"\nmatches = 6\npoints = 0.5\n'
QUICK = 3.0
"""Seconds for each check: enough for what is tested here."""
LOSING = FIRST.replace("[0]", "[0] if len(board.get_possible_moves()) > 7 else None")


def played(folder: Path, store: Path) -> TournamentResult:
    return run(Course.of(folder), store, ONE)


def by_players(store: Path, folder: Path) -> dict[frozenset[str], list[Record]]:
    """The matches of the tournament by who met, by the names of their folders."""
    found: dict[frozenset[str], list[Record]] = {}
    with Store(store) as opened:
        for record in opened.records(Standing.load(folder).tournament or 0):
            names = frozenset(Path(who.agent).parent.name for who in record.seats)
            found.setdefault(names, []).append(record)
    return found


def test_only_the_matches_of_what_was_handed_in_again_are_played_again(tmp_path: Path) -> None:
    folder, store = course(tmp_path / "c", ana=FIRST, bruno=LAST, carla=LOSING), tmp_path / "s"
    first = played(folder, store)
    assert first.complete and first.matches == 6
    records = list(first.records)
    assert len({(record.seed, record.actions[: record.opening]) for record in records}) == 1, "all pairings begin alike"
    seats = [record.agents for record in records]
    assert sorted(seats) == sorted((after, before) for before, after in seats), "and both seats are played"
    before = by_players(store, folder)
    hand_in(folder, "carla", FIRST.replace("[0]", "[len(board.get_possible_moves()) // 2]"))
    second = played(folder, store)
    assert second.complete and second.run != first.run
    after = by_players(store, folder)
    assert after[frozenset({"ana", "bruno"})] == before[frozenset({"ana", "bruno"})], "taken over, clock and all"
    for other in ("ana", "bruno"):
        assert {each.agents for each in after[frozenset({"carla", other})]}.isdisjoint(
            each.agents for each in before[frozenset({"carla", other})]
        )
    assert played(folder, store).run == second.run, "and now nothing is left to play"


def test_who_cannot_play_is_named_and_the_others_play(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", QUALIFYING, ana=GOOD, bruno=f"{GOOD}# mine", carla=LOSING, diego="import torch")
    hand_in(folder, "elena", "raise ValueError('my own mistake')")
    result = played(folder, tmp_path / "s")
    standing = {each.name: each for each in Standing.load(folder).entrants}
    assert [name for name, each in standing.items() if each.qualified] == ["ana", "bruno"] and result.matches == 2
    assert "torch" in standing["diego"].problem and "my own mistake" in standing["elena"].problem
    assert standing["carla"].problem.startswith("0 of 6 points against random")


def test_references_meet_everybody_and_submissions_do_not_meet(tmp_path: Path) -> None:
    toml = TOML.replace('game = "hex"', 'game = "hex"\nformat = "references"\nreferences = ["random", "astar:depth=1"]')
    folder = course(tmp_path / "c", toml, ana=FIRST, bruno=LAST)
    result = played(folder, tmp_path / "s")
    assert result.matches == 8 and len(result.agents) == 4
    assert frozenset({"ana", "bruno"}) not in by_players(tmp_path / "s", folder)


def test_too_few_playable_submissions_are_refused_with_every_reason(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", ana=FIRST, bruno="import torch")
    with pytest.raises(InvalidOption, match=r"too few submissions can take part: 1\nbruno: .*torch"):
        played(folder, tmp_path / "s")


def checked(folder: Path, told: list[str] | None = None) -> dict[str, Report]:
    settings = Course.of(folder).settings
    found = check_all(settings, replace(settings.check, seconds=QUICK), ([] if told is None else told).append)
    return {each.submission: each for each in found}


def test_a_check_of_the_class_says_what_went_wrong_in_words(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", ana=FIRST, carla=LOSING, diego="import torch", elena="1 / 0")
    told: list[str] = []
    found = checked(folder, told)
    assert [name for name, report in found.items() if report.fit] == ["ana"]
    assert "Elo " in found["ana"].in_brief
    assert told[0] == "Copying the submissions …" and "4 of 4 checked" in told[-1]
    assert any("ana: Time: 2 decisions …" in each for each in told)
    assert "returned None" in found["carla"].in_brief
    assert "torch" in found["diego"].in_brief and "ZeroDivisionError" in found["elena"].in_brief


def test_both_checks_hold_a_submission_to_the_memory_of_the_course(tmp_path: Path) -> None:
    """With 64 MiB a file that takes 300 is unfit for the student's check and for the teacher's."""
    greedy = "BLOCK = b'x' * (300 << 20)\n" + FIRST
    folder = course(tmp_path / "c", f"memory = 64\n{TOML}", greedy=greedy)
    (report,) = checked(folder).values()
    assert not report.fit
    run = CliRunner().invoke(app, ["check", str(folder / "greedy")])
    assert run.exit_code == 1, run.output


def start(folder: Path, store: Path) -> subprocess.Popen[bytes]:
    words = ["course", "run", str(folder), "--store", str(store), "--workers", "2", "--trust"]
    code = f"import sys; sys.argv = ['ludoteca', *{words!r}]; from ludoteca.cli import main; main()"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)


def count(store: Path) -> int:
    if not store.exists():
        return 0
    with Store(store) as opened:
        return sum(opened.count(run.id) for run in opened.runs())


def test_nothing_is_lost_when_it_is_killed_and_nothing_is_played_twice(tmp_path: Path) -> None:
    pick = "board.get_possible_moves()[({} * len(board.get_possible_moves())) // 6]"
    six = {f"s{each}": FIRST.replace("board.get_possible_moves()[0]", pick.format(each)) for each in range(6)}
    folder, store = course(tmp_path / "c", **six), tmp_path / "s"
    process = start(folder, store)
    while count(store) < 8:
        with pytest.raises(subprocess.TimeoutExpired):  # it is not done yet
            process.wait(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it was killed before it was done"
    kept = count(store)
    assert 8 <= kept < 30
    with Store(store) as opened:
        (run,) = opened.runs()
        before = dict(enumerate(opened.records(run.id)))
        places = [outcome.index for outcome in opened.outcomes(run.id)]
    assert start(folder, store).wait() == 0
    with Store(store) as opened:
        assert [each.id for each in opened.runs()] == [run.id] and opened.count(run.id) == 30
        assert [opened.record(run.id, place) for place in places] == list(before.values())
        met = [record.agents for record in opened.records(run.id)]
    assert len(set(met)) == 30


PLAIN = """
class First:
    def __init__(self, game, seat, seed):
        pass

    def act(self, view, limit):
        return view.legal()[0]
"""


@pytest.mark.parametrize("game", ["hex", "horses", "dominoes", "kittens"])
def test_a_plain_agent_is_a_submission_in_every_game(tmp_path: Path, game: str) -> None:
    folder = course(tmp_path / "c", f'game = "{game}"\ntime = 20.0\n', plain=PLAIN)
    (report,) = checked(folder).values()
    assert report.fit


def test_the_course_of_dominoes_that_the_docs_show(tmp_path: Path) -> None:
    shown = Path(__file__).parents[2] / "docs" / "examples" / "course-dominoes"
    folder = tmp_path / "c"
    shutil.copytree(shown, folder, ignore=shutil.ignore_patterns(".ludoteca", "site"))
    text = (folder / "course.toml").read_text()
    (folder / "course.toml").write_text(
        text.replace("time = 1.0", "time = 20.0").replace("matches = 10", "matches = 2")
    )
    result = played(folder, tmp_path / "s")
    assert result.matches == 8 and not any(tally.total for tally in result.faults.values())
