"""Matches in the making are seen, and being seen changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.arena.api import Watch
from ludoteca.arena.referee import Referee
from ludoteca.arena.runs import Progress
from ludoteca.play.conditions import Conditions
from ludoteca.play.file_locks import locked
from ludoteca.play.live_matches import SHORTEST, LiveMatch, LivePublisher, live_folder, live_matches
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from tests.arena.made import fixture
from tests.ending import has_ended
from tests.players.test_crowd import family

SEATS = (Who(Identity("ada")), Who(Identity("bob")))
RECORD = Record("hex:size=3", 7, SEATS, (4, 0), (0, 1), seconds=(0.1, 0.2), ending=Ending.unfinished)
MATCH = LiveMatch(4, RECORD, 1e9)


@dataclass
class Playing:
    """A referee that a test is."""

    index: int = 0
    match: Match | None = None


def shown(store: Path) -> LiveMatch | None:
    (match,) = live_matches(store, 1).values()
    return match


def test_a_match_is_shown_once_it_has_lasted_and_until_it_is_over(tmp_path: Path) -> None:
    store, playing = tmp_path / "arena.sqlite", Playing()
    folder = live_folder(store, 1)
    assert folder is not None
    show = LivePublisher(folder, playing)
    playing.index, playing.match = 3, Match(ludoteca.game("hex:size=3"), 9, [4], seats=SEATS)
    show.look(0.0)
    show.look(SHORTEST - 0.01)
    assert live_matches(store, 1) == {} and not folder.exists()
    show.look(SHORTEST)
    first = shown(store)
    assert first is not None
    assert (first.place, first.record.game, first.record.seed, first.record.seats) == (3, "hex:size=3", 9, SEATS)
    playing.match.play(0, 0.5)
    assert shown(store) == first
    show.look(SHORTEST + 1)
    later = shown(store)
    assert later is not None and (later.record.actions, later.record.seconds) == ((4, 0), (0.0, 0.5))
    playing.index, playing.match = 5, Match(ludoteca.game("hex:size=3"), 9)
    show.look(SHORTEST + 2)
    assert shown(store) is None
    show.look(2 * SHORTEST + 2)
    following = shown(store)
    assert following is not None and (following.place, following.record.actions) == (5, ())
    playing.match = None
    show.look(9.0)
    assert shown(store) is None
    show.hide()
    assert live_matches(store, 1) == {}


def test_a_match_that_is_being_written_is_not_misread() -> None:
    data = MATCH.to_bytes()
    assert LiveMatch.from_bytes(data) == MATCH
    other = replace(MATCH, record=replace(RECORD, actions=(4, 1)), since=2e9).to_bytes()
    for torn in (data[:-9], data + b"5", other[:40] + data[40:], b"", b"\n", b"00000000 {}"):
        with pytest.raises(ValueError, match="not a whole live match"):
            LiveMatch.from_bytes(torn)


def test_what_the_dead_have_left_is_ignored_and_taken_away(tmp_path: Path) -> None:
    store = tmp_path / "arena.sqlite"
    folder = live_folder(store, 2)
    assert folder is not None
    folder.mkdir()
    (folder / "11").write_bytes(MATCH.to_bytes())
    living = locked(folder / "12")
    assert living is not None
    os.pwrite(living.fileno(), MATCH.to_bytes(), 0)
    assert live_matches(store, 2) == {"12": MATCH}
    assert not (folder / "11").exists()
    living.close()
    assert live_matches(store, 2) == {} and not folder.exists()
    assert live_matches(store, 2) == {} and live_matches(":memory:", 2) == {}


def test_where_nothing_can_be_written_matches_are_played_unseen(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "live"
    with Referee(Conditions("hex:size=3", "60s")) as referee, LivePublisher(folder, referee) as show:
        show._playing = Playing(0, Match(ludoteca.game("hex:size=3"), 1))
        show._thread.join(30)  # it has tried, and given up without a word
        assert not show._thread.is_alive()
        assert referee.play(fixture(0, ("random", "random"), 1)).ending is ludoteca.Ending.finished


def test_a_run_is_seen_and_its_records_are_as_if_they_had_not_been_watched(faulty: Path, tmp_path: Path) -> None:
    path, lengths = tmp_path / "arena.sqlite", set()

    def watch(progress: Progress) -> None:
        for match in live_matches(path, progress.run.id).values():
            if match is not None:
                assert {who.agent for who in match.record.seats} == {"slow", "searcher"}
                replayed = Match.of_record(match.record)
                lengths.add((match.place, len(replayed.actions)))

    def played(store: Path | str, look: Watch) -> list[Record]:
        result = ludoteca.series(
            "hex:size=9", "slow", "searcher", 2, limit="9n", seed=1, store=store, workers=2, watch=look
        )
        return [record.without_clock() for record in result.records]

    assert played(path, watch) == played(":memory:", lambda progress: None)
    assert len(lengths) > 2, "no match was seen to go on"
    assert sorted(each.name.partition("-")[0] for each in tmp_path.iterdir()) == ["arena.sqlite"]


def test_an_arena_that_is_killed_is_not_seen_any_more(faulty: Path, tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    words = ["match", "hex:size=9", "slow", "slow", "-n", "100", "--workers", "2", "--store", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "ludoteca.cli", *words], stdout=subprocess.DEVNULL)
    try:
        while len([match for match in live_matches(path, 1).values() if match]) < 2:
            assert not has_ended(process.pid, within=0.05), "it ended before two matches were seen"
        workers = family(process.pid)
    finally:
        process.kill()
        process.wait()
    assert all(map(has_ended, workers))
    assert not live_matches(path, 1) and not Path(f"{path}-run1.live").exists()
    with Store(path) as store:
        assert store.find("1").key["game"] == "hex:size=9"
