"""The core's searches as objects: run or started, watched and stopped, from any thread."""

from __future__ import annotations

import gc
import os
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import ludoteca
from ludoteca import _core
from tests.agents.threads import native_threads
from tests.ending import has_ended

Maker = Callable[..., _core.Search]


def astar(**limit: Any) -> _core.Search:
    state: Any = ludoteca.game("hex").deal(0)
    for cell in (0, 10, 40, 50, 80, 90):  # far from each other, so that there are many candidates
        state.apply(cell)
    return _core.hex_astar(state.view(0), 9, ([], []), **limit)


def beam(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("hex").deal(0).view(0)
    return _core.hex_beam(view, 28, 1, **limit)


def horses(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("horses").deal(0).view(0)
    return _core.horses_minimax(view, 64, 0.5, **limit)


def horses_engine(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("horses:penalty=every").deal(0).view(0)
    return _core.horses_engine(view, exact_margin=True, threads=2, **limit)


def dominoes(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("dominoes:start=seat,pips=9").deal(0).view(0)
    return _core.dominoes_minimax(view, 64, True, **limit)


def program(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("dominoes:start=seat,pips=9").deal(0).view(0)
    return _core.dominoes_expectimax(view, 64, 2**63, **limit)


def tree(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("hex").deal(0).view(0)
    return _core.HexTree(1.0).search(view, **limit)


def trees(**limit: Any) -> _core.Search:
    view: Any = ludoteca.game("kittens").deal(0).view(0)
    return _core.KittensTree(1.0, threads=2).search(view, **limit)


ENDLESS = pytest.mark.parametrize("make", [astar, beam, horses, horses_engine, dominoes, program, tree, trees])
"""Searches that would take years."""

LONG_ENOUGH = 10.0
"""Seconds within which a busy machine surely does what takes milliseconds; `bench.speed.limits` measures how many."""


@pytest.fixture
def no_thread_left() -> Any:
    """The threads of searches are gone when their objects are, but for one that gives a large table back."""
    before = native_threads()
    yield
    gc.collect()
    deadline = time.monotonic() + 10
    while native_threads() > before and time.monotonic() < deadline:
        os.sched_yield()
    assert native_threads() <= before


@ENDLESS
@pytest.mark.usefixtures("no_thread_left")
def test_a_search_is_watched_and_stopped(make: Maker) -> None:
    search = make()
    search.start()
    while not search.choice().depth:
        assert not search.wait(1)
    begun = time.monotonic()
    search.stop()
    while not search.wait(1):
        pass
    assert time.monotonic() - begun < LONG_ENOUGH
    choice = search.choice()
    assert choice.depth and choice.nodes and not choice.complete
    assert dict(choice.scores)[choice.action] == choice.value
    assert choice.line[0] == choice.action


@ENDLESS
def test_a_deadline_ends_it(make: Maker) -> None:
    begun = time.monotonic()
    choice = make(seconds=0.05).run()
    assert 0.05 <= time.monotonic() - begun < 0.05 + LONG_ENOUGH
    assert not choice.complete


@ENDLESS
@pytest.mark.parametrize("nodes", [0, 1, 10, 1000, 5000])
def test_nodes_are_counted_exactly(make: Maker, nodes: int) -> None:
    choice = make(nodes=nodes).run()
    assert choice.nodes == nodes
    assert not choice.complete
    watched = make(nodes=nodes)
    watched.start()
    while not watched.wait(1):
        pass
    for name in ("action", "value", "scores", "line", "nodes", "depth", "complete", "exhaustive"):
        assert getattr(watched.choice(), name) == getattr(choice, name)


@ENDLESS
@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e-9])
def test_no_time_is_no_search(make: Maker, seconds: float) -> None:
    choice = make(seconds=seconds).run()
    assert (choice.depth, choice.scores, choice.nodes) == (0, [], 0)
    assert choice.line == [choice.action]


@pytest.mark.parametrize("seconds", [1e9, 1e18, 1e300, float("inf"), float("nan")])
def test_a_time_without_end_is_no_limit(seconds: float) -> None:
    assert astar(seconds=seconds, nodes=5000).run().nodes == 5000


@ENDLESS
@pytest.mark.usefixtures("no_thread_left")
def test_a_search_ends_with_its_object(make: Maker) -> None:
    search = make()
    search.start()
    search.wait(0.01)
    begun = time.monotonic()
    del search
    gc.collect()
    assert time.monotonic() - begun < LONG_ENOUGH


@ENDLESS
def test_run_is_stopped_from_another_thread(make: Maker) -> None:
    search = make()
    begun = time.monotonic()
    threading.Timer(0.05, search.stop).start()
    assert not search.run().complete
    assert 0.04 <= time.monotonic() - begun < 0.05 + LONG_ENOUGH


@ENDLESS
def test_what_was_stopped_before_it_started_ends_at_once(make: Maker) -> None:
    search = make()
    search.stop()
    assert search.run().nodes == 0


@ENDLESS
@pytest.mark.parametrize("first", ["run", "start"])
@pytest.mark.parametrize("second", ["run", "start"])
def test_a_search_runs_only_once(make: Maker, first: str, second: str) -> None:
    search = make(nodes=10)
    getattr(search, first)()
    with pytest.raises(RuntimeError, match="has been started already: a search runs only once"):
        getattr(search, second)()


def test_of_many_threads_that_start_it_one_succeeds() -> None:
    started: list[int] = []
    refused: list[str] = []

    def go(search: _core.Search, barrier: threading.Barrier) -> None:
        barrier.wait()
        try:
            started.append(search.run().nodes)
        except RuntimeError as error:
            refused.append(str(error))

    for _ in range(20):
        search, barrier = astar(nodes=2000), threading.Barrier(6)
        threads = [threading.Thread(target=go, args=(search, barrier)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert started == [2000] * 20
    assert len(refused) == 5 * 20


def test_waiting_for_a_search_that_was_not_started_returns() -> None:
    with pytest.raises(RuntimeError, match="has not been started"):
        astar().wait(1)
    assert astar().choice().depth == 0  # but there is a choice, if a poor one


@ENDLESS
@pytest.mark.usefixtures("no_thread_left")
def test_what_is_read_while_it_runs_is_whole(make: Maker) -> None:
    """Four threads read as fast as they can: every snapshot is of one moment, and they only get better."""
    search = make(seconds=0.1)
    wrong: list[str] = []

    def read() -> None:
        nodes = depth = 0
        while not search.wait(0):
            choice = search.choice()
            scores = dict(choice.scores)
            if choice.nodes < nodes or choice.depth < depth:
                wrong.append(f"went back from {nodes} nodes, depth {depth} to {choice.nodes}, {choice.depth}")
            if choice.line[0] != choice.action:
                wrong.append(f"line {choice.line} for {choice.action}")
            if (choice.depth and scores.get(choice.action) != choice.value) or choice.value != max(
                scores.values(), default=choice.value
            ):
                wrong.append(f"value {choice.value} of {choice.action} among {scores}")
            nodes, depth = choice.nodes, choice.depth

    search.start()
    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert not wrong


def test_a_waiting_thread_lets_others_work() -> None:
    search = astar(seconds=0.2)
    search.start()
    waiting = threading.Thread(target=lambda: [None for _ in iter(lambda: search.wait(1), True)])
    waiting.start()
    count = 0
    while waiting.is_alive():
        count += 1
    assert count > 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_process_can_drop_a_search_of_its_parent() -> None:
    """A fork copies the object but not its thread: nothing is there to wait for."""
    search = astar()
    search.start()
    search.wait(0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        del search
        os._exit(0)
    in_time = has_ended(child)
    if not in_time:
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    assert in_time and status == 0


def test_two_looks_at_the_same_position_are_the_same() -> None:
    """A limit that is not reached changes nodes at most."""
    view: Any = ludoteca.game("hex:size=5").deal(0).view(0)
    free, limited = (_core.hex_beam(view, 8, 1, nodes=nodes).run() for nodes in (None, 10**9))
    assert (free.action, free.value, free.scores, free.line, free.depth) == (
        limited.action, limited.value, limited.scores, limited.line, limited.depth,
    )  # fmt: skip
    assert free.complete and limited.complete
    assert free.nodes < limited.nodes
