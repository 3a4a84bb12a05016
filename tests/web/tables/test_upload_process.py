"""Files that are read in a process of their own: the page goes on meanwhile, and no file takes more than its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables import upload_process
from ludoteca.web.tables.upload_process import MOST_WAITING_PER_ADDRESS, Upload, UploadReader, UploadTitle
from tests.web.tables.test_uploads import RECORD


def run(work: Callable[[UploadReader], Awaitable[None]], **limits: Any) -> None:
    async def all_of_it() -> None:
        await work(UploadReader(**limits))

    asyncio.run(all_of_it())


SLOW = (RECORD.to_json() + "\n").encode() * 400


def test_the_loop_goes_on_while_a_file_is_read_and_what_comes_back_is_the_file() -> None:
    async def work(reader: UploadReader) -> None:
        reading = asyncio.create_task(reader.read(SLOW, "1.2.3.4"))
        beats = 0
        while not (await asyncio.wait([reading], timeout=0.001))[0]:
            beats += 1
        upload = reading.result()
        assert beats > 1  # if it were read in the loop, one at most
        assert len(upload.lines) == 400 and upload.record(399) == RECORD
        assert upload.titles[0] == UploadTitle(RECORD.game, RECORD.agents, RECORD.returns[0])

    run(work)


def test_a_file_that_needs_more_than_its_limits_is_refused() -> None:
    async def work(reader: UploadReader) -> None:
        with pytest.raises(InvalidTable, match="too long or too much memory"):
            await reader.read(SLOW, "1.2.3.4")
        assert not reader._waiting and not reader._one.locked()

    run(work, memory=0)
    run(work, most_answer=100)
    run(work, wall_seconds=0.0)


def test_the_reason_of_a_refusal_comes_from_the_process() -> None:
    async def work(reader: UploadReader) -> None:
        with pytest.raises(InvalidTable, match="it lacks version, seed, actions"):
            await reader.read(b'{"game": "hex"}', "1.2.3.4")

    run(work)


def test_one_file_is_read_at_a_time_few_wait_and_one_address_cannot_have_all_the_places() -> None:
    async def work(reader: UploadReader) -> None:
        async with reader._one:  # a file is being read
            crowd = [asyncio.create_task(reader.read(b"x", "1.2.3.4")) for _ in range(10)]
            other = asyncio.create_task(reader.read(b"x", "1.2.3.5"))
            await asyncio.wait(crowd[MOST_WAITING_PER_ADDRESS:])
            for refused in crowd[MOST_WAITING_PER_ADDRESS:]:
                with pytest.raises(InvalidTable, match="try again in a minute"):
                    await refused
            waiting = [*crowd[:MOST_WAITING_PER_ADDRESS], other]
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)
        assert not reader._waiting

    run(work)


def test_what_tabs_show_has_a_bound() -> None:
    async def work(reader: UploadReader) -> None:
        reader = UploadReader(most_kept=2500)
        for tab in "abc":
            reader.keep(tab, Upload((), ("x" * 1000,)))
        with pytest.raises(InvalidTable, match="choose it again"):
            reader.kept("a")
        assert reader.kept("c").size == 1000
        reader.forget("c")
        reader.forget("c")
        with pytest.raises(InvalidTable):
            reader.kept("c")

    run(work)


def test_our_own_fault_is_not_put_down_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(reader: UploadReader) -> None:
        with pytest.raises(InvalidTable, match="our own fault"):
            await reader.read(SLOW, "1.2.3.4")

    monkeypatch.setattr(upload_process, "__name__", "ludoteca.no_such_module")
    run(work)
