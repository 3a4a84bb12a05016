"""A league ends once, whatever interrupts it: the final, its grades, and an archive that holds no codes."""

from __future__ import annotations

import csv
import io
import sqlite3
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca.agents.digests import identity_of
from ludoteca.arena.api import WorkerSettings
from ludoteca.arena.runs import Progress
from ludoteca.cli import app
from ludoteca.course.formula import Formula
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.league.database import read_roster
from ludoteca.league.final import tournament as final
from ludoteca.league.final.grade_files import points_possible
from ludoteca.league.final.tournament import Announcement
from ludoteca.league.opened_league import League
from ludoteca.play.store import Store
from tests.course.made import FIRST, LAST
from tests.league.made import ROSTER, TOML, hand_in, league

ONE = WorkerSettings(1, False)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def finish(folder: Path, *options: str, answer: str = "") -> str:
    result = CliRunner().invoke(app, ["league", "finish", str(folder), "--workers", "1", *options], input=answer)
    assert result.exit_code in (0, 1), result.output
    return result.output


def test_a_league_is_finished_once_and_its_files_say_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three play; the third has a name that a spreadsheet would take for a formula, and handed in nothing."""
    monkeypatch.setattr("ludoteca.league.hand_in.CHECK_SECONDS", 2.0)
    settings, folder = league(tmp_path), tmp_path / "final"
    with ExitStack() as stack:
        database = League.of(tmp_path, stack).database
        codes = [database.new_code(each.id) for each in database.people()]
        _, first = hand_in(database, settings, "ana", FIRST)
        database.admit(first, identity_of(first.spec, "hex"))
        _, waiting = hand_in(database, settings, "luis", LAST)
        asked = finish(tmp_path, answer="n\n")
        assert "=HYPERLINK(1)" in asked and "12 matches" in asked and database.final() is None, "no is no"

        def stop(progress: Progress) -> None:
            if progress.fresh:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            final.play(database, settings, ONE, watch=stop, tell=print)
        state = database.final()
        assert state is not None and state.played is None
        assert state.entrants == {1: first.id, 2: waiting.id, 3: None}, "what waited for its check was in time"
        with pytest.raises(InvalidAgent, match="over"):
            hand_in(database, settings, "eva", FIRST)
        with pytest.raises(InvalidOption, match="over"):
            database.choose(1, first.id)
        database.retire(database.versions()[0], "a baseline retired now still plays the final")
        before = len(database.store.outcomes(2))
    said = finish(tmp_path)
    assert "=HYPERLINK(1) is not in the final: nothing was handed in" in said
    with Store(tmp_path / "league.sqlite") as store:
        runs = store.runs()
        assert [run.key["kind"] for run in runs] == ["league", "tournament"]
        assert 0 < before <= store.count(runs[1].id) == 6 and store.count(runs[0].id) == 0
    again = finish(tmp_path)
    assert "Only its files are written again" in again
    private = [each.name for each in folder.iterdir() if each.is_file() and each.stat().st_mode & 0o077]
    assert private == ["site.zip"], "what names grades and sources is the teacher's alone"
    grades = {row["id"]: row for row in csv.DictReader((folder / "grades.csv").read_text("utf-8-sig").splitlines())}
    assert set(grades) == {"ana", "luis", "eva"}
    assert (grades["eva"]["name"], grades["eva"]["grade"]) == ("'=HYPERLINK(1)", "0.00")
    moodle = rows((folder / "moodle.csv").read_text("utf-8"))
    assert moodle[0] == ["Full name", "ID number", "Email address", "Spring", "Spring (feedback)"]
    by_id = {row[1]: row for row in moodle[1:]}
    assert by_id["ana"][:4] == ["Ana Pérez", "ana", "ana@example.org", grades["ana"]["grade"]]
    assert by_id["ana"][4].startswith("Version 1: place ") and by_id["eva"][4].startswith("Not in the final: nothing")
    canvas = rows((folder / "canvas.csv").read_text("utf-8"))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Spring"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "10.00"]
    assert ["'=HYPERLINK(1)", "", "eva", "eva", "B", "0.00"] in canvas
    index = (folder / "site" / "index.html").read_text("utf-8")
    assert "Ana Pérez" in index and "random" in index and "nothing was handed in" in index
    archive_replays(folder / "archive.zip", tmp_path / "years later", codes)


def archive_replays(path: Path, there: Path, codes: list[str]) -> None:
    with zipfile.ZipFile(path) as archive:
        archive.extractall(there)
    store = there / "ludoteca" / "arena.sqlite"
    assert (there / "league.toml").exists() and (there / "grades.csv").exists()
    assert "ludoteca==" in (there / "packages.txt").read_text() and "ludoteca show --store" in (
        there / "README.txt"
    ).read_text(encoding="utf-8")
    assert {each.parent.name for each in there.glob("sources/*/*/solution.py")} == {"ana", "luis"}
    base = sqlite3.connect(store)
    assert base.execute("SELECT count(code), count(*) FROM league_people").fetchone() == (0, 3)
    base.close()
    assert all(code.encode() not in store.read_bytes() for code in codes)
    shown = CliRunner().invoke(app, ["replay", "2", "0", "--store", str(store)])
    assert shown.exit_code == 0 and " wins: " in shown.output, shown.output


def test_a_final_is_announced_by_the_size_of_the_class(tmp_path: Path) -> None:
    settings = league(tmp_path)
    small, large = Announcement.of(settings, 30, 1), Announcement.of(settings, 31, 1)
    assert (small.format, small.rounds, small.matches) == ("round-robin", None, 31 * 30)
    assert (large.format, large.rounds, large.matches) == ("swiss", 10, 10 * 32)
    fixed = league(tmp_path, 'format = "swiss"\nrounds = 3\n' + TOML)
    assert Announcement.of(fixed, 2, 1).rounds == 3
    with pytest.raises(InvalidOption, match="references"):
        league(tmp_path, 'format = "references"\n' + TOML)


def test_a_league_in_which_nobody_can_play_is_not_frozen(tmp_path: Path) -> None:
    """Neither before a version was handed in, nor when the last one of all is refused by its check."""
    settings = league(tmp_path)
    with ExitStack() as stack:
        database = League.of(tmp_path, stack).database
        with pytest.raises(InvalidOption, match="no final"):
            final.play(database, settings, ONE, watch=print, tell=print)
        assert database.final() is None
        hand_in(database, settings, "ana", "from player import Player\nclass Mine(Player):\n    play = 1 / 0\n")
        with pytest.raises(InvalidOption, match="no final"):
            final.play(database, settings, ONE, watch=print, tell=print)
        assert database.final() is None
        hand_in(database, settings, "ana", FIRST)


@pytest.mark.parametrize("ident", ["../other", "a/b", ".ludoteca", "x" * 61])
def test_an_id_that_leads_out_of_its_folder_is_refused(tmp_path: Path, ident: str) -> None:
    league(tmp_path, roster=ROSTER + f"Mallory,{ident}\n")
    with pytest.raises(InvalidOption, match="line 5"):
        read_roster(tmp_path / "roster.csv")


def test_the_points_possible_are_those_of_a_student_who_wins_everything() -> None:
    assert points_possible(Formula.parse("4 * qualified + 6 * score"), []) == 10
    assert points_possible(Formula.parse("20 - place"), []) == 19
    assert points_possible(Formula.parse("elo"), []) != points_possible(Formula.parse("elo"), []), "not known"
