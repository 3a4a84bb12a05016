"""The adviser's page over real websockets, without a picture: advice, chances, and what no browser would send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from ludoteca.web.pages.advise.advice import MOST_PER_VISITOR, AdviceLimit
from tests.web.tabs import Table
from tools.tab import Tab

HAND = "hand: 6-6 5-4 3-1 2-2 6-1 4-0 5-0; begins: me"


@asynccontextmanager
async def following(address: str, name: str, /, **fields: str) -> AsyncIterator[Table]:
    """A tab of a new visitor that follows a match."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(f"{address}/learn"):
            pass
        async with session.get(f"{address}/advise/{name}", params=fields) as answer:
            page = await answer.text()
            assert answer.status == 200, page[:2000]
        table = Table(await Tab.open(session, address, page))
        yield table
        await table.tab.close()


def test_advice_and_chances_come_by_themselves(address: str) -> None:
    async def visit() -> None:
        async with following(address, "dominoes", start=HAND, events="6-6@left,draw,6-2@left") as table:
            await table.until(lambda: "Best:" in table.text("ask") and "%" in table.text("items"))
            assert "Counted" in table.text("belief-note") and "(7)" in table.text("subtitle")
            await table.tab.tell("advise", '"do"', '"enter:3:6-1@right"')
            await table.until(lambda: "What did the other do?" in table.text("ask"))
            await table.tab.tell("advise", '"do"', '"change:1"')
            await table.until(lambda: "Entry 2: what happened?" in table.text("ask"))
            await table.tab.tell("advise", '"do"', '"cancel"')
            await table.until(lambda: "What did the other do?" in table.text("ask"))

    asyncio.run(visit())


def test_the_buttons_let_it_think_longer_and_stop(address: str) -> None:
    async def visit() -> None:
        async with following(address, "hex", game="hex:size=11", events="d4,f6") as table:
            await table.until(lambda: "Best:" in table.text("ask") and "Think longer" in table.text("controls"))
            await table.tab.tell("advise", '"do"', '"longer"')
            await table.until(lambda: "Stop" in table.text("controls"))
            await table.tab.tell("advise", '"do"', '"stop"')
            await table.until(lambda: "Think longer" in table.text("controls"))
            assert "Best:" in table.text("ask")

    asyncio.run(visit())


def test_a_page_that_was_left_asks_nothing_more(address: str) -> None:
    async def visit() -> None:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            for _ in range(MOST_PER_VISITOR + 2):  # of the same visitor, one after another
                async with session.get(f"{address}/advise/hex", params={"game": "hex:size=11"}) as answer:
                    table = Table(await Tab.open(session, address, await answer.text()))
                await table.until(lambda: "is thinking" in table.text("ask"))  # noqa: B023 - used at once
                await table.tab.close()

    asyncio.run(visit())


def test_a_list_is_pasted(address: str) -> None:
    async def visit() -> None:
        async with following(address, "hex", game="hex:size=3") as table:
            await table.tab.tell("list", '"1. b2 a1 2. b2"', event="submit")
            await table.until(lambda: "Number 3 of the list, 'b2'" in table.text("ask"))
            assert "Nothing yet" in table.text("entered")
            await table.tab.tell("list", '"1. b2 a1 2. c1"', event="submit")
            await table.until(lambda: "You played c1." in table.text("entered"))

    asyncio.run(visit())


def test_odd_clicks_are_refused_where_one_looks(address: str) -> None:
    odd = [
        ('"play"', "-1"), ('"play"', "99999"), ('"play"', "true"), ('"play"', "1.5"), ('"play"', '"a1"'), ('"play"',),
        ('"item"', "0"), ('"item"', "null"), ('"item"', "99999"), ('"do"', "4"), ('"do"', '"explode"'), ("{}",), (),
        ('"do"', '"enter:0:b2"'), ('"do"', '"enter:1:b2"'), ('"do"', '"enter:1:"'), ('"do"', '"enter"'),
        ('"do"', '"answer:me"'), ('"do"', '"remove:7"'), ('"do"', '"remove:-1"'), ('"do"', '"change:9999999999"'),
        ('"do"', '"change:²"'), ('"do"', '"longer"'), ('"do"', f'"enter:1:{"x" * 10_000}"'),
    ]  # fmt: skip

    async def visit() -> None:
        async with following(address, "hex", game="hex:size=3", events="b2") as table:
            for words in odd:
                await table.tab.tell("advise", *words)
            await table.until(lambda: "That is not possible here." in table.text("ask"))
            await table.tab.tell("advise", '"play"', "0")
            await table.until(lambda: "The other player played a1." in table.text("entered"))
            assert table.text("entered").count("player played") == 1 and not table.notices

    asyncio.run(visit())


def test_only_games_that_can_be_followed_have_a_page(address: str) -> None:
    async def visit() -> None:
        async with aiohttp.ClientSession() as session:
            for path, status in (
                ("/advise", 200), ("/advise/chess", 404), ("/advise/hex?game=dominoes", 400),
                ("/advise/hex?game=os.path:size=3", 400), ("/advise/hex?events=" + "a1," * 700, 400),
                ("/advise/dominoes?start=hand:+9-9", 200), ("/advise/dominoes?start=hand:+6-6;+begins:+nobody", 200),
            ):  # fmt: skip
                async with session.get(address + path) as answer:
                    assert answer.status == status, path

    asyncio.run(visit())


def test_a_visitor_asks_a_few_questions_at_once() -> None:
    limit = AdviceLimit()
    for _ in range(MOST_PER_VISITOR):
        assert limit.enter("ana", "1.2.3.4")
    assert not limit.enter("ana", "1.2.3.4") and limit.enter("bea", "1.2.3.4")
    limit.leave("ana", "1.2.3.4")
    assert limit.enter("ana", "1.2.3.4")
    for number in range(100):
        limit.enter(f"eve{number}", "6.6.6.6")
    assert not limit.enter("mallory", "6.6.6.6") and limit.enter("mallory", "7.7.7.7")
