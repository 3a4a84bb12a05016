"""A league is played by real workers, stopped anywhere and taken up again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture
from ludoteca.arena.workers import LocalWorkers
from ludoteca.errors import InvalidOption, WorkerError
from ludoteca.league.database import Database, Pair, Status
from ludoteca.league.leaderboard import FullRating, Results, rating_of_all
from ludoteca.league.opened_league import League
from ludoteca.league.playing import scheduler as rating_times
from ludoteca.league.playing.challenge_share import ChallengeShare
from ludoteca.league.playing.scheduler import MOST_FAULTS, Scheduler
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome
from ludoteca.players.faults import Ending
from tests.league.made import league

CONDITIONS = Conditions.of("horses:size=5", "50n")


def opened(folder: Path) -> Database:
    database = Database(folder)
    if not database.versions():
        for spec in ("random", "minimax:depth=1"):
            baseline = database.add_version(None, "", spec)
            database.admit(baseline, identity_of(spec, "horses"))
        database.add_people([("Ana Pérez", "ana"), ("Luis Peña", "luis")])
        for person, spec in zip(database.people(), ("minimax:depth=2", "minimax:depth=3"), strict=True):
            database.admit(database.add_version(person.id, "", spec), identity_of(spec, "horses"))
    return database


@contextmanager
def scheduled(folder: Path, seed: int = 1) -> Iterator[tuple[Database, Scheduler]]:
    with (
        opened(folder) as database,
        LocalWorkers(CONDITIONS, 1) as workers,
        Scheduler(database, workers, rng=random.Random(seed)) as scheduler,
    ):
        yield database, scheduler


def play(scheduler: Scheduler, matches: int) -> None:
    done = 0
    while done < matches:
        done += scheduler.step()


def test_a_league_stopped_anywhere_loses_no_match_and_goes_on(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 10)
        first = database.store.outcomes(database.run.id)
    with scheduled(tmp_path) as (database, scheduler):
        assert database.store.outcomes(database.run.id) == first
        begun = {pair.id for pair in database.pairs()}
        play(scheduler, 60)
        places = {outcome.index for outcome in database.store.outcomes(database.run.id)}
        assert all(place in places for pair in begun for place in (2 * pair, 2 * pair + 1))
        results = Results.of(database)
    assert results.counts == scheduler.results.counts
    baselines = [version.id for version in opened(tmp_path).versions() if version.person is None]
    ratings = rating_of_all(results, baselines)
    assert (
        sum(ratings.agents[each].elo for each in baselines) == 0
        or abs(sum(ratings.agents[each].elo for each in baselines)) < 1e-6
    )


def test_a_new_version_stands_for_its_student_and_inherits_nothing(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 20)
        ana = database.people()[0]
        old = database.versions(ana.id)[0]
        new = database.add_version(ana.id, "", "minimax:depth=4")
        database.admit(new, identity_of("minimax:depth=4", "horses"))
        met = {pair.id for pair in database.pairs()}
        play(scheduler, 40)
        later = [pair for pair in database.pairs() if pair.id > max(met) + 4]
        assert database.versions(ana.id)[0].status is Status.resting
        assert any(new.id in pair[1:3] for pair in later)
        assert not any(old.id in pair[1:3] for pair in later)
        assert all(new.id not in pair[1:3] for pair in database.pairs() if pair.id in met)


def test_the_first_results_of_a_version_are_rated_before_the_next_rating_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_times, "RATE_PAUSE", 0.0)
    with scheduled(tmp_path) as (database, scheduler):
        while len(database.ratings()) < 4:
            scheduler.step()
        monkeypatch.setattr(rating_times, "RATE_SHARE", 1e-9)  # from now on a rating is due after years
        rated = scheduler.results.counts.total()
        while scheduler.results.counts.total() < rated + 5:
            scheduler.step()
        new = database.add_version(database.people()[0].id, "", "minimax:depth=4")
        database.admit(new, identity_of("minimax:depth=4", "horses"))
        while new.id not in database.ratings():
            scheduler.step()


def test_while_many_versions_wait_for_their_check_only_newcomers_play(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 20)
        ana, luis = database.people()
        waiting = [database.add_version(ana.id, "", f"minimax:depth={depth}") for depth in range(4, 10)]
        new = database.add_version(luis.id, "", "minimax:depth=4")
        database.admit(new, identity_of("minimax:depth=4", "horses"))
        while not any(new.id in pair[1:3] for pair in database.pairs()):  # the workers may still be busy
            scheduler.step()
        given = len([*database.pairs()])
        while scheduler._unfinished:  # those that were given out before, and the newcomer's first
            scheduler.step()
        scheduler.step()
        assert len([*database.pairs()]) == given
        assert [new.id in pair[1:3] for pair in database.pairs()].count(True) == 1
        for version in waiting:
            database.refuse(version, "as it is")
        play(scheduler, 4)
        assert len([*database.pairs()]) > given


def test_a_banned_version_no_longer_counts(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 30)
        version = database.versions(database.people()[0].id)[0]
        database.ban(version, "copied")
        assert database.people()[0].standing is None
        ratings = rating_of_all(Results.of(database), [1, 2])
        assert version.id not in ratings.agents


def test_the_page_reads_the_last_full_rating_and_how_surely_a_version_is_better(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        ana = database.people()[0]
        new = database.add_version(ana.id, "", "minimax:depth=4")
        play(scheduler, 8)
        database.admit(new, identity_of("minimax:depth=4", "horses"))
        play(scheduler, 40)
        scheduler.rate_now()
        full = FullRating.of(Results.of(database), {each.id: each.person for each in database.versions()})
        assert database.ratings() == pytest.approx(full.ratings)
        old = database.versions(ana.id)[0].id
        sure = database.better(new.id, old)
        assert sure is not None and sure == pytest.approx(1 - full.better[0][2])
        assert database.better(old, new.id) == pytest.approx(1 - sure)
        assert database.better(old, database.people()[1].standing or 0) is None
        status = database.status()
        assert status is not None and status.workers == 1


def test_a_paused_league_plays_nothing_and_a_paused_version_is_given_nothing(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 4)
        database.pause()
        while database.store.count(database.run.id) < 2 * len([*database.pairs()]):
            scheduler.step()  # what was given out is played
        count = database.store.count(database.run.id)
        assert scheduler.step() == 0 == scheduler.step()
        assert database.store.count(database.run.id) == count
        luis = database.versions(database.people()[1].id)[0]
        database.pause(luis.id)
        database.resume()
        before = max(pair.id for pair in database.pairs())
        play(scheduler, 20)
        assert all(luis.id not in pair[1:3] for pair in database.pairs() if pair.id > before)
        database.resume(luis.id)
        while luis.id not in [*database.pairs()][-1][1:3]:
            scheduler.step()


def test_a_challenge_is_played_and_does_not_count(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        ana, luis = database.people()
        own, other = (database.versions(person.id)[0] for person in (ana, luis))
        database.retire(other, "")
        challenge = database.challenge(ana.id, own.id, other.id, 2)
        while not database.challenges(ana.id)[0].finished:
            scheduler.step()
        (played,) = database.challenges(ana.id)
        assert played.id == challenge.id and played.matches == 4 and 0 <= played.points <= 4
        matches = [each for each in database.matches_of(own.id, 1000) if each.challenge == challenge.id]
        assert len(matches) == 4 and sum(each.score for each in matches) == played.points
        assert not any(agents == (own.id, other.id) for agents, _ in Results.of(database).counts)
        assert database.challenges(unfinished=True) == []


def test_what_a_student_may_not_challenge(tmp_path: Path) -> None:
    with opened(tmp_path) as database:
        ana, luis = database.people()
        own, other = (database.versions(person.id)[0] for person in (ana, luis))
        for first, second, pairs in ((own.id, own.id, 1), (other.id, own.id, 1), (own.id, 99, 1), (own.id, 1, 11)):
            with pytest.raises(InvalidOption):
                database.challenge(ana.id, first, second, pairs)
        for _ in range(2):
            database.challenge(ana.id, own.id, other.id, 10)
        with pytest.raises(InvalidOption, match="wait"):
            database.challenge(ana.id, own.id, 1, 1)
        database.challenge(None, other.id, 1, 50)
        database.ban(other, "copied")
        with pytest.raises(InvalidOption):
            database.challenge(None, other.id, 1, 1)


def test_slow_players_in_challenges_cannot_starve_the_league() -> None:
    """A pair of a challenge lasts a hundred times as long as the others. It gets a quarter of the time, not more."""
    for workers in (1, 4, 16):
        share, spent, challenges = ChallengeShare(), 0.0, 0.0
        for pair in range(4000):
            slow = share.allows(workers)
            if slow:
                share.begin(pair)
            for _ in range(2):
                share.spend(100.0 if slow else 1.0, challenge=slow)
            share.end(pair)
            challenges += 200.0 * slow
            spent += 200.0 if slow else 2.0
        assert 0.2 <= challenges / spent <= 0.25 + 200 / spent
    share.spend(100.0, challenge=False)
    for pair in range(16):
        if share.allows(16):
            share.begin(pair)
    assert not share.allows(16)  # at most four of sixteen workers


def test_a_version_that_always_fails_is_set_aside_with_the_reason(faulty: Path, tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        luis = database.people()[1]
        broken = database.add_version(luis.id, "", "raises")
        database.admit(broken, Identity("raises"))
        while database.version(broken.id).status is Status.playing:
            scheduler.step()
        aside = database.version(broken.id)
        assert aside.status is Status.faulty and "faults of its own" in aside.reason
        faults = database.matches_of(broken.id, own_faults=True)
        assert len(faults) >= MOST_FAULTS and all(each.own_fault and each.message for each in faults)
        assert database.people()[1].standing == broken.id
        rest = max(pair.id for pair in database.pairs())
        play(scheduler, 10)
        assert all(broken.id not in pair[1:3] for pair in database.pairs() if pair.id > rest)
        scheduler.rate_now()
        assert database.ratings()[broken.id].faults == Results.of(database).faults[broken.id] >= MOST_FAULTS
    with scheduled(tmp_path) as (database, scheduler):  # a restart does not forget, and the teacher may let it try
        assert database.version(broken.id).status is Status.faulty
        database.reinstate(aside)
        scheduler.step()
        assert database.version(broken.id).plays


class FailingWorkers(LocalWorkers):
    """Fail in the matches of one agent, as if our own code had an error that only it meets."""

    def submit(self, fixture: Fixture) -> None:
        if any(agent.spec == "minimax:depth=3" for agent in fixture.agents):
            error = WorkerError("a worker failed")
            error.match = fixture.index
            self.error: WorkerError | None = error
        else:
            super().submit(fixture)

    def collect(self) -> list[tuple[int, str]]:
        if (error := getattr(self, "error", None)) is not None:
            raise error
        return super().collect()


def test_a_version_over_which_the_arena_fails_does_not_stop_the_league_for_ever(tmp_path: Path) -> None:
    restarts, played = 0, 0
    with opened(tmp_path) as database:
        for _ in range(2):  # a baseline has met it as often as it takes to be set aside
            failed = database.add_pair(1, 4, 0)
            database.give_up_pair(failed.id)
        while played < 12:
            assert restarts < 12
            with Scheduler(database, FailingWorkers(CONDITIONS, 1), rng=random.Random(restarts)) as scheduler:
                try:
                    while played < 12:
                        played += scheduler.step()
                except WorkerError:
                    restarts += 1
        (version,) = [each for each in database.versions() if each.spec == "minimax:depth=3"]
        assert version.status is Status.faulty and "itself failed" in version.reason
        assert all(each.status is Status.playing for each in database.versions() if each.id != version.id)


def test_pairs_that_repeat_count_once() -> None:
    results = Results()

    def outcomes(pair: Pair, digest: str) -> dict[int, Outcome]:
        return {
            place: Outcome(place, (1.0, -1.0), Ending.finished, None, f"{digest}{place % 2}") for place in pair.places
        }

    for number, digest in enumerate("abab"):
        pair = Pair(number, 1, 2, number % 2, None)
        results.add(pair, outcomes(pair, digest))
    assert results.counts.total() == 2


def test_changed_files_are_set_aside_and_a_changed_baseline_is_followed_by_a_new_one(tmp_path: Path) -> None:
    league(tmp_path)
    with ExitStack() as stack:
        database = League.of(tmp_path, stack).database
        (old,) = database.versions()
        row = json.dumps(Identity("random", "0" * 12).to_json())
        database.store.base.execute("UPDATE league_versions SET identity = ?", (row,))
        database.add_pair(old.id, old.id, 0)
        League.of(tmp_path, stack)
        old, new = database.versions()
        assert (old.status, new.status) == (Status.faulty, Status.playing)
        assert [pair.given_up for pair in database.pairs()] == [True]
        League.of(tmp_path, stack)
        assert len(database.versions()) == 2


def test_only_one_process_plays_a_league(tmp_path: Path) -> None:
    with (
        Database(tmp_path) as database,
        database.sole_player(),
        Database(tmp_path) as other,
        pytest.raises(InvalidOption, match="another process plays the league"),
        other.sole_player(),
    ):
        pass
