"""How long *Play now* takes: from the click until the page lists the agent's action.

``python -m bench.web.stop [--runs N] [--load N]`` starts a server with two thinkers and plays Hex against four agents
that have a minute: our engine, and three that have one thought and then never answer again, so that their process must
be killed. With ``--load`` other visitors' agents hold every other place and wait for more, all at full speed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp

from bench.web.load import wait_for
from tools.tab import Tab

PORT = 8797
HANGING = """
import ctypes, os, signal
from ludoteca import Decision

class OneThought:
    def __init__(self, game, seat, seed): pass
    def act(self, view, limit): return view.legal()[0]
    def think(self, view, limit):
        yield Decision(view.legal()[0])
        while True:
            self.hang()

class InPython(OneThought):
    def hang(self): pass

class InC(OneThought):
    def hang(self): ctypes.PyDLL(None).pause()

class Suspended(OneThought):
    def hang(self): os.kill(os.getpid(), signal.SIGSTOP)
"""
AGENTS = ("engine", "in-python", "in-c", "suspended")


def install(site: Path) -> None:
    """Makes the agents of HANGING a package that is installed in this folder."""
    (site / "hanging.py").write_text(HANGING)
    information = site / "hanging-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: hanging\nVersion: 1\n")
    names = {"in-python": "InPython", "in-c": "InC", "suspended": "Suspended"}
    lines = "".join(f"{name} = hanging:{kind}\n" for name, kind in names.items())
    (information / "entry_points.txt").write_text(f"[ludoteca.agents]\n{lines}")


class Table:
    """A match of Hex in which an agent begins, and has a minute."""

    def __init__(self, tab: Tab) -> None:
        self.tab, self._news = tab, asyncio.Event()
        tab.heard = lambda name, content: self._news.set()

    @classmethod
    async def open(cls, session: aiohttp.ClientSession, address: str, agent: str) -> Table:
        """The table of a visitor."""
        form = {"game": "hex", "seats": f"{agent}|person", "limit": "60s"}
        async with session.post(f"{address}/table", data=form) as answer:
            return cls(await Tab.open(session, address, await answer.text()))

    async def until_shown(self, text: str) -> None:
        """Waits until some part of the page holds this text."""
        while not any(text in str(each.get("props", {}).get("innerHTML")) for each in self.tab.elements.values()):
            self._news.clear()
            await self._news.wait()

    async def play_now(self) -> float:
        """The seconds from the click to the action in the list of moves."""
        begun = time.perf_counter()
        await self.tab.tell("play", '"do"', '"play_now"')
        await self.until_shown('data-ply="1"')
        return time.perf_counter() - begun


async def measure(address: str, runs: int, load: int) -> None:
    """Prints a row for each agent."""
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)))
            for _ in range(load + 1)
        ]
        for each in others:
            async with each.get(f"{address}/learn"):
                pass
        for agent in AGENTS:
            seconds = []
            for _ in range(runs):
                table = await Table.open(others[0], address, agent)
                await table.until_shown("</b> → <code>")  # it thinks, and its thought is shown
                busy = [await Table.open(each, address, "engine") for each in others[1:]]
                if busy:
                    await busy[0].until_shown("is thinking")
                seconds.append(await table.play_now())
                for opened in (table, *busy):
                    await opened.tab.close()
            print(f"| {agent} | {1000 * statistics.median(seconds):.0f}, {1000 * max(seconds):.0f} ms |", flush=True)


def main() -> None:
    """Starts the server and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=0, help="how many other visitors wait for agents")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        site.mkdir()
        install(site)
        environment = os.environ | {"XDG_STATE_HOME": folder, "PYTHONPATH": str(site)}
        command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", str(PORT), "--thinkers", "2"]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_for(PORT)
            print(f"load average {os.getloadavg()[0]:.0f}, {given.load} others; click to action: median, longest")
            asyncio.run(measure(f"http://127.0.0.1:{PORT}", given.runs, given.load))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
