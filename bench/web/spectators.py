"""Visitors who do not play: they watch a tournament, go through one of its matches, or set a position up."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import Any, Literal

import aiohttp

from bench.web.players import Visitor
from tools.tab import GaveUp, Tab

Part = Literal["play", "watch", "replay", "edit"]
PARTS: tuple[Part, ...] = ("play", "watch", "replay", "edit")
RUN = 1
"""The tournament that is looked at: the first run of the store."""
CELLS = 25
"""Of the board on which positions are set up."""
PAGES = {"watch": f"/watch/{RUN}", "replay": f"/watch/{RUN}/0?ply=0", "edit": "/edit/hex?game=hex:size=5"}


def part_of(number: int) -> Part:
    """Of ten visitors seven play, one watches, one goes through a match, and one sets a position up."""
    return {7: "watch", 8: "replay", 9: "edit"}.get(number % 10, "play")  # type: ignore[return-value]


@dataclass
class Spectator(Visitor):
    """Opens the start page, then stays on the page of its part.

    A click counts until the board is back: for one who watches, which needs no click, that is the whole way from the
    request to a list of matches.
    """

    part: Part = "watch"

    async def _sit_down(self, session: aiohttp.ClientSession) -> Tab:
        start = time.perf_counter()
        tab = await self._open(session, PAGES[self.part])
        if self.part == "watch":
            await self._until_listed(tab)
            if self.seated.is_set():
                self.clicks.append((time.monotonic(), time.perf_counter() - start))
        return tab

    async def _until_listed(self, tab: Tab) -> None:
        fresh, listed = asyncio.Event(), tab.find("stored")

        def heard(name: str, content: dict[str, Any]) -> None:
            fresh.set()

        tab.heard = heard
        async with asyncio.timeout(self.patience):
            while "href" not in str(tab.elements[listed]["props"].get("innerHTML", "")):
                fresh.clear()
                await fresh.wait()

    async def _play(self, tab: Tab) -> None:
        """Clicks, or looks again, until it is time to go or the match is at its end."""
        chance = random.Random(self.number)
        if self.part == "watch":
            await asyncio.sleep(chance.uniform(0.5, 1.5) * self.between)
            return  # and opens the page anew
        board, fresh = tab.find("board"), asyncio.Event()

        def heard(name: str, content: dict[str, Any]) -> None:
            if name == "update" and board in content:
                fresh.set()

        tab.heard = heard
        while time.monotonic() < self.until:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * self.between)
            if tab.cut_off:
                raise GaveUp("the server ended the connection")
            fresh.clear()
            start = time.perf_counter()
            if self.part == "edit":
                await tab.tell("board", str(chance.randrange(CELLS)))
            else:
                slider = tab.elements[tab.find("slider")]["props"]
                at_end = int(slider["value"]) >= int(slider["max"])
                await tab.tell("controls", '"do"', '"first"' if at_end else '"next"')
            await asyncio.wait_for(fresh.wait(), self.patience)
            self.clicks.append((time.monotonic(), time.perf_counter() - start))
