"""The cores of sandboxes: pools reserve different ones, and waiting for a core is measured."""

from __future__ import annotations

import os

import pytest

from ludoteca.players.processes import resource_usage
from ludoteca.players.processes.resource_usage import UsageMeter
from ludoteca.players.sandbox import cores
from ludoteca.players.sandbox.cores import Cores

if not hasattr(os, "sched_getaffinity"):
    pytest.skip("this system has no cores to choose", allow_module_level=True)


def test_pools_have_different_cores_as_long_as_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "NAME", "\0ludoteca test {core} {share}")  # others play on this machine
    allowed = os.sched_getaffinity(0)
    for _ in range(2):  # all are free again at the end
        pools = [Cores(1) for _ in range(3 * len(allowed))]
        taken = [pool.next() for pool in pools]
        assert {*taken[: len(allowed)]} == {*taken[len(allowed) : 2 * len(allowed)]} == allowed
        assert all(taken.count(core) == 3 for core in allowed)
        for pool in pools:
            pool.close()


def test_players_of_a_match_share_a_core_and_concurrent_matches_do_not() -> None:
    one, all_ = Cores(1), Cores(len(os.sched_getaffinity(0)))
    assert one.next() == one.next()
    assert len({all_.next() for _ in all_.cores}) == len({*all_.cores})
    one.close()
    all_.close()


@pytest.mark.parametrize(
    ("computed", "stood", "waited"),
    [(0.1, 0.2, 0.2), (0.9, 0.5, 0.1), (1.8, 0.5, 0.0)],
    ids=["others had the core", "mostly threads of its own", "more threads than cores"],
)
def test_waiting_for_its_own_threads_is_no_jitter(
    monkeypatch: pytest.MonkeyPatch, computed: float, stood: float, waited: float
) -> None:
    now, used, waits = [0.0], [1.0], [3.0]
    monkeypatch.setattr("ludoteca.players.processes.resource_usage.time.monotonic", lambda: now[0])
    monkeypatch.setattr(resource_usage, "cpu_seconds", lambda pid: used[0])
    watched = UsageMeter(os.getpid())
    monkeypatch.setattr(watched, "_wait_seconds", lambda: waits[0])
    watched.update()
    before = watched.usage.wait_seconds
    now[0] = 100.0  # it stood still meanwhile
    watched.resume()
    now[0], used[0], waits[0] = 101.0, 1.0 + computed, 3.0 + stood
    assert watched.new_wait_seconds() == pytest.approx(waited)
    assert watched.usage.wait_seconds - before == pytest.approx(waited)
    watched.close()
