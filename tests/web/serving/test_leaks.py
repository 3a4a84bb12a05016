"""Nothing that the server sends depends on a hand that must not be seen.

Each test opens two tables that differ only in what is hidden, does the same at both, and compares all that arrives:
the page, every element that is updated, every message. An adversary who reads the network learns nothing either.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tests.web.tabs import PATIENCE
from tools.tab import Tab, elements_of

MINE_DIFFERS = [
    (
        "dominoes",
        ["line: 6-6; 0: 6-4 6-1 5-5; 1: 6-0 3-3 2-1; turn: 0", "line: 6-6; 0: 6-0 3-3 2-1; 1: 4-4 1-0 1-1; turn: 0"],
    ),
    (
        "kittens",
        ["deck: safe bomb skip; 0: attack; 1: see; turn: 0", "deck: skip safe bomb; 0: see; 1: attack; turn: 0"],
    ),
]
"""Both hands, and the deck, are others; what everybody knows is the same."""
THEIRS_DIFFERS = [
    ("dominoes", ["line: 6-6; 0: 6-4 5-5; 1: 6-0 3-3; turn: 0", "line: 6-6; 0: 6-4 5-5; 1: 4-4 1-0; turn: 0"]),
    (
        "kittens",
        ["deck: safe bomb skip; 0: attack; 1: see; turn: 0", "deck: safe see bomb; 0: attack; 1: skip; turn: 0"],
    ),
]
"""Only the hand of seat 1 and the deck are others."""
DEEDS = [
    "undo", "hint", "swap", "pause", "retry", "play_now", "share", "heat", "heat", "latest", "seat0", "seat1",
    "resign", "cancel", "react", "react0", "cancel", "offer_draw", "decline_draw",
]  # fmt: skip
TYPED = ["", "6", "6-4", "6-0", "d", "draw", "pass", "a", "attack", "play", "zz"]
MARK = "That is not possible here."


class Spy:
    """A tab that keeps all that it is sent."""

    def __init__(self, tab: Tab, url: str) -> None:
        self.tab, self.url, self.refusals = tab, url, 0
        self.seen: list[str] = [tab.page]
        self._news = asyncio.Event()
        tab.heard = self._heard

    def _heard(self, name: str, content: dict[str, Any]) -> None:
        self.seen.append(json.dumps([name, content], sort_keys=True))
        self.refusals += name == "notify" and content.get("message") == MARK
        self._news.set()

    async def do(self, deed: str) -> None:
        await self.tab.tell("play", '"do"', f'"{deed}"')
        await self.answered()

    async def play(self, action: int) -> None:
        await self.tab.tell("play", '"play"', str(action))
        await self.answered()

    async def go_to(self, ply: int) -> None:
        await self.tab.tell("play", '"ply"', str(ply))
        await self.answered()

    async def type(self, text: str) -> None:
        await self._event("typed", "submit", json.dumps(text))
        await self.answered()

    async def slide(self, ply: int) -> None:
        await self._event("slider", "input", str(ply))
        await self.answered()

    async def ask_every_agent(self) -> None:
        await self.tab.tell("analysis", '"start"')
        await self.answered()

    async def _event(self, name: str, kind: str, *arguments: str) -> None:
        number = self.tab.find(name)
        events = self.tab.elements[number]["events"]
        listener = next(each["listener_id"] for each in events if each["type"].startswith(kind))
        await self.tab.emit("event", {"id": int(number), "listener_id": listener, "args": list(arguments)})

    async def answered(self) -> None:
        """Returns when the server has dealt with all that it was sent: it answers in order."""
        before = self.refusals
        await self.tab.tell("play", '"nonsense"')
        await self.until(lambda: self.refusals > before)

    async def until(self, done: Callable[[], bool]) -> None:
        """Waits for messages until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._news.clear()
                await self._news.wait()

    def shown(self) -> dict[str, Any]:
        """What the page holds now."""
        return {number: each.get("props", {}) for number, each in self.tab.elements.items()}

    def text(self) -> str:
        return legible(json.dumps(self.shown(), sort_keys=True))


def legible(text: str) -> str:
    """Without what is another for every tab."""
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", text)
    return re.sub(r"(/|%2F)table(/|%2F)[\w-]{22}", "/table/KEY", text)


class Adversary:
    """Somebody who sets tables up, in tabs that keep all they are sent."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session, self._address = session, address
        self.spies: list[Spy] = []

    async def __call__(self, game: str, start: str, seats: str) -> Spy:
        """A new table in a tab."""
        form = {"game": game, "start": start, "seats": seats, "seed": "7", "limit": "60s"}
        async with self._session.post(f"{self._address}/table", data=form) as answer:
            page = await answer.text()
            assert answer.status == 200, page[:2000]
            return await self._watched(page, str(answer.url))

    async def again(self, spy: Spy) -> Spy:
        """The same table in another tab."""
        async with self._session.get(spy.url) as answer:
            return await self._watched(await answer.text(), spy.url)

    async def _watched(self, page: str, url: str) -> Spy:
        spy = Spy(await Tab.open(self._session, self._address, page), url)
        self.spies.append(spy)
        return spy


@asynccontextmanager
async def adversary(address: str) -> AsyncIterator[Adversary]:
    """Somebody with a cookie."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(address):
            pass
        somebody = Adversary(session, address)
        yield somebody
        for spy in somebody.spies:
            await spy.tab.close()


