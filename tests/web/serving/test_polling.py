"""What changes by itself is looked at once for all tabs, and only while there are any."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ludoteca.web.serving.polling import Poller, Pollers

SHORT = 0.001
PATIENCE = 60.0  # seconds; a busy machine is slow, but it gets there


class Thing:
    """Something to look at, and how often that has happened. Belongs to one event loop; is looked at in threads."""

    def __init__(self) -> None:
        self.state, self.looks = 0, 0
        self._loop, self._looked = asyncio.get_running_loop(), asyncio.Event()

    def look(self) -> int:
        self.looks += 1
        self._loop.call_soon_threadsafe(self._looked.set)
        if self.state < 0:
            raise RuntimeError("not just now")
        return self.state

    async def more_looks(self, count: int) -> None:
        """Returns when it has been looked at so many times more."""
        enough = self.looks + count
        while self.looks < enough:
            self._looked.clear()
            await self._looked.wait()


def run(play: Callable[[Thing, Poller[int]], Awaitable[None]], every: float = SHORT) -> None:
    async def main() -> None:
        thing = Thing()
        async with asyncio.timeout(PATIENCE):
            await play(thing, Poller(thing.look, every))

    asyncio.run(main())


def test_all_tabs_get_what_one_look_has_found_and_only_what_is_new() -> None:
    async def play(thing: Thing, poller: Poller[int]) -> None:
        tabs: list[asyncio.Queue[int]] = [asyncio.Queue() for _ in range(20)]
        for tab in tabs:
            poller.subscribe(tab.put_nowait)
        assert [await tab.get() for tab in tabs] == [0] * 20
        await thing.more_looks(5)
        thing.state = 1
        assert [await tab.get() for tab in tabs] == [1] * 20
        assert all(tab.empty() for tab in tabs)

    run(play)


def test_twenty_tabs_look_no_more_often_than_one() -> None:
    async def play(thing: Thing, poller: Poller[int]) -> None:
        found: asyncio.Queue[int] = asyncio.Queue()
        for _ in range(20):
            poller.subscribe(lambda value: found.put_nowait(value))
        for _ in range(20):
            await found.get()
        poller.subscribe(found.put_nowait)  # a later subscriber gets at once what the others know
        assert found.get_nowait() == 0
        assert thing.looks == 1

    run(play, every=3600.0)


def test_polling_stops_while_there_is_no_tab() -> None:
    async def play(thing: Thing, poller: Poller[int]) -> None:
        found: asyncio.Queue[int] = asyncio.Queue()
        others = asyncio.all_tasks()
        poller.subscribe(found.put_nowait)
        assert await found.get() == 0
        (polling,) = asyncio.all_tasks() - others
        poller.unsubscribe(found.put_nowait)
        poller.unsubscribe(found.put_nowait)
        await asyncio.wait([polling])
        assert asyncio.all_tasks() == others
        assert poller.latest is None, "a later subscriber would be shown what is old"
        thing.state = 5
        poller.subscribe(found.put_nowait)
        assert await found.get() == 5

    run(play)


def test_a_tab_that_fails_keeps_the_news_from_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def play(thing: Thing, poller: Poller[int]) -> None:
        found: asyncio.Queue[int] = asyncio.Queue()
        nothing: list[int] = []
        poller.subscribe(nothing.remove)
        poller.subscribe(found.put_nowait)
        assert await found.get() == 0

    run(play)
    assert "a tab could not show" in caplog.text


def test_a_look_that_fails_is_not_the_last(caplog: pytest.LogCaptureFixture) -> None:
    async def play(thing: Thing, poller: Poller[int]) -> None:
        found: asyncio.Queue[int] = asyncio.Queue()
        thing.state = -1
        poller.subscribe(found.put_nowait)
        await thing.more_looks(2)
        thing.state = 3
        assert await found.get() == 3

    run(play)
    assert "not just now" in caplog.text


def test_the_same_name_is_the_same_poller_while_it_is_held() -> None:
    pollers = Pollers()
    first = pollers.get("run 1", lambda: 1, 1.0)
    assert pollers.get("run 1", lambda: 2, 1.0) is first
    assert pollers.get("run 2", lambda: 2, 1.0) is not first
    del first
    assert pollers.get("run 1", lambda: 3, 1.0).latest is None
