"""A tab of the page without a browser: its elements, and its websocket.

The websocket speaks socket.io by hand, because hundreds of tabs share a machine with the server that they measure.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from typing import Any

import aiohttp

PATIENCE = 30.0
"""Seconds after which a websocket that was not accepted raises GaveUp."""
ACKNOWLEDGE = 3.0
"""Seconds between two of a browser's receipts for messages."""
ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
CLIENT = re.compile(r"'client_id': '([0-9a-f-]+)'")


class GaveUp(Exception):
    """Something did not come as it should, or not in time."""


def elements_of(page: str) -> dict[str, Any]:
    """The elements of a page as NiceGUI wrote them into it, by number."""
    found = ELEMENTS.search(page)
    assert found is not None, "the page has another form than this tool knows"
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
        self._received = asyncio.Event()
        self._wire = wire
        self._next, self._acknowledged = 0, 0
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

    async def tell(self, name: str, *arguments: str, event: str = "click") -> None:
        """What a browser sends when the element of this class is clicked, with arguments as JSON."""
        number = self.find(name)
        listener = next(each["listener_id"] for each in self.elements[number]["events"] if each["type"] == event)
        await self.emit("event", {"id": int(number), "listener_id": listener, "args": list(arguments)})

    async def send(self, text: str) -> None:
        """Sends a frame as it is."""
        await self._wire.send_str(text)

    async def emit(self, name: str, data: dict[str, Any]) -> None:
        """Sends an event of the page."""
        await self._wire.send_str("42" + json.dumps([name, data | {"client_id": self.client}]))

    async def round_trip(self) -> None:
        """Returns when the server has answered a message to which this page has no other answer."""
        self._received.clear()
        await self.send("421" + json.dumps(["ack", {"client_id": self.client, "next_message_id": self._next}]))
        await self._received.wait()

    async def close(self) -> None:
        """As a browser does when its tab is closed or shows another page."""
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
            elif text.startswith("43"):
                self._received.set()
            elif text.startswith("44"):
                return

    async def _acknowledge(self) -> None:
        while True:
            await asyncio.sleep(ACKNOWLEDGE)
            if self.connected.is_set() and self._acknowledged < self._next:
                self._acknowledged = self._next
                with contextlib.suppress(ConnectionResetError):  # the tab is being closed just now
                    await self.emit("ack", {"next_message_id": self._next})
