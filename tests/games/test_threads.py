"""What lets other Python threads run is safe from them, or says that it is not."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ludoteca

ALL = ["dominoes", "hex", "horses", "kittens"]
BUSY = "another thread is using this batch"


def while_working(work: Callable[[], object], meanwhile: Callable[[], object]) -> list[Exception]:
    """Repeats `meanwhile` for as long as `work` runs on another thread; the errors of either."""
    errors: list[Exception] = []

    def guarded(call: Callable[[], object]) -> None:
        try:
            call()
        except Exception as error:
            errors.append(error)

    worker = threading.Thread(target=guarded, args=(work,))
    worker.start()
    while worker.is_alive():
        guarded(meanwhile)
    worker.join()
    return errors


def refused(errors: list[Exception]) -> int:
    """How many of the errors say that the batch was busy; there must be no others."""
    for error in errors:
        assert isinstance(error, RuntimeError) and BUSY in str(error), error
    return len(errors)


def step_on(batch: ludoteca.Batch, count: int) -> Callable[[], None]:
    """Tries so often to step a batch."""

    def work() -> None:
        for _ in range(count):
            with contextlib.suppress(RuntimeError):
                batch.step(batch.random_actions())

    return work


@pytest.mark.parametrize("name", ALL)
def test_a_batch_that_is_stepped_refuses_every_other_thread(name: str) -> None:
    """A batch is used by two threads at once: never garbage, never a crash, and at least once a clear word."""
    batch: Any = ludoteca.batch(ludoteca.game(name), 2000, seed=1)
    uses: list[Callable[[], object]] = [
        batch.random_actions,
        batch.legal,
        batch.tensor,
        lambda: batch.turns,
        lambda: batch.seeds,
        lambda: bytes(batch),
        lambda: batch[1999],
        lambda: batch.step(np.full(2000, -1, np.int32)),
    ]
    for use in uses[:-1]:
        for _ in range(20):
            if refused(while_working(step_on(batch, 20), use)):
                break
        else:
            pytest.fail("the threads never met")
        assert batch.legal().any(axis=1).all()  # every state is whole: somebody can move in each
    errors = while_working(step_on(batch, 20), uses[-1])
    assert {type(error) for error in errors} <= {RuntimeError, ludoteca.IllegalAction}


def test_threads_may_read_a_batch_together() -> None:
    batch = ludoteca.batch(ludoteca.game("kittens"), 2000, seed=1)
    expected = batch.tensor()
    seen: list[bool] = []
    errors = while_working(
        lambda: [batch.tensor() for _ in range(50)], lambda: seen.append(bool((batch.tensor() == expected).all()))
    )
    assert not errors
    assert seen and all(seen)


def test_actions_may_change_while_they_are_played() -> None:
    """An array that another thread writes to is read once: what was found legal is what is played."""
    game = ludoteca.game("hex:size=5")
    actions = np.zeros(20_000, np.int32)
    stop = threading.Event()

    def scribble() -> None:
        while not stop.is_set():
            actions[:] = 2**30
            actions[:] = 0

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        for _ in range(30):
            batch = ludoteca.batch(game, len(actions), seed=1)
            try:
                batch.step(actions)
            except ludoteca.IllegalAction:
                continue
            assert batch[0].view(0).last == 0  # type: ignore[attr-defined]
    finally:
        stop.set()
        writer.join()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("what", ["playouts", "playouts stepwise", "perft"])
def test_a_state_may_be_played_on_while_it_is_looked_into(name: str, what: str) -> None:
    """What is found belongs to one position of the match, never to a mixture of two."""
    state: Any = ludoteca.game(name).deal(3)
    begun = threading.Event()
    found: list[object] = []

    def look_into(state: Any) -> object:
        return state.perft(3) if what == "perft" else state.playouts(1000, 1, what.endswith("stepwise"))

    def work() -> None:
        begun.set()
        found.append(look_into(state))

    def play_on() -> None:
        begun.wait()
        if state.turn is not None:
            state.apply(state.legal()[-1])

    twin = state.copy()
    assert not while_working(work, play_on)
    while look_into(twin) != found[0]:
        assert twin.turn is not None
        twin.apply(twin.legal()[-1])
