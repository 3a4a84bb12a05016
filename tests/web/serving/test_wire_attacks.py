"""Attacks over the network, against one server: forged events, foreign sockets, files with markup."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ludoteca import games
from ludoteca.adapters.formats import sgf, text
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from tests.web.pages.play.test_two_screens import people, sent_to, written
from tests.web.tabs import Table
from tools.tab import GaveUp, Tab


async def table_of(session: aiohttp.ClientSession, address: str) -> Table:
    """A new table of Hex for two persons at one screen."""
    async with session.post(f"{address}/table", data={"game": "hex:size=3", "seats": "person|person"}) as answer:
        return Table(await Tab.open(session, address, await answer.text()))


def test_no_visitor_speaks_for_the_tab_of_another(address: str, state: Path) -> None:
    """Eve knows the id of Ana's tab and the numbers of its elements, as from a page that Ana has saved and sent on."""

    async def visit() -> None:
        async with people(address, 2) as (ana, eve):
            mine = await table_of(ana.session, address)
            hers = await table_of(eve.session, address)
            hers.tab.client, own = mine.tab.client, hers.tab.client
            for place in (0, 1, 2):
                await hers.tab.tell("play", '"play"', str(place))
            for name in ("javascript_response", "ack", "log", "handshake", "nonsense"):
                forged: dict[str, Any] = {"request_id": "x", "next_message_id": 10**9, "level": "error"}
                await hers.tab.emit(name, forged | {"message": "FORGED", "tab_id": "t", "document_id": "d"})
            for frame in ('42["event",7]', '42["event"]', '42["event",{"client_id":[]}]', '42["ack",null]'):
                await hers.tab.send(frame)
            hers.tab.client = own
            await hers.tab.tell("play", '"play"', "4")
            await hers.until(lambda: hers.count == 1)  # all before it has been dealt with
            await mine.tab.tell("play", '"play"', "8")
            await mine.until(lambda: mine.count == 1)
            assert "c3" in mine.text("moves") and "a1" not in mine.text("moves")
            for spoiled in (mine, hers):
                assert not spoiled.tab.cut_off
                await spoiled.tab.close()
        assert "FORGED" not in (state / "log").read_text()

    asyncio.run(visit())


def test_a_socket_is_accepted_only_for_a_tab_of_its_own_visitor(address: str) -> None:
    async def visit() -> None:
        async with people(address, 2) as (ana, eve):
            mine = await table_of(ana.session, address)
            for wire in (eve.session, aiohttp.ClientSession(), ana.session):
                page = mine.tab.page if wire is not ana.session else mine.tab.page.replace(mine.tab.client, "0" * 36)
                with pytest.raises((aiohttp.WSServerHandshakeError, GaveUp)):
                    await Tab.open(wire, address, page)
                if wire not in (ana.session, eve.session):
                    await wire.close()
            query = f"EIO=4&transport=polling&client_id={mine.tab.client}"
            async with eve.session.get(f"{address}/_nicegui_ws/socket.io/?{query}") as answer:
                assert answer.status == 403
            watch = await ana.watch("/watch")
            url = next(each["props"]["url"] for each in watch.tab.elements.values() if "url" in each.get("props", {}))
            async with eve.session.post(address + url, data={"file": "x"}) as answer:
                assert answer.status == 403
            more = []
            with contextlib.suppress(aiohttp.WSServerHandshakeError, GaveUp):
                for _ in range(10):
                    more.append(await Tab.open(ana.session, address, mine.tab.page))
            assert 1 <= len(more) < 5
            for tab in (*more, mine.tab):
                await tab.close()

    asyncio.run(visit())


SAME_TO_OTHERS = [
    ("dominoes", ["line: 6-6; 0: 6-4 5-5 3-1; 1: 4-3 2-0; turn: 0", "line: 6-6; 0: 6-4 2-2 1-0; 1: 4-3 2-0; turn: 0"],
     ["6-4"]),
    ("kittens", ["deck: safe skip bomb safe; 0: attack; 1: see; turn: 0",
                 "deck: skip safe bomb safe; 0: attack; 1: see; turn: 0"], ["draw"]),
]  # fmt: skip
"""The hand of seat 0 or the card that it draws differs; what it does is the same in public."""


