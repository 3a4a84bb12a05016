"""A visitor who plays Hex on the page: asks over HTTP and a websocket for what a browser asks for."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tools.tab import GaveUp, Tab

GAME, AGENT, LIMIT = "hex:size=11", "astar", "0.1s"
PATIENCE = 30.0
"""The patience of most visitors, in seconds."""
NAMED = re.compile(r'(?:(?:src|href)=\\?"|@import url\("|"dompurify":")(/(?:_nicegui|static|picture)/[^"\\]+)\\?"')
LEGAL = re.compile(r"spot legal' [^>]*?data-action='(\d+)'")


@dataclass
class Visitor:
    """Comes by the start page and the form of a match, sits down at a table of its own, and plays until `until`."""

    address: str
    number: int
    between: float
    """Seconds, on average, that it ponders over a click."""
    until: float
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    arrival: float | None = None
    """Seconds from the first request until the board could be played on."""
    clicks: list[tuple[float, float]] = field(default_factory=list)
    """When a click was made, and the seconds until the board was back with its stone."""
    replies: int = 0
    """Actions of the agent that arrived."""
    trouble: str = ""
    asked_to_wait: int = 0
    """How often the server said that it is busy, with a page that tries again."""
    patience: float = PATIENCE
    """Seconds after which it gives up without a board, or without an answer to a click."""
    _kept: set[str] = field(default_factory=set)
    """What the browser's cache holds and need not ask for again."""
    _patience: asyncio.Timeout | None = None

    async def visit(self) -> None:
        """The whole visit; what goes wrong is kept in `trouble`."""
        start = time.perf_counter()
        connector = aiohttp.TCPConnector(limit_per_host=6)  # as many as a browser opens
        jar = aiohttp.CookieJar(unsafe=True)
        try:
            async with aiohttp.ClientSession(
                cookie_jar=jar, connector=connector, auto_decompress=False, headers={"Accept-Encoding": "gzip"}
            ) as session:
                async with asyncio.timeout(self.patience) as self._patience:
                    for path in ("/", "/new/hex"):
                        await (await self._open(session, path)).close()
                    tab = await self._sit_down(session)
                self._patience = None
                self.arrival = time.perf_counter() - start
                self.seated.set()
                while time.monotonic() < self.until:
                    try:
                        await self._play(tab)
                    finally:
                        await tab.close()
                    if time.monotonic() < self.until:
                        tab = await self._sit_down(session)
        except (TimeoutError, GaveUp, AssertionError, aiohttp.ClientError, OSError) as error:
            self.trouble = f"{type(error).__name__}: {error}"

    async def _sit_down(self, session: aiohttp.ClientSession) -> Tab:
        form = {"game": GAME, "seats": f"person|{AGENT}", "limit": LIMIT}
        return await self._open(session, "/table", form)

    async def _open(self, session: aiohttp.ClientSession, path: str, form: dict[str, str] | None = None) -> Tab:
        """A page with all that it names, then its websocket."""
        url = self.address + path
        while True:
            async with session.get(url) if form is None else session.post(url, data=form) as answer:
                content, retry = await answer.read(), answer.headers.get("Retry-After")
                if answer.status == 503 and retry is not None and path != "/table":
                    await self._wait(float(retry))
                    continue
                if answer.status != 200:
                    raise GaveUp(f"{path} was answered with {answer.status}")
                page = gzip.decompress(content).decode()
                break
        wanted = [name for name in dict.fromkeys(NAMED.findall(page)) if name not in self._kept]
        await asyncio.gather(*(self._load(session, name) for name in wanted))
        return await Tab.open(session, self.address, page)

    async def _wait(self, seconds: float) -> None:
        """Waits as the light page does; that time does not count against its patience."""
        self.asked_to_wait += 1
        if self._patience is not None and not self._patience.expired():
            self._patience.reschedule(asyncio.get_running_loop().time() + seconds + self.patience)
        await asyncio.sleep(seconds)

    async def _load(self, session: aiohttp.ClientSession, name: str) -> None:
        async with session.get(self.address + name) as answer:
            await answer.read()
            if answer.status != 200:
                raise GaveUp(f"{name} was answered with {answer.status}")
            directives = answer.headers.get("Cache-Control", "")
            if "max-age" in directives and "max-age=0" not in directives:
                self._kept.add(name)

    async def _play(self, tab: Tab) -> None:
        """One match, or as much of it as there is time for."""
        chance = random.Random(self.number)
        board, fresh = tab.find("board"), asyncio.Event()

        def heard(name: str, content: dict[str, Any]) -> None:
            if name == "update" and board in content:
                fresh.set()

        tab.heard = heard
        silent_since = time.monotonic()
        while time.monotonic() < self.until:
            if tab.cut_off:
                raise GaveUp("the server ended the connection")
            legal = LEGAL.findall(tab.elements[board]["props"]["innerHTML"])
            fresh.clear()
            if not legal:  # the agent's turn, or the end
                try:
                    await asyncio.wait_for(fresh.wait(), 1.0)
                    self.replies += 1
                    silent_since = time.monotonic()
                except TimeoutError:
                    if time.monotonic() - silent_since > self.patience:
                        return  # the match is over: another
                continue
            await asyncio.sleep(chance.uniform(0.5, 1.5) * self.between)
            start = time.perf_counter()
            await tab.tell("play", '"play"', chance.choice(legal))
            await asyncio.wait_for(fresh.wait(), self.patience)
            self.clicks.append((time.monotonic(), time.perf_counter() - start))
            silent_since = time.monotonic()
