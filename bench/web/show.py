"""``python -m bench.web.show``: what the show match costs the server, by how many people watch it.

A server of our own, and that many tabs of Watch over real websockets. Counted is the processor time of the server
itself, without its agents, from one action to the next: the match is drawn once, and sent to every tab. Opening the
tabs is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from typing import Any

import aiohttp

from bench.web.load import processor_seconds, served
from tools.tab import Tab

AT_ONCE = 4
"""Tabs that are opened at the same time."""


async def measure(address: str, server: int, watching: int, actions: int) -> tuple[float, float, float]:
    """Milliseconds of the server per action; then by how many seconds the last tab saw an action after the first.

    The second is the median, the third the longest.
    """
    seen: dict[str, list[float]] = {}
    fresh = asyncio.Event()
    jar, connector = aiohttp.CookieJar(unsafe=True), aiohttp.TCPConnector(limit=0)  # a tab keeps its websocket
    async with aiohttp.ClientSession(cookie_jar=jar, connector=connector) as session:
        places = asyncio.Semaphore(AT_ONCE)

        async def open_tab() -> Tab:
            async with places, session.get(f"{address}/watch") as answer:
                tab = await Tab.open(session, address, await answer.text())
            board = tab.find("board")

            def heard(name: str, content: dict[str, Any]) -> None:
                if name == "update" and board in content:
                    picture = str(content[board]["props"].get("innerHTML", ""))
                    seen.setdefault(picture, []).append(time.perf_counter())
                    fresh.set()

            tab.heard = heard
            return tab

        tabs = list(await asyncio.gather(*(open_tab() for _ in range(watching))))
        try:
            seen.clear()
            start = spent = 0.0
            done: list[list[float]] = []
            while len(done) <= actions:  # the first marks the beginning
                fresh.clear()
                await asyncio.wait_for(fresh.wait(), 60)
                complete = [times for times in seen.values() if len(times) == len(tabs)]
                if len(complete) > len(done):
                    done = complete
                    spent = processor_seconds(server)
                    start = start or spent
        finally:
            for tab in tabs:
                await tab.close()
    late = sorted(max(times) - min(times) for times in done[1:])
    return 1000 * (spent - start) / (len(done) - 1), late[len(late) // 2], late[-1]


def main() -> None:
    """Prints a line for each number of tabs."""
    parser = argparse.ArgumentParser(prog="python -m bench.web.show", description="What the show match costs.")
    parser.add_argument("--watching", type=int, nargs="+", default=[1, 30, 300])
    parser.add_argument("--actions", type=int, default=12)
    given = parser.parse_args()
    for watching in given.watching:
        with tempfile.TemporaryDirectory() as state, served(state) as (address, server):
            cost, middle, longest = asyncio.run(measure(address, server, watching, given.actions))
        print(
            f"{watching} watching: {cost:.1f} ms of the server per action; the last tab {1000 * middle:.0f} ms after "
            f"the first, at most {1000 * longest:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
