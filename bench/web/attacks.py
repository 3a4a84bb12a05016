"""The page under attack: what somebody who plays notices while others try to stop the class.

Each attack goes on against a real server while one visitor clicks and newcomers come. The report says how long clicks
and arrivals took, and what the attackers got.

    python -m bench.web.attacks --help
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine

import aiohttp

from bench.web.load import wait_for
from tools.tab import GaveUp, Tab

HALVES = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"POST /table HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 1000\r\n\r\ngame=",
    b"",
)
AT_ONCE = 16
"""Tabs that an attacker opens at the same time."""
CELL = re.compile(r"spot legal' [^>]*?data-action='(\d+)'")
Attack = Callable[["Town", int, asyncio.Event], Coroutine[None, None, str]]


class Town:
    """A server, and somebody who plays there."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.port = int(address.rpartition(":")[2])
        self.asked_to_wait = 0
        """How often a newcomer was shown the page that says that the server is busy."""

    def visitor(self, source: str = "127.0.0.1") -> aiohttp.ClientSession:
        """Somebody at an address of this machine."""
        wires = aiohttp.TCPConnector(local_addr=(source, 0), limit=0)
        return aiohttp.ClientSession(connector=wires, cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def seat(self, session: aiohttp.ClientSession) -> Tab:
        """A table for two persons at one screen, so that no agent is needed."""
        while True:
            async with session.get(f"{self.address}/learn") as answer:
                if answer.status == 200:
                    break
                self.asked_to_wait += 1
                await asyncio.sleep(float(answer.headers["Retry-After"]))
        form = {"game": "hex:size=11", "seats": "person|person"}
        async with session.post(f"{self.address}/table", data=form) as answer:
            return await Tab.open(session, self.address, await answer.text())

    async def click(self, tab: Tab) -> float:
        """The seconds from a click until the board is back."""
        board, fresh = tab.find("board"), asyncio.Event()

        def heard(name: str, content: dict[str, object]) -> None:
            if name == "update" and board in content:
                fresh.set()

        tab.heard = heard
        legal = CELL.findall(tab.elements[board]["props"]["innerHTML"])
        start = time.perf_counter()
        await tab.tell("play", '"play"', legal[0])
        await asyncio.wait_for(fresh.wait(), 60)
        return time.perf_counter() - start


async def half_sent(town: Town, count: int, end: asyncio.Event) -> str:
    """Opens connections that send half a request, and opens each again when it is closed."""
    closed = 0

    async def one(number: int) -> None:
        nonlocal closed
        while not end.is_set():
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", town.port)
                writer.write(HALVES[number % len(HALVES)])
                await asyncio.wait(
                    [asyncio.create_task(reader.read()), asyncio.create_task(end.wait())],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                closed += not end.is_set()
                writer.close()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one(number) for number in range(count)))
    return f"{closed} closed"


async def websockets(town: Town, count: int, end: asyncio.Event) -> str:
    """Opens as many tabs with a websocket as it is let, and as many websockets without a tab."""
    tabs: list[Tab] = []
    refused = 0

    async def open_tabs(session: aiohttp.ClientSession) -> None:
        nonlocal refused
        while len(tabs) < count and not end.is_set():
            try:
                async with session.get(f"{town.address}/learn") as answer:
                    page = await answer.text()
                    if answer.status == 503:
                        refused += 1
                        await asyncio.sleep(1.0)
                        continue
                for _ in range(3):
                    tabs.append(await Tab.open(session, town.address, page))
                await session.ws_connect(f"{town.address}/_nicegui_ws/socket.io/?EIO=4&transport=websocket")
            except (aiohttp.WSServerHandshakeError, GaveUp):
                refused += 1

    async with town.visitor() as session:
        await asyncio.gather(*(open_tabs(session) for _ in range(AT_ONCE)))
        await end.wait()
        alive = sum(not tab.cut_off for tab in tabs)
        for tab in tabs:
            await tab.close()
    return f"{alive} of {len(tabs)} sockets open, {refused} sockets or pages refused"


