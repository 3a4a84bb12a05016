"""Websocket messages that no browser would send: answered, ignored, and never more than that."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import socketio

from bench.crowd import CLIENT, elements_of

NOISY = True
ODD = ["null", "true", '"c3"', "1.5", "-1", "99999", "[4]", '{"action": 4}', "1e400", '"' + "x" * 10_000 + '"']


class Tab:
    """A table of somebody's own, connected like a browser's."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session, self.address = session, address
        self.wire = socketio.AsyncClient(reconnection=False, http_session=session)
        self.said: list[str] = []
        self.moves = 0

    async def open(self) -> None:
        form = {"game": "hex:size=3", "seats": "person|person"}
        async with self.session.post(f"{self.address}/table", data=form) as answer:
            page = await answer.text()
        found = CLIENT.search(page)
        assert found is not None
        self.client = found[1]
        for number, each in elements_of(page).items():
            if "play" in each.get("class", []):
                self.board = int(number)
                self.listener = next(event["listener_id"] for event in each["events"] if event["type"] == "click")
            if "moves" in each.get("class", []):
                self.list = number
        self.wire.on("notify", lambda message: self.said.append(str(message.get("message"))))
        self.wire.on("update", self._updated)
        query = f"client_id={self.client}&document_id=d&tab_id={self.client}&next_message_id=0&implicit_handshake=true"
        await self.wire.connect(
            f"{self.address}?{query}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"]
        )

    def _updated(self, message: dict[str, Any]) -> None:
        if self.list in message:
            self.moves = message[self.list]["props"]["innerHTML"].count("<button") - 1

    async def click(self, argument: str, **changes: object) -> None:
        arguments = ['"play"', argument]
        event = {"id": self.board, "client_id": self.client, "listener_id": self.listener, "args": arguments}
        await self.wire.emit("event", event | changes)
        await asyncio.sleep(0.1)


def test_odd_messages_change_nothing(address: str) -> None:
    async def visit() -> None:
        jar, jar2 = aiohttp.CookieJar(unsafe=True), aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as one, aiohttp.ClientSession(cookie_jar=jar2) as two:
            tab, other = Tab(one, address), Tab(two, address)
            await tab.open()
            for argument in ODD:
                json.loads(argument)
                await tab.click(argument)
            assert tab.moves == 0
            assert any("no sense" in text for text in tab.said) and any(
                "99999 is not legal" in text for text in tab.said
            )
            assert "Traceback" not in "".join(tab.said)
            await other.open()
            await other.click("4", listener_id=tab.listener)  # another's listener on one's own page
            await other.click("4", id=10**6)
            assert tab.moves == other.moves == 0
            await tab.click("4")
            for _ in range(100):
                if tab.moves:
                    break
                await asyncio.sleep(0.05)
            assert tab.moves == 1 and other.moves == 0
            await tab.wire.disconnect()
            await other.wire.disconnect()

    asyncio.run(visit())
