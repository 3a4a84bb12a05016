"""More to think about than there are processes to think: one process and a queue of one, on a real server."""

from __future__ import annotations

import asyncio
import socket

import aiohttp
import pytest

from tests.web.tabs import Table, visitor


def says(table: Table, text: str) -> bool:
    return text in table.text("status")


def test_a_closed_tab_frees_its_worker_and_a_full_queue_recovers(narrow: str) -> None:
    async def visit() -> None:
        async with visitor(narrow) as ana, visitor(narrow) as bea, visitor(narrow, "es") as eva:
            endless = await ana("hex:size=3", "waits|person", "60s")
            await endless.until(lambda: says(endless, "waits is thinking"))
            waits = await bea("hex:size=3", "random|person")
            await waits.until(lambda: says(waits, "Busy;"))
            refused = await eva("hex:size=3", "random|person")
            await refused.until(lambda: says(refused, "Mucha cola: Azar"))
            assert waits.count == refused.count == 0
            await endless.tab.close()
            await waits.until(lambda: waits.count == 1)
            await refused.until(lambda: refused.count == 1 and says(refused, "Te toca"))

    asyncio.run(visit())


def test_a_page_that_no_browser_shows_takes_no_worker(narrow: str) -> None:
    async def visit() -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as nobody, visitor(narrow) as ana:
            async with nobody.get(narrow):
                pass
            for _ in range(3):
                form = {"game": "hex:size=3", "seats": "waits|person", "limit": "60s"}
                async with nobody.post(f"{narrow}/table", data=form) as answer:
                    assert answer.status == 200
            table = await ana("hex:size=3", "random|person")
            await table.until(lambda: table.count == 1)

    asyncio.run(visit())


def test_taking_back_stops_the_agent_and_frees_its_worker(narrow: str) -> None:
    async def visit() -> None:
        async with visitor(narrow) as ana, visitor(narrow) as bea:
            endless = await ana("hex:size=3", "person|waits", "60s")
            await endless.tab.tell("play", '"play"', "4")
            await endless.until(lambda: says(endless, "waits is thinking"))
            waits = await bea("hex:size=3", "random|person")
            await waits.until(lambda: says(waits, "Busy;"))
            await endless.tab.tell("play", '"do"', '"undo"')
            await endless.until(lambda: endless.count == 0 and says(endless, "Your turn"))
            await waits.until(lambda: waits.count == 1)

    asyncio.run(visit())


@pytest.mark.parametrize(
    ("agent", "language", "why"),
    [
        ("eats", "en", "The agent failed. eats: the agent ran out of memory"),
        ("eats-inside", "es", "El agente ha fallado. eats-inside:"),
        ("dies", "en", "The agent failed. dies: the agent's process died by SIGKILL"),
    ],
)
def test_an_agent_that_fails_leaves_the_page_usable(narrow: str, agent: str, language: str, why: str) -> None:
    async def visit() -> None:
        async with visitor(narrow, language) as ana:
            table = await ana("hex:size=3", f"person|{agent}", "60s")  # its fault, not the machine's slowness
            await table.tab.tell("play", '"play"', "4")
            await table.until(lambda: says(table, why))
            await table.tab.tell("play", '"do"', '"retry"')
            await table.until(lambda: not says(table, why))
            await table.until(lambda: says(table, why))
            await table.tab.tell("play", '"do"', '"undo"')
            await table.until(lambda: table.count == 0 and not says(table, why))
            other = await ana("hex:size=3", "random|person")
            await other.until(lambda: other.count == 1)

    asyncio.run(visit())


def test_an_agent_that_fails_gives_its_hand_not_away(narrow: str) -> None:
    async def visit() -> None:
        async with visitor(narrow) as ana:
            table = await ana("dominoes:start=seat", "blurts|person")
            await table.until(lambda: says(table, "The agent failed. blurts could not play"))
            assert not says(table, "I hold")
            open_game = await ana("hex:size=3", "blurts|person")
            await open_game.until(lambda: says(open_game, "blurts: ValueError: I hold a1 b1"))

    asyncio.run(visit())


def test_other_machines_are_not_let_in(narrow: str) -> None:
    port = int(narrow.rpartition(":")[2])
    for host, answers in (("127.0.0.1", True), ("127.0.0.2", False)):  # the latter is this machine by another address
        with socket.socket() as probe:
            assert (probe.connect_ex((host, port)) == 0) is answers
