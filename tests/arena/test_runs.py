"""Nothing lost, nothing twice, and the same records whatever plays them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ludoteca
from ludoteca.arena.api import plan_of
from ludoteca.arena.plan import pairs
from ludoteca.arena.runs import play, stored_progress
from ludoteca.arena.workers import DEATHS, LocalWorkers
from ludoteca.errors import InvalidStore
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record
from ludoteca.play.seeds import new_secret
from ludoteca.play.store import Run, Store
from ludoteca.players.admission import Admission
from tests.arena.made import fixture, identities, series_plan
from tests.commands import run

CONDITIONS = Conditions("hex:size=4", "50n")


def test_pairs_share_their_deal_and_exchange_seats() -> None:
    a, b = identities(("a", "b"))
    fixtures = list(pairs(a, b, new_secret(), 0, 6))
    assert [fixture.seed for fixture in fixtures[0::2]] == [fixture.seed for fixture in fixtures[1::2]]
    assert len({fixture.seed for fixture in fixtures}) == 3
    assert fixtures[2].agents == (a, b) and fixtures[3].agents == (b, a)
    assert len({seed for each in fixtures for seed in each.agent_seeds}) == 12


def test_a_key_that_makes_no_sense_is_named() -> None:
    key = series_plan(CONDITIONS, ("random", "random"), 2).key()
    del key["limit"]
    with pytest.raises(InvalidStore, match="run 7 has a description that cannot be read"):
        plan_of(Run(7, key, {}, "", 0, ""))


def played_of(store: Store, run: int) -> list[Record]:
    return [record.without_clock() for record in store.records(run)]


def test_records_are_the_same_whatever_the_number_of_workers(faulty: Path) -> None:
    found = []
    for count, isolated in ((1, False), (3, True)):
        with Store(":memory:") as store:
            plan = series_plan(CONDITIONS, ("searcher", "random"), 24)
            progress = play(store, plan, lambda _: LocalWorkers(CONDITIONS, count, Admission(isolated)))  # noqa: B023
            assert progress.complete and progress.counted == progress.fresh == 24
            found.append(played_of(store, progress.run.id))
    assert found[0] == found[1]
    assert len({record.digest for record in found[0]}) == 24


def test_more_matches_continue_the_same_run_and_fewer_count_only_the_first() -> None:
    with Store(":memory:") as store:
        small, large = (series_plan(CONDITIONS, ("random", "random"), count) for count in (10, 16))
        first = play(store, small, lambda _: LocalWorkers(CONDITIONS, 1))
        second = play(store, large, lambda _: LocalWorkers(CONDITIONS, 1))
        assert (second.run.id, second.found, second.fresh) == (first.run.id, 10, 6)
        third = play(store, small, lambda _: pytest.fail("nothing is left to play"))
        assert third.tally == first.tally
        again = play(store, small, lambda _: LocalWorkers(CONDITIONS, 1), again=True)
        assert again.run.id != first.run.id and again.tally == first.tally


def test_a_sequential_test_stops_at_the_same_pair_whatever_the_number_of_workers(faulty: Path) -> None:
    """The first agent always loses: the test rejects after few pairs, and what was played beyond does not count."""
    plan = series_plan(CONDITIONS, ("loser", "random"), 400, sprt="0,200")
    results = []
    with Store(":memory:") as store:
        for count in (1, 3):
            progress = play(store, plan, lambda _: LocalWorkers(CONDITIONS, count), again=True)  # noqa: B023
            results.append((progress.counted, progress.tally))
            assert stored_progress(store, progress.run, plan).tally == progress.tally
    assert results[0] == results[1]
    counted, tally = results[0]
    assert counted < 400
    verdict = tally.verdict  # type: ignore[attr-defined]
    assert verdict.decision == "reject"
    shorter = list(tally.pairs)  # type: ignore[attr-defined]
    shorter[0] -= 1
    assert plan.sprt is not None and plan.sprt.update(shorter).decision is None, "it could have stopped earlier"


def test_faults_are_listed_by_agent_and_not_by_seat(faulty: Path) -> None:
    result = ludoteca.series("hex:size=4", "raises", "illegal", 4, limit="60s", store=":memory:")
    assert result.faults[0].total + result.faults[1].total == 4
    assert set(result.faults[0].counts) <= {ludoteca.Ending.error}
    assert set(result.faults[1].counts) <= {ludoteca.Ending.illegal}


def test_a_worker_that_dies_is_replaced_and_its_matches_are_played(faulty: Path) -> None:
    fixtures = [fixture(index, ("slow", "slow"), index) for index in range(4)]
    with LocalWorkers(CONDITIONS, 2) as workers:
        for each in fixtures:
            workers.submit(each)
        finished = dict(workers.collect())
        victim = workers._workers[0].process
        os.kill(victim.pid, signal.SIGKILL)
        while len(finished) < 4:
            finished |= dict(workers.collect())
        assert sorted(finished) == [0, 1, 2, 3]
        assert victim not in [worker.process for worker in workers._workers]


def test_workers_that_die_before_they_can_play_do_not_count_against_a_match() -> None:
    with LocalWorkers(CONDITIONS, 1) as workers:
        for index in range(2):
            workers.submit(fixture(index, ("random", "random"), index))
        finished: dict[int, str] = {}
        for _ in range(DEATHS):
            victim = workers._workers[0]
            os.kill(victim.process.pid, signal.SIGKILL)  # Python itself has not started yet
            while workers._workers[0] is victim:
                finished |= dict(workers.collect())
        while len(finished) < 2:
            finished |= dict(workers.collect())
        assert sorted(finished) == [0, 1]


def test_our_own_faults_are_raised(faulty: Path) -> None:
    with Store(":memory:") as store:
        plan = series_plan(CONDITIONS, ("assassin", "random"), 4)
        with pytest.raises(ludoteca.WorkerError, match=r"worker processes die .* while playing match"):
            play(store, plan, lambda _: LocalWorkers(CONDITIONS, 1))
        broken = Conditions("chess", "1s")
        with pytest.raises(ludoteca.WorkerError, match="no game is called 'chess'"):
            play(store, plan, lambda _: LocalWorkers(broken, 1))


def words(store: Path, matches: int) -> list[str]:
    limits = ["-n", str(matches), "--limit", "50n", "--seed", "3", "--workers", "2"]
    return ["match", "hex:size=4", "searcher", "random", *limits, "--store", str(store)]


def start(store: Path, matches: int) -> subprocess.Popen[str]:
    """The command as a shell starts it, in a group of its own."""
    command = [sys.executable, "-m", "ludoteca.cli", *words(store, matches)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def played(path: Path) -> int:
    if not path.exists():
        return 0
    with Store(path) as store:
        return sum(store.count(run.id) for run in store.runs())


def wait_for(process: subprocess.Popen[str], path: Path, matches: int) -> None:
    """Returns once so many matches are stored; the process must not end before."""
    while played(path) < matches:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)


def test_killed_at_random_points_it_ends_as_if_nothing_had_happened(faulty: Path, tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.sqlite", tmp_path / "torn.sqlite"
    chance, before = random.Random(4), 0
    for _ in range(2):
        process = start(torn, 600)  # many more than it plays before it is killed
        wait_for(process, torn, before + chance.randrange(1, 18))
        process.kill()
        process.communicate()
        before = played(torn)
    total = before + 20 + before % 2
    with Store(torn) as store:
        earlier = sum(outcome.index < total for outcome in store.outcomes(1))
    last = run(*words(torn, total))
    assert f"{earlier} of them played earlier" in last.stdout, last.stdout + last.stderr
    assert run(*words(whole, total)).returncode == 0
    with Store(whole) as one, Store(torn) as two:
        assert played_of(one, 1) == played_of(two, 1)[:total]
        assert len(played_of(one, 1)) == total
        assert [each.key for each in one.runs()] == [each.key for each in two.runs()]
    assert "These matches were played earlier" in run(*words(torn, total)).stdout


def test_control_c_stops_in_good_order_and_says_how_to_go_on(faulty: Path, tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    process = start(path, 1000)
    wait_for(process, path, 5)
    os.killpg(process.pid, signal.SIGINT)
    found, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"Stopped. {played(path)} matches are saved; the same command goes on." in " ".join(found.split())
    assert errors == ""
    group = subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True, text=True, check=False)
    assert group.stdout == ""
