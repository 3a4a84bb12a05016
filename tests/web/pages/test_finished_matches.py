"""Matches of people in Watch: each visitor's own, when they are over; and what the terminal kept."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from ludoteca.protocols import Decision
from tests.web.pages.play.test_clearing import opened
from tests.web.tabs import PATIENCE, Table
from tests.web.test_server import Visitor
from tools.tab import Tab

OWN_SERVER = True


def page_run(state: Path) -> int:
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        return store.people_run("page").id


def test_a_match_is_replayed_only_by_its_visitor_and_only_when_it_is_over(address: str, state: Path) -> None:
    run = page_run(state)

    async def visit() -> None:
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as ana,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as bea,
        ):
            for each in (ana, bea):
                async with each.get(address):
                    pass

            async def got(who: aiohttp.ClientSession, path: str) -> tuple[int, str]:
                async with who.get(f"{address}{path}") as answer:
                    return answer.status, await answer.text()

            _, table = await opened(ana, address, "person|random")
            await table.tab.tell("play", '"play"', "4")
            await table.until(lambda: table.count >= 2)
            # While it goes on no visitor sees it there, not even its own.
            for who in (ana, bea):
                assert (await got(who, f"/watch/{run}/0"))[0] == 404
                status, body = await got(who, f"/watch/{run}")
                assert status == 200 and f"/watch/{run}/0" not in body
            for deed in ('"resign"', '"confirm_resign"'):
                await table.tab.tell("play", '"do"', deed)
            await table.until(lambda: "resigned" in table.text("status"))
            async with asyncio.timeout(PATIENCE):
                while (await got(ana, f"/watch/{run}/0"))[0] != 200:
                    pass  # it is being written
            status, body = await got(ana, f"/watch/{run}/0?ply=99")
            assert status == 200 and " resigned." in body and "random" in body
            assert f"/watch/{run}/0" in (await got(ana, f"/watch/{run}"))[1]
            status, body = await got(bea, f"/watch/{run}/0")
            assert status == 404 and "no finished match 0 of yours" in body
            assert f"/watch/{run}/0" not in (await got(bea, f"/watch/{run}"))[1]

    asyncio.run(visit())


def printed(state: Path, *words: str) -> str:
    command = [sys.executable, "-m", "ludoteca.cli", *words, "--store", str(state / "ludoteca" / "arena.sqlite")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_command_line_knows_what_was_played_on_the_page(address: str, state: Path) -> None:
    assert re.search(r"\bpage\b", printed(state, "show"))
    assert "random" in printed(state, "replay", "page", "0")
    assert '"ending":"resigned"' in printed(state, "export", "page")


@pytest.fixture
def in_the_terminal(address: str, state: Path) -> int:
    """What somebody has played in the terminal: a match that is over, and one that is not; their run."""
    over = Match(games.game("hex:size=3"), 1, seats=(Who(), Who(Identity("astar", "12345678"), 7)))
    for action in (4, 0, 3, 1, 5):
        if over.turn == 0:
            over.play(action)
        else:
            over.answer(Decision(action, value=-0.5, scores={action: 0.5}, note="nothing else helps"), 0.25)
    assert over.ending is Ending.finished
    unfinished = Match(games.game("dominoes"), 1, seats=(Who(), Who(Identity("cases"))))
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        run = store.people_run("terminal").id
        if not store.count(run):
            store.people.open(run, over.record(), "over")
            store.people.open(run, unfinished.record(), "unfinished")
    return run


def test_thoughts_are_shown_for_matches_of_the_terminal(address: str, in_the_terminal: int) -> None:
    status, body = Visitor(address).get(f"/watch/{in_the_terminal}/0?ply=1")
    assert status == 200 and "Nothing else helps." in body and "red is ahead" in body.lower()
    assert f"/watch/{in_the_terminal}/0" in Visitor(address).get(f"/watch/{in_the_terminal}")[1]


def test_what_goes_on_in_the_terminal_is_not_shown(address: str, in_the_terminal: int) -> None:
    """Its player could otherwise look up the other hand on the page."""
    status, body = Visitor(address).get(f"/watch/{in_the_terminal}/1")
    assert status == 404 and "no finished match 1" in body and "Dominoes table" not in body
    assert f"/watch/{in_the_terminal}/1" not in Visitor(address).get(f"/watch/{in_the_terminal}")[1]


def test_the_list_of_runs_shows_each_visitor_their_own(address: str, state: Path, in_the_terminal: int) -> None:
    run = page_run(state)

    async def listed() -> str:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as stranger:
            async with stranger.get(f"{address}/watch") as answer:
                table = Table(await Tab.open(stranger, address, await answer.text()))
            await table.until(lambda: f"/watch/{in_the_terminal}" in table._html("matches"))
            return table._html("matches")

    assert f'href="/watch/{run}"' not in asyncio.run(listed())
