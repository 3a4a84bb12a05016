"""Visitors' trainings: one at a time, limits that hold against who tries to break them, and what is kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ludoteca.web.errors import NotFound
from ludoteca.web.learning import trainings as room
from ludoteca.web.learning.kept import KeptTrainings
from ludoteca.web.learning.trainings import MOST_PER_ADDRESS, MOST_STARTED, MOST_WAITING, TrainingRefused, Trainings

LASTING = ("/bin/sh", "-c", "exec sleep 60")
"""Stands for a training that goes on; what a training itself does is tested in tests/learn."""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(Trainings, "available", True)


def run(test: Callable[[Trainings], Awaitable[None]], **options: float) -> None:
    async def all_of_it() -> None:
        trainings = Trainings(LASTING, **options)  # type: ignore[arg-type]
        try:
            await test(trainings)
        finally:
            trainings.close()
            if trainings._task is not None:
                await trainings._task

    asyncio.run(all_of_it())


async def until(done: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not done():
            await asyncio.sleep(0.02)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TrainingRefused) as caught:
        act()
    return str(caught.value)


def test_one_process_at_a_time_and_the_next_when_it_is_stopped() -> None:
    async def test(trainings: Trainings) -> None:
        first, second, third = (trainings.start(name, "hex", name) for name in ("ana", "bea", "eva"))
        assert [trainings.before(each.key) for each in (first, second, third)] == [None, 1, 2]
        await until(lambda: (ticket := trainings.ticket(first.key)) and ticket.process)
        trainings.stop("ana", first.key)
        await until(lambda: trainings.before(second.key) is None)
        assert trainings.before(third.key) == 1
        assert trainings.reasons[first.key] == "you stopped it" and trainings.of(first.key) == first

    run(test)


def test_a_hundred_starts_make_a_short_queue() -> None:
    async def test(trainings: Trainings) -> None:
        trainings.start("ana", "hex", "1.1.1.1")
        for _ in range(100):
            assert "you have a training already" in refused(lambda: trainings.start("ana", "hex", "1.1.1.1"))
        for number in range(100):  # without cookies everybody is new, but the address stays
            if number < MOST_PER_ADDRESS - 1:
                trainings.start(f"eve{number}", "hex", "1.1.1.1")
            else:
                assert "your network" in refused(lambda: trainings.start("eve", "hex", "1.1.1.1"))
        for number in range(MOST_WAITING - MOST_PER_ADDRESS + 1):
            trainings.start(f"bob{number}", "kittens", f"2.2.2.{number}")
        assert "come back later" in refused(lambda: trainings.start("last", "hex", "3.3.3.3"))
        assert len(os.listdir(trainings.of(trainings._waiting[0].kept.key).folder.parent)) == MOST_WAITING + 1

    run(test)


def test_starting_and_stopping_again_and_again_ends() -> None:
    async def test(trainings: Trainings) -> None:
        trainings.start("bob", "hex", "2")
        for _ in range(MOST_STARTED):
            trainings.stop("ana", trainings.start("ana", "hex", "1").key)
        assert "many trainings" in refused(lambda: trainings.start("ana", "hex", "1"))
        assert trainings.kept.of("ana") == []  # those that never began leave nothing

    run(test)


def test_nobody_stops_or_deletes_what_another_started() -> None:
    async def test(trainings: Trainings) -> None:
        kept = trainings.start("ana", "kittens", "1")
        for forged in ("eve", "", kept.key):
            assert "only the person" in refused(lambda: trainings.stop(forged, kept.key))  # noqa: B023
            assert "only the person" in refused(lambda: trainings.delete(forged, kept.key))  # noqa: B023
        for key in ("../../etc", "..", "", kept.key + "/", kept.key.upper() + "0", "0" * 16):
            with pytest.raises(NotFound):
                trainings.delete("ana", key)
        assert trainings.of(kept.key) == kept

    run(test)


def test_who_leaves_the_queue_loses_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(trainings: Trainings) -> None:
        first, gone, stays = (trainings.start(name, "hex", name) for name in ("ana", "bea", "eva"))
        monkeypatch.setattr(room, "UNSEEN", 0.0)
        shown: list[int | None] = []
        trainings.watch(stays.key, lambda: shown.append(trainings.before(stays.key)))
        await asyncio.sleep(0.01)
        trainings.delete("ana", first.key)
        await until(lambda: trainings.before(stays.key) is None)
        assert shown[-1] is None
        with pytest.raises(NotFound, match="its turn came while its page was closed"):
            trainings.of(gone.key)
        with pytest.raises(NotFound):
            trainings.of(first.key)

    run(test)


def test_a_training_that_takes_all_night_is_ended() -> None:
    async def test(trainings: Trainings) -> None:
        first, second = trainings.start("ana", "hex", "1"), trainings.start("bea", "hex", "2")
        await until(lambda: trainings.active_of("bea") is None)
        assert trainings.reasons == {first.key: "its time was up", second.key: "its time was up"}

    run(test, wall_seconds=0.1)


def test_what_is_kept_is_bounded_and_the_least_used_goes_first() -> None:
    now = 1_000_000.0
    kept = KeptTrainings(most=4, most_of_visitor=2, clock=lambda: now)
    keys = [f"{number:016x}" for number in range(6)]
    for number, key in enumerate(keys):
        now += 1
        owner = "ana" if number < 3 else f"other{number}"
        kept.make_room(owner, set())
        kept.add(key, "hex", owner)
        kept.note_use(key)
        if number == 2:
            assert [each.key for each in kept.of("ana")] == [keys[2], keys[1]]
        now += 1
        kept.note_use(keys[1])
    assert [each.key for each in kept.all()] == [keys[1], keys[5], keys[4], keys[3]]
    now += 31 * 86_400
    kept.make_room("ana", {keys[4]})
    assert [each.key for each in kept.all()] == [keys[4]]  # it is being trained
