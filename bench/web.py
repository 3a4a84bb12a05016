"""The page under load: many visitors play Hex at once while agents think in worker processes.

Each visitor is a real websocket client that does what the browser does: loads the page of its own table, connects,
clicks an empty cell every few seconds, and waits until the board comes back with the stone on it. Reported is how long
that took.

    python -m bench.web [VISITORS [SECONDS [BETWEEN]]]
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import socketio

GAME, AGENT, LIMIT = "hex:size=11", "astar", "0.1s"
ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
CLIENT = re.compile(r"'client_id': '([0-9a-f-]+)'")


@dataclass
class Visitor:
    """One browser, reduced to its network."""

    address: str
    number: int
    between: float
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    """The visitor has a table and is connected."""
    counting: bool = False
    """Everybody is there: clicks count from now on."""
    until: float = math.inf
    clicks: list[float] = field(default_factory=list)
    replies: int = 0
    """Actions of the agent that arrived."""
    trouble: str = ""

    async def play(self) -> None:
        """Plays until the clock says so; a match that ends is followed by another."""
        chance = random.Random(self.number)
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                while time.monotonic() < self.until:
                    form = {"game": GAME, "seats": f"person|{AGENT}", "limit": LIMIT}
                    async with session.get(self.address):
                        pass  # the cookie
                    async with session.post(f"{self.address}/table", data=form) as answer:
                        page = await answer.text()
                        assert answer.status == 200, page[:300]
                    await self._match(page, session, chance)
        except (AssertionError, aiohttp.ClientError, socketio.exceptions.SocketIOError, OSError) as error:
            self.trouble = f"{type(error).__name__}: {error} {error.__cause__ or error.__context__ or ''}"

    async def _match(self, page: str, session: aiohttp.ClientSession, chance: random.Random) -> None:
        elements = elements_of(page)
        board = next(number for number, each in elements.items() if "board hex" in " ".join(each.get("class", [])))
        listener = next(each["listener_id"] for each in elements[board]["events"] if each["type"] == "click")
        client = CLIENT.search(page)
        assert client is not None
        shown, fresh = [str(elements[board]["props"]["innerHTML"])], asyncio.Event()
        wire = socketio.AsyncClient(reconnection=False, http_session=session, request_timeout=60)

        def update(message: dict[str, Any]) -> None:
            changed = message.get(board)
            if changed:
                shown[0] = str(changed["props"]["innerHTML"])
                fresh.set()

        wire.on("update", update)
        query = f"client_id={client[1]}&document_id=d&tab_id=t{self.number}&next_message_id=0&implicit_handshake=true"
        await wire.connect(f"{self.address}?{query}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"])
        self.seated.set()
        try:
            await asyncio.sleep(chance.uniform(0, self.between))
            while time.monotonic() < self.until:
                legal = re.findall(r"spot legal' d='[^']*' data-action='(\d+)'", shown[0].replace("&#39;", "'"))
                if not legal:  # the agent's turn
                    fresh.clear()
                    try:
                        await asyncio.wait_for(fresh.wait(), 1.0)
                    except TimeoutError:
                        continue
                    self.replies += 1
                    continue
                await asyncio.sleep(chance.uniform(0.5, 1.5) * self.between)
                action = int(chance.choice(legal))
                fresh.clear()
                start = time.perf_counter()
                click = {"id": int(board), "client_id": client[1], "listener_id": listener, "args": [str(action)]}
                await wire.emit("event", click)
                await asyncio.wait_for(fresh.wait(), 60)
                if self.counting:
                    self.clicks.append(time.perf_counter() - start)
        finally:
            await wire.disconnect()


def elements_of(page: str) -> dict[str, Any]:
    """The elements of a page as NiceGUI wrote them into it, by number."""
    found = ELEMENTS.search(page)
    assert found is not None, "the page has another form than this bench knows"
    text = found[1]
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&#96;", "`"), ("&#36;", "$"), ("&amp;", "&")):
        text = text.replace(name, character)
    elements: dict[str, Any] = json.loads(text)
    return elements


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


async def load(address: str, visitors: int, seconds: float, between: float) -> list[Visitor]:
    """Visitors come one after another and play on; from the last one's arrival their clicks count."""
    crowd = [Visitor(address, number, between) for number in range(visitors)]
    tasks = []
    for visitor in crowd:
        tasks.append(asyncio.create_task(visitor.play()))
        sitting = asyncio.create_task(visitor.seated.wait())
        await asyncio.wait([tasks[-1], sitting], timeout=60, return_when=asyncio.FIRST_COMPLETED)
        sitting.cancel()
    until = time.monotonic() + seconds
    for visitor in crowd:
        visitor.counting, visitor.until = True, until
    await asyncio.gather(*tasks)
    return crowd


def measured(visitors: int = 200, seconds: float = 40.0, between: float = 4.0) -> dict[str, float]:
    """Starts a server, lets the crowd in, and says how long clicks took, in milliseconds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as state:
        server = subprocess.Popen(
            [sys.executable, "-m", "ludoteca.cli", "serve", "--port", str(port)],
            env=os.environ | {"XDG_STATE_HOME": state}, stdout=subprocess.PIPE, cwd=state,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            server.stdout.readline()
            _wait_for(port)
            crowd = asyncio.run(load(f"http://127.0.0.1:{port}", visitors, seconds, between))
        finally:
            server.terminate()
            server.wait(timeout=30)
    clicks = sorted(1000 * each for visitor in crowd for each in visitor.clicks)
    for trouble in {visitor.trouble for visitor in crowd if visitor.trouble}:
        print("trouble:", trouble, file=sys.stderr)
    quantiles = statistics.quantiles(clicks, n=100) if len(clicks) > 1 else [float("nan")] * 99
    return {
        "visitors": sum(bool(visitor.clicks) for visitor in crowd),
        "clicks": len(clicks),
        "clicks/s": len(clicks) / seconds,
        "replies": sum(visitor.replies for visitor in crowd),
        "p50 ms": quantiles[49],
        "p95 ms": quantiles[94],
        "p99 ms": quantiles[98],
        "troubled": sum(bool(visitor.trouble) for visitor in crowd),
    }


if __name__ == "__main__":
    given = [float(each) for each in sys.argv[1:]]
    result = measured(int(given[0]), *given[1:]) if given else measured()
    print("  ".join(f"{name} {value:.4g}" for name, value in result.items()))