async def everything(spy: Spy) -> None:
    """All that can be sent to a table without ending it."""
    for deed in DEEDS:
        await spy.do(deed)
    for text in TYPED:
        await spy.type(text)
    for action in (*range(-1, 60), 999):
        await spy.play(action)
    for ply in range(-1, 4):
        await spy.go_to(ply)
        await spy.slide(ply)
    await spy.ask_every_agent()


def compare(one: Spy, other: Spy) -> None:
    """Fails unless both were sent the same: the same pages, elements and messages, in whatever order and parts."""
    for each in (first_page, Spy.text, said, contents):
        assert each(one) == each(other)


def first_page(spy: Spy) -> list[str]:
    return [legible(json.dumps(each, sort_keys=True)) for each in elements_of(spy.seen[0]).values()]


def said(spy: Spy) -> list[str]:
    return [legible(each) for each in spy.seen[1:] if '["notify"' in each[:12]]


def contents(spy: Spy) -> set[str]:
    """Everything that any element ever held."""
    held = {json.dumps(each, sort_keys=True) for each in spy.shown().values()}
    for line in spy.seen[1:]:
        name, content = json.loads(line)
        if name == "update":
            held |= {json.dumps(each, sort_keys=True) for each in content.values()}
    return {legible(each) for each in held}


@pytest.mark.parametrize(("game", "starts"), MINE_DIFFERS, ids=["dominoes", "kittens"])
def test_a_covered_hand_is_in_nothing_that_is_sent(address: str, game: str, starts: list[str]) -> None:
    async def visit() -> None:
        async with adversary(address) as opened:
            spies = [await opened(game, start, "person|person") for start in starts]
            for spy in spies:
                await everything(spy)
            compare(*spies)
            for spy in spies:
                assert "Show my hand" in spy.text() and "data-action" not in spy.text()

    asyncio.run(visit())


@pytest.mark.parametrize(("game", "starts"), THEIRS_DIFFERS, ids=["dominoes", "kittens"])
def test_the_agents_hand_is_in_nothing_that_is_sent(address: str, game: str, starts: list[str]) -> None:
    """As long as the person is on turn: what the agent plays afterwards depends on its hand, of course."""

    async def visit() -> None:
        async with adversary(address) as opened:
            spies = [await opened(game, start, "person|random") for start in starts]
            for spy in spies:
                for deed in ("undo", "swap", "pause", "retry", "share", "heat", "latest", "seat0", "seat1"):
                    await spy.do(deed)
                for text in ("", "zz", "9-9"):
                    await spy.type(text)
                for ply in range(-1, 3):
                    await spy.go_to(ply)
                    await spy.slide(ply)
                await spy.do("uncover")
            compare(*spies)
            assert "data-action" in spies[0].text()

    asyncio.run(visit())


def test_a_hand_is_taken_out_of_the_page_when_the_other_is_on_turn(address: str) -> None:
    async def visit() -> None:
        async with adversary(address) as opened:
            spies = [await opened("dominoes", f"line: 6-6; 0: 6-4 {rest}; 1: 4-3 2-0; turn: 0", "person|person")
                     for rest in ("5-5 3-1", "2-2 1-0")]  # fmt: skip
            held = []
            for spy in spies:
                await spy.do("uncover")
                assert "data-action" in spy.text()
                held.append(spy.text())
                await spy.type("6-4")
                await everything(spy)
            assert held[0] != held[1]
            assert spies[0].text() == spies[1].text()

    asyncio.run(visit())


def test_taking_back_while_covered_uncovers_nothing(address: str) -> None:
    """Who sits there now is not who uncovered before."""

    async def visit() -> None:
        async with adversary(address) as opened:
            spy = await opened("dominoes", "line: 6-6; 0: 6-4 5-5; 1: 4-3 2-0; turn: 0", "person|person")
            await spy.do("uncover")
            await spy.type("6-4")
            await spy.do("undo")
            assert "Show my hand" in spy.text() and "data-action" not in spy.text()

    asyncio.run(visit())


def test_what_one_tab_uncovers_stays_covered_in_the_others(address: str) -> None:
    async def visit() -> None:
        async with adversary(address) as opened:
            first = await opened("dominoes", "line: 6-6; 0: 6-4 5-5; 1: 4-3 2-0; turn: 0", "person|person")
            second = await opened.again(first)
            await first.do("uncover")
            assert "data-action" in first.text()
            await everything(second)
            third = await opened.again(first)
            for spy in (second, third):
                assert "Show my hand" in spy.text() and "data-action" not in "".join(spy.seen)
            await first.type("6-4")
            for spy in (first, second, third):
                await spy.answered()
                assert "Show my hand" in spy.text() and "data-action" not in spy.text()

    asyncio.run(visit())


def test_hands_that_have_been_shown_end_the_match(address: str) -> None:
    """A player cannot resign, look at the other hand, and go on."""

    async def visit() -> None:
        async with adversary(address) as opened:
            spy = await opened("dominoes", "line: 6-6; 0: 6-4 5-5; 1: 4-3 2-0; turn: 0", "person|random")
            await spy.do("resign")
            await spy.do("confirm_resign")
            await spy.do("seat1")
            await spy.do("undo")
            assert "You resigned" in spy.text()
            assert any("every hand has been shown" in each for each in spy.seen)

    asyncio.run(visit())
