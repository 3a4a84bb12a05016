"""What changes by itself is looked at once for all tabs, and only while there are any."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ludoteca.web.serving.polling import Poller, Pollers

SHORT = 0.001
PATIENCE = 60.0  # seconds; a busy machine is slow, but it gets there


class Thing:
    """Something to look at, and how often somebody has."""

    def __init__(self) -> None:
        self.state, self.looks = 0, 0

    def look(self) -> int:
        self.looks += 1
        if self.state < 0:
            raise RuntimeError("not just now")
        return self.state


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(SHORT)


def run(play: Callable[[Thing, Poller[int]], Awaitable[None]]) -> None:
    async def main() -> None:
        thing = Thing()
        await play(thing, Poller(thing.look, SHORT))

    asyncio.run(main())


def test_all_are_told_what_one_look_has_found_and_nobody_what_is_not_new() -> None:
    async def play(thing: Thing, watched: Poller[int]) -> None:
        found: list[list[int]] = [[] for _ in range(20)]
        for each in found:
            watched.subscribe(each.append)
        await until(lambda: thing.looks > 5)
        assert found == [[0]] * 20
        thing.state = 1
        await until(lambda: found[0] == [0, 1])
        assert found == [[0, 1]] * 20

    run(play)


def test_twenty_tabs_look_no_more_often_than_one() -> None:
    thing = Thing()

    async def play() -> None:
        watched = Poller(thing.look, 3600.0)
        text: list[int] = []
        for _ in range(20):
            watched.subscribe(lambda found: text.append(found))
        await until(lambda: len(text) == 20)
        watched.subscribe(text.append)  # a later subscriber gets at once what the others know
        assert len(text) == 21

    asyncio.run(play())
    assert thing.looks == 1


def test_nobody_looks_while_no_tab_is_there() -> None:
    async def play(thing: Thing, watched: Poller[int]) -> None:
        found: list[int] = []
        watched.subscribe(found.append)
        await until(lambda: found == [0])
        watched.unsubscribe(found.append)
        watched.unsubscribe(found.append)
        before = thing.looks
        await asyncio.sleep(20 * SHORT)
        assert thing.looks <= before + 1  # one may have been on its way
        assert watched.latest is None, "somebody who comes much later would be shown what is old"
        thing.state = 5
        watched.subscribe(found.append)
        await until(lambda: found == [0, 5])

    run(play)


def test_a_tab_that_fails_keeps_the_news_from_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def play(thing: Thing, watched: Poller[int]) -> None:
        text: list[int] = []
        watched.subscribe(lambda found: text.remove(99))
        watched.subscribe(text.append)
        await until(lambda: text == [0])

    run(play)
    assert "a tab could not show" in caplog.text


def test_a_look_that_fails_is_not_the_last(caplog: pytest.LogCaptureFixture) -> None:
    async def play(thing: Thing, watched: Poller[int]) -> None:
        found: list[int] = []
        thing.state = -1
        watched.subscribe(found.append)
        await until(lambda: thing.looks > 1)
        thing.state = 3
        await until(lambda: found == [3])

    run(play)
    assert "not just now" in caplog.text


def test_the_same_name_is_the_same_thing_for_as_long_as_somebody_holds_it() -> None:
    watching = Pollers()
    first = watching.get("run 1", lambda: 1, 1.0)
    assert watching.get("run 1", lambda: 2, 1.0) is first
    assert watching.get("run 2", lambda: 2, 1.0) is not first
    del first
    assert watching.get("run 1", lambda: 3, 1.0).latest is None