async def hostile_files(town: Town, count: int, end: asyncio.Event) -> str:
    """Uploads files that are made to take long, one after another."""
    colliding = {str(number * (2**61 - 1)): 0.5 for number in range(15_000)}
    record = {"version": 5, "game": "hex:size=3", "seed": 1, "seats": [{"person": True}] * 2, "actions": [4],
              "movers": [0], "returns": [0, 0], "ending": "unfinished",
              "decisions": [{"scores": colliding}]}  # fmt: skip
    files = (json.dumps(record).encode(), b"(;GM[11]SZ[19]" + b";C[x]" * 390_000 + b")", b"[" * 1_900_000)
    sent = 0
    async with town.visitor() as session:
        async with session.get(f"{town.address}/watch") as answer:
            tab = await Tab.open(session, town.address, await answer.text())
        url = next(each["props"]["url"] for each in tab.elements.values() if "url" in each.get("props", {}))
        while not end.is_set():
            form = aiohttp.FormData()
            form.add_field("file", files[sent % len(files)], filename="a.json")
            async with session.post(town.address + url, data=form) as answer:
                await answer.read()
            sent += 1
            await asyncio.sleep(0.2)
        await tab.close()
    return f"{sent} files sent"


async def floods(town: Town, count: int, end: asyncio.Event) -> str:
    """Sends clicks that redraw a board, without waiting for an answer."""
    sent = 0

    async def one() -> None:
        nonlocal sent
        async with town.visitor() as session:
            tab = await town.seat(session)
            await town.click(tab)
            while not end.is_set():
                await tab.tell("play", '"ply"', str(sent % 2))
                sent += 1
                await asyncio.sleep(0)
            await tab.close()

    await asyncio.gather(*(one() for _ in range(count)))
    return f"{sent} clicks sent"


async def nothing(town: Town, count: int, end: asyncio.Event) -> str:
    """Nobody attacks, for comparison."""
    await end.wait()
    return ""


ATTACKS: dict[str, tuple[Attack, int]] = {
    "nobody": (nothing, 0),
    "half-sent requests": (half_sent, 1200),
    "websockets": (websockets, 1000),
    "hostile files": (hostile_files, 1),
    "clicks without end": (floods, 4),
}


async def measured(town: Town, attack: Attack, count: int, seconds: float) -> str:
    """One attack; a line of the report."""
    end, clicks, arrivals, failures = asyncio.Event(), list[float](), list[float](), 0
    async with town.visitor("127.0.0.2") as ana:
        seat = await town.seat(ana)
        attacking = asyncio.create_task(attack(town, count, end))
        until, tab_closed = time.monotonic() + seconds, False
        while time.monotonic() < until:
            try:
                clicks.append(await town.click(seat))
                async with town.visitor("127.0.0.3") as new:
                    start = time.perf_counter()
                    tab = await town.seat(new)
                    arrivals.append(time.perf_counter() - start)
                    await tab.close()
            except (TimeoutError, OSError, aiohttp.ClientError, GaveUp, AssertionError):
                failures += 1
            tab_closed = tab_closed or seat.cut_off
            await asyncio.sleep(0.5)
        end.set()
        what = await attacking
        await seat.close()
    times = [f"{1000 * statistics.median(each):.0f}, {1000 * max(each):.0f} ms" if each else "–"
             for each in (clicks, arrivals)]  # fmt: skip
    ended = "yes" if tab_closed else "no"
    cells = (len(clicks), times[0], len(arrivals), times[1], town.asked_to_wait, failures, ended, what)
    return " | ".join(map(str, cells))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.web.attacks", description="The page under attack.")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack goes on")
    parser.add_argument("--attacks", nargs="+", choices=list(ATTACKS), default=list(ATTACKS))
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    columns = ("attack", "clicks", "median, longest", "newcomers", "median, longest", "asked to wait", "failed",
               "player cut off", "the attackers")  # fmt: skip
    print(f"| {' | '.join(columns)} |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for name in given.attacks:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with tempfile.TemporaryDirectory() as state:
            server = subprocess.Popen(
                [sys.executable, "-m", "ludoteca.cli", "serve", "--host", "0.0.0.0", "--port", str(port)],
                env=os.environ | {"XDG_STATE_HOME": state}, stdout=subprocess.PIPE, cwd=state,
            )  # fmt: skip
            try:
                wait_for(port)
                line = asyncio.run(measured(Town(f"http://127.0.0.1:{port}"), *ATTACKS[name], given.seconds))
            finally:
                server.terminate()
                server.wait(timeout=30)
        print(f"| {name} | {line} |", flush=True)


if __name__ == "__main__":
    main()
