"""A visitor of the page, reduced to the network: asks for what a browser asks for, over real HTTP and a real websocket.

The websocket speaks socket.io by hand: the crowd shares its machine with the server it measures, so it has to be light.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp

__all__ = ["GaveUp", "Tab", "Visitor", "elements_of"]

GAME, AGENT, LIMIT = "hex:size=11", "astar", "0.1s"
PATIENCE = 30.0
"""Seconds after which somebody who still has no board, or no answer to a click, gives up."""
ACKNOWLEDGE = 3.0
"""Seconds between two of a browser's receipts for messages."""
ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
CLIENT = re.compile(r"'client_id': '([0-9a-f-]+)'")
NAMED = re.compile(r'(?:(?:src|href)=\\?"|@import url\("|"dompurify":")(/(?:_nicegui|static|picture)/[^"\\]+)\\?"')
LEGAL = re.compile(r"spot legal' [^>]*?data-action='(\d+)'")


class GaveUp(Exception):
    """Something did not come as it should, or not in time."""


def elements_of(page: str) -> dict[str, Any]:
    """The elements of a page as NiceGUI wrote them into it, by number."""
    found = ELEMENTS.search(page)
    assert found is not None, "the page has another form than this bench knows"
    text = found[1]
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&#96;", "`"), ("&#36;", "$"), ("&amp;", "&")):
        text = text.replace(name, character)
    elements: dict[str, Any] = json.loads(text)
    return elements


class Tab:
    """A page with its websocket open. `heard` is called with the name and the content of every message."""

    def __init__(self, page: str, wire: aiohttp.ClientWebSocketResponse, client: str) -> None:
        self.page, self.client = page, client
        self.elements = elements_of(page)
        self.heard: Callable[[str, dict[str, Any]], None] = lambda name, content: None
        self.connected = asyncio.Event()
        self._wire = wire
        self._next, self._told = 0, 0
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._acknowledge())]

    @classmethod
    async def open(cls, session: aiohttp.ClientSession, address: str, page: str) -> Tab:
        """The websocket of a page that has been loaded. Raises GaveUp if it is not accepted."""
        found = CLIENT.search(page)
        assert found is not None, "the page names no client"
        query = (
            f"client_id={found[1]}&document_id=d{found[1]}&tab_id=t{found[1]}&next_message_id=0"
            f"&implicit_handshake=true&EIO=4&transport=websocket"
        )
        tab = cls(page, await session.ws_connect(f"{address}/_nicegui_ws/socket.io/?{query}"), found[1])
        waiting = asyncio.create_task(tab.connected.wait())
        await asyncio.wait([waiting, tab._tasks[0]], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not tab.connected.is_set():
            await tab.close()
            raise GaveUp("the websocket was not accepted")
        return tab

    def find(self, name: str) -> str:
        """The number of the first element of this class."""
        return next(number for number, each in self.elements.items() if name in each.get("class", []))

    async def tell(self, name: str, *arguments: str) -> None:
        """What a browser sends when the element of this class is clicked, with arguments as JSON."""
        number = self.find(name)
        listener = next(each["listener_id"] for each in self.elements[number]["events"] if each["type"] == "click")
        await self.emit("event", {"id": int(number), "listener_id": listener, "args": list(arguments)})

    async def send(self, text: str) -> None:
        """Sends anything at all."""
        await self._wire.send_str(text)

    async def emit(self, name: str, data: dict[str, Any]) -> None:
        """Sends an event of the page."""
        await self._wire.send_str("42" + json.dumps([name, data | {"client_id": self.client}]))

    async def close(self) -> None:
        """As when somebody closes the tab or goes to another page."""
        for task in self._tasks:
            task.cancel()
        await self._wire.close()

    @property
    def cut_off(self) -> bool:
        """Whether the server ended the connection, or never accepted it."""
        return self._tasks[0].done()

    async def _read(self) -> None:
        async for message in self._wire:
            text = str(message.data)
            if text == "2":
                await self._wire.send_str("3")
            elif text.startswith("0{"):
                await self._wire.send_str("40")
            elif text.startswith("40"):
                self.connected.set()
            elif text.startswith("42["):
                name, data = json.loads(text[2:])
                self._next = data.pop("_id", self._next - 1) + 1
                if name == "update":
                    self.elements.update({number: each for number, each in data.items() if each is not None})
                self.heard(name, data)
            elif text.startswith("44"):
                return

    async def _acknowledge(self) -> None:
        while True:
            await asyncio.sleep(ACKNOWLEDGE)
            if self.connected.is_set() and self._told < self._next:
                self._told = self._next
                with contextlib.suppress(ConnectionResetError):  # the tab is being closed just now
                    await self.emit("ack", {"next_message_id": self._next})


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
    _kept: set[str] = field(default_factory=set)
    """What the browser's cache holds and need not ask for again."""

    async def visit(self) -> None:
        """The whole visit; what goes wrong is kept in `trouble`."""
        start = time.perf_counter()
        connector = aiohttp.TCPConnector(limit_per_host=6)  # as many as a browser opens
        jar = aiohttp.CookieJar(unsafe=True)
        try:
            async with aiohttp.ClientSession(
                cookie_jar=jar, connector=connector, auto_decompress=False, headers={"Accept-Encoding": "gzip"}
            ) as session:
                async with asyncio.timeout(PATIENCE):
                    for path in ("/", "/new/hex"):
                        await (await self._open(session, path)).close()
                    tab = await self._sit_down(session)
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
        async with session.get(url) if form is None else session.post(url, data=form) as answer:
            page = gzip.decompress(await answer.read()).decode()
            if answer.status != 200:
                raise GaveUp(f"{path} was answered with {answer.status}")
        wanted = [name for name in dict.fromkeys(NAMED.findall(page)) if name not in self._kept]
        await asyncio.gather(*(self._load(session, name) for name in wanted))
        return await Tab.open(session, self.address, page)

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
                    if time.monotonic() - silent_since > PATIENCE:
                        return  # the match is over: another
                continue
            await asyncio.sleep(chance.uniform(0.5, 1.5) * self.between)
            start = time.perf_counter()
            await tab.tell("play", '"play"', chance.choice(legal))
            await asyncio.wait_for(fresh.wait(), PATIENCE)
            self.clicks.append((time.monotonic(), time.perf_counter() - start))
            silent_since = time.monotonic()
