"""Tables as a browser without a picture sees them: over real websockets."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp

from tools.tab import Tab

PATIENCE = 60.0  # seconds; a busy machine is slow, but it gets there


@asynccontextmanager
async def visitor(address: str, language: str = "en") -> AsyncIterator[Callable[..., asyncio.Future[Table]]]:
    """Somebody with cookies of their own: within, a function that opens tables for them."""
    tables: list[Table] = []
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Accept-Language": language}
    ) as session:
        async with session.get(f"{address}/learn"):
            pass  # which gives them their name

        async def open_table(game: str, seats: str, limit: str = "1s") -> Table:
            async with session.post(f"{address}/table", data={"game": game, "seats": seats, "limit": limit}) as answer:
                page = await answer.text()
                assert answer.status == 200, page[:2000]
            tables.append(Table(await Tab.open(session, address, page)))
            return tables[-1]

        yield lambda *given: asyncio.ensure_future(open_table(*given))
        for table in tables:
            await table.tab.close()


class Table:
    """One tab that shows a table."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.notices: list[str] = []
        self._news = asyncio.Event()
        tab.heard = self._heard

    def _heard(self, name: str, content: dict[str, object]) -> None:
        if name == "notify":
            self.notices.append(str(content.get("message")))
        self._news.set()

    def text(self, part: str) -> str:
        """What stands in a part of the page, without its tags."""
        return html.unescape(re.sub("<[^>]+>", "", self._html(part)))

    @property
    def count(self) -> int:
        """How many actions the page lists."""
        return self._html("moves").count("<button") - 1

    def _html(self, part: str) -> str:
        return str(self.tab.elements[self.tab.find(part)]["props"]["innerHTML"])

    async def until(self, done: Callable[[], bool]) -> None:
        """Waits for news until something is so."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._news.clear()
                await self._news.wait()
