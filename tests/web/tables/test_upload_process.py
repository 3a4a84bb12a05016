"""Files that are read in a process of their own: the page goes on meanwhile, and no file takes more than its limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables import upload_process
from ludoteca.web.tables.upload_process import Upload, UploadReader, UploadTitle
from tests.web.tables.test_uploads import RECORD


def run(work: Callable[[UploadReader], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        await work(UploadReader())

    asyncio.run(all_of_it())


SLOW = (RECORD.to_json() + "\n").encode() * 400


def test_the_loop_goes_on_while_a_file_is_read_and_what_comes_back_is_the_file() -> None:
    async def work(reader: UploadReader) -> None:
        beats = 0

        async def heart() -> None:
            nonlocal beats
            while True:
                await asyncio.sleep(0.001)
                beats += 1

        beating = asyncio.create_task(heart())
        upload = await reader.read(SLOW, "1.2.3.4")
        beating.cancel()
        assert beats > 50  # in the loop it would be one or two
        assert len(upload.lines) == 400 and upload.record(399) == RECORD
        assert upload.titles[0] == UploadTitle(RECORD.game, RECORD.agents, RECORD.returns[0])

    run(work)


def test_a_file_that_needs_more_than_its_limits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(reader: UploadReader) -> None:
        for name, most in (("MEMORY", 0), ("MOST_ANSWER", 100)):
            with monkeypatch.context() as patch:
                patch.setattr(upload_process, name, most)
                with pytest.raises(InvalidTable, match="too long or too much memory"):
                    await reader.read(SLOW, "1.2.3.4")
        with pytest.raises(InvalidTable, match="it lacks seed, actions"):
            await reader.read(b'{"game": "hex"}', "1.2.3.4")  # and the reason crosses over

    run(work)


def test_a_process_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_process, "WALL_SECONDS", 0.0)

    async def work(reader: UploadReader) -> None:
        with pytest.raises(InvalidTable, match="too long"):
            await reader.read(SLOW, "1.2.3.4")
        assert not reader._waiting and not reader._one.locked()

    run(work)


def test_few_files_wait_and_one_address_cannot_have_all_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    async def work(reader: UploadReader) -> None:
        go = asyncio.Event()

        async def slow(data: bytes) -> bytes:
            nonlocal asked
            asked += 1
            await go.wait()
            return json.dumps({"titles": []}).encode()

        monkeypatch.setattr(upload_process, "_ask", slow)
        crowd = [asyncio.create_task(reader.read(b"x", "1.2.3.4")) for _ in range(10)]
        other = asyncio.create_task(reader.read(b"x", "1.2.3.5"))
        for _ in range(20):
            await asyncio.sleep(0)
        assert asked == 1
        assert sum(task.done() for task in crowd) == 10 - upload_process.MOST_WAITING_PER_ADDRESS and not other.done()
        go.set()
        found = await asyncio.gather(*crowd, other, return_exceptions=True)
        assert sum(isinstance(each, Upload) for each in found) == upload_process.MOST_WAITING_PER_ADDRESS + 1
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
