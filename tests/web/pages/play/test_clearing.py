"""A table that was cleared away while tabs showed it: they say so, and it does not come back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from ludoteca.play.store import Store
from tests.web.tabs import Table
from tools.tab import Tab

FORM = {"game": "hex:size=3", "limit": "1s"}


async def opened(session: aiohttp.ClientSession, address: str, seats: str) -> tuple[str, Table]:
    """A new table: its key, and a tab that shows it."""
    async with session.post(f"{address}/table", data=FORM | {"seats": seats}) as answer:
        page = await answer.text()
        return answer.url.path.rpartition("/")[2], Table(await Tab.open(session, address, page))


async def clear(session: aiohttp.ClientSession, address: str, key: str) -> None:
    """Presses the button on the start page."""
    async with session.get(address) as answer:
        home = await Tab.open(session, address, await answer.text())
    shown = Table(home)
    await home.tell("matches", f'"{key}"')
    await shown.until(lambda: key not in str(home.elements[home.find("matches")]))
    await home.close()


def kept(state: Path) -> set[str]:
    """The names of all matches in the store."""
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        run = store.people_run("page").id
        both = (store.people.oldest(run, 1000, finished=finished) for finished in (False, True))
        return {name for found in both for name, *_ in found}


DEEDS = [
    ("play", "0"),
    *(("do", f'"{deed}"') for deed in ("undo", "resign", "confirm_resign", "swap", "pause", "retry")),
]


@pytest.mark.parametrize("seats", ["person|person", "person|random", "random|random"])
def test_a_cleared_table_does_not_come_back(address: str, state: Path, seats: str) -> None:
    async def visit() -> None:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as ana:
            async with ana.get(address):
                pass
            key, table = await opened(ana, address, seats)
            if seats != "random|random":
                await table.tab.tell("play", '"play"', "4")
            await table.until(lambda: table.count >= 1)
            assert key in kept(state)
            await clear(ana, address, key)
            await table.until(lambda: "deleted" in table.text("status"))
            for kind, argument in DEEDS:
                await table.tab.tell("play", f'"{kind}"', argument)
            await table.until(lambda: any("deleted" in each for each in table.notices))
            _, later = await opened(ana, address, "random|random")
            await later.until(lambda: later.count >= 3)  # so agents had time for another action at the cleared table
            assert key not in kept(state)
            await later.tab.close()
            await table.tab.close()

    asyncio.run(visit())
