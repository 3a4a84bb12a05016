"""A league is played by real workers, stopped anywhere and taken up again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.arena.workers import LocalWorkers
from ludoteca.league.database import Database, Status
from ludoteca.league.leaderboard import Results, rating_of_all
from ludoteca.league.scheduler import Scheduler
from ludoteca.play.conditions import Conditions

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


def test_a_banned_version_no_longer_counts(tmp_path: Path) -> None:
    with scheduled(tmp_path) as (database, scheduler):
        play(scheduler, 30)
        version = database.versions(database.people()[0].id)[0]
        database.ban(version, "copied")
        assert database.people()[0].standing is None
        ratings = rating_of_all(Results.of(database), [1, 2])
        assert version.id not in ratings.agents