@pytest.mark.parametrize(("game", "starts", "typed"), SAME_TO_OTHERS, ids=["dominoes", "kittens"])
def test_messages_to_spectator_and_opponent_reveal_nothing_of_a_hand(
    address: str, state: Path, game: str, starts: list[str], typed: list[str]
) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            tables = [written(state, game, start, ana.owner, bea.owner) for start in starts]
            looks, guests = [], []
            for table in tables:
                host = await ana.watch(f"/table/{table.match}")
                guests.append(await bea.watch(f"/table/{table.match}"))
                looks.append(await eve.watch(f"/look/{table.watch}"))
                for action in typed:
                    await host.type(action)
                await guests[-1].answered()
                await looks[-1].until(lambda: len(looks[-1].seen) > 1)
                await looks[-1].tab.round_trip()
            assert sent_to(looks[0]) == sent_to(looks[1])
            assert sent_to(guests[0]) == sent_to(guests[1])
            assert len(looks[0].seen) > 1, "the spectator saw that something was played"

    asyncio.run(visit())


MARKUP = "\"'><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}${8*8}`\\"


class Markup(HTMLParser):
    """Reads HTML as a browser does, and fails where a part of `MARKUP` became a tag."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img") and not any(name.startswith("on") for name, _ in attrs), (tag, attrs)


def hostile_files() -> dict[str, str]:
    """By its name a file in every format, with markup wherever a text may stand."""
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity(MARKUP, MARKUP), 5), Who(Identity(f"b{MARKUP}"))))
    for action in (4, 0, 3, 1):
        match.answer(Decision(action, value=0.5, scores={action: 0.25}, line=(action,), note=MARKUP), 0.5)
    match.end_by(0, Fault(Ending.error, MARKUP))
    record = match.record()
    fields = json.loads(record.to_json()) | {"digest": MARKUP}
    fields["decisions"][0]["note"] = {"template": re.sub("[{}]", "", MARKUP) + " {a}", "fields": {"a": MARKUP}}
    tree = MatchTree.of(record, {0: MARKUP}, comment=MARKUP)
    names = MARKUP.replace("\\", "").replace("]", "")
    return {
        "jsonl": json.dumps(fields) + "\n" + json.dumps(fields | {"message": MARKUP}),
        "json-wrong": json.dumps(fields | {"game": MARKUP}),
        "json-wrong-limit": json.dumps(fields | {"limit": MARKUP}),
        "sgf": sgf.write([tree]),
        "sgf-wrong": f"(;FF[4]GM[11]SZ[{names}]PB[{names}];B[{names}])",
        "text": text.write([tree]),
        "text-wrong": f'[Game "hex:size=3"]\n[Seed "1"]\n\n1. {names} *',
        "hexworld-wrong": f"https://hexworld.org/board/#3c1,{names}",
        "none": MARKUP,
    }


@pytest.mark.parametrize("kind", hostile_files())
def test_no_file_of_any_format_brings_markup_into_the_page(address: str, kind: str) -> None:
    async def visit() -> None:
        async with people(address, 1) as (ana,):
            spy = await ana.watch("/watch")
            url = next(each["props"]["url"] for each in spy.tab.elements.values() if "url" in each.get("props", {}))
            form = aiohttp.FormData()
            form.add_field("file", hostile_files()[kind].encode(), filename=f"{MARKUP}.json")
            before = len(spy.seen)
            async with ana.session.post(address + url, data=form) as answer:
                assert answer.status == 200, await answer.text()
            await spy.until(lambda: any("notify" in each[:12] or "slider" in each for each in spy.seen[before:]))
            for each in spy.tab.elements.values():
                Markup().feed(str(each.get("props", {}).get("innerHTML", "")))
            notices = [json.loads(each)[1] for each in spy.seen if each.startswith('["notify"')]
            assert all(not each.get("options", each).get("html") for each in notices)
            assert ("wrong" in kind or kind == "none") == bool(notices), notices

    asyncio.run(visit())
