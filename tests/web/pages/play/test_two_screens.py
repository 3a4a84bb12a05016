"""Two people at two screens, and somebody who wants to see or do more than they may.

The tables whose hidden hands differ are written into the store, because the deal of such a match cannot be chosen.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.play.store.invitations import Invitation
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.session import REACTIONS
from tests.web.serving.test_leaks import MINE_DIFFERS, THEIRS_DIFFERS, Spy, everything, first_page, legible
from tests.web.tabs import PATIENCE
from tools.tab import Tab

HOST_DIFFERS = [
    (
        "dominoes",
        ["line: 6-6; 0: 6-4 5-5; 1: 6-0 3-3; turn: 0", "line: 6-6; 0: 4-4 1-0; 1: 6-0 3-3; turn: 0"],
    ),
    (
        "kittens",
        ["deck: safe bomb skip; 0: attack; 1: see; turn: 0", "deck: attack bomb safe; 0: skip; 1: see; turn: 0"],
    ),
]
"""Only the hand of seat 0, who is on turn, and the deck are others."""


class Somebody:
    """A visitor with a cookie."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session, self.address = session, address
        self.tabs: list[Tab] = []

    @property
    def owner(self) -> str:
        """What the store knows them by; the cookie is signed, but no secret to its owner."""
        (cookie,) = [each.value for each in self.session.cookie_jar if each.key == "visitor"]
        return owner_of(cookie.split(".")[0])

    async def get(self, path: str) -> tuple[int, str]:
        async with self.session.get(self.address + path) as answer:
            return answer.status, await answer.text()

    async def post(self, path: str, **fields: str) -> tuple[int, str, str]:
        """The status, where it led to, and the page there."""
        async with self.session.post(self.address + path, data=fields) as answer:
            return answer.status, answer.url.path, await answer.text()

    async def watch(self, path: str) -> Spy:
        status, page = await self.get(path)
        assert status == 200, page[:2000]
        self.tabs.append(await Tab.open(self.session, self.address, page))
        return Spy(self.tabs[-1], path)


@asynccontextmanager
async def people(address: str, count: int) -> AsyncIterator[list[Somebody]]:
    """So many visitors, each with a cookie of their own."""
    sessions = [aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) for _ in range(count)]
    known = [Somebody(session, address) for session in sessions]
    try:
        for each in known:
            status, page = await each.get("/learn")
            assert status == 200, page[:2000]
        yield known
    finally:
        for each in known:
            for tab in each.tabs:
                await tab.close()
            await each.session.close()


def written(state: Path, game: str, start: str, host: str, guest: str | None) -> Invitation:
    """A match in the server's store in which the host has seat 0."""
    key = secrets.token_urlsafe(16)
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        run = store.people_run("page").id
        store.people.open(run, Match(games.game(game), 7, start=start).record(), key, host)
        invitation = Invitation.new(key, host, 1, guest)
        store.invitations.add(run, invitation)
    return invitation


def kept(state: Path, key: str, owner: str) -> Record:
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        found = store.people.find(store.people_run("page").id, key, owner)
    assert found is not None
    return found[1]


def masked(text: str) -> str:
    """Without what is another for every table."""
    return re.sub(r"(/|%2F)look(/|%2F)[\w-]{22}", "/look/TOKEN", legible(text))


def sent_to(spy: Spy) -> list[str]:
    """All that a tab was sent."""
    return [masked(each) for each in (*first_page(spy), spy.text(), *sorted(set(spy.seen[1:])))]


async def invitation_of(host: Somebody, game: str = "hex:size=3", seats: str = "person|friend") -> tuple[str, str, str]:
    """A new table of a host: its key, the token of the invitation, and that for those who look on."""
    status, path, page = await host.post("/table", game=game, seats=seats, limit="1s")
    assert status == 200, page[:2000]
    join, look = re.search(r"/join/([\w-]{22})", page), re.search(r"/look/([\w-]{22})", page)
    assert join is not None and look is not None
    return path.rpartition("/")[2], join[1], look[1]


def test_an_invitation_gives_the_seat_once_and_a_reload_keeps_it(address: str) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            key, token, _ = await invitation_of(ana)
            for each in (bea, eve):
                status, page = await each.get(f"/join/{token}")
                assert status == 200 and "Take the seat" in page and "You are blue" in page
                assert (await each.get(f"/table/{key}"))[0] == 404, "to open the link takes nothing yet"
            status, page = await ana.get(f"/join/{token}")
            assert "your own invitation" in page and "Take the seat" not in page
            assert (await ana.post("/join", token=token))[0] == 404, (
                "a visitor does not play against themselves by accident"
            )
            status, path, _ = await bea.post("/join", token=token)
            assert (status, path) == (200, f"/table/{key}")
            for each in (eve, ana):
                status, _, page = await each.post("/join", token=token)
                assert status == 404 and "seat" in page
            assert (await eve.get(f"/join/{token}"))[0] == 404
            assert (await eve.get(f"/table/{key}"))[0] == 404
            for _ in range(2):
                assert (await bea.get(f"/table/{key}"))[0] == 200
            assert f"/table/{key}" in (await bea.get("/"))[1] and f"/table/{key}" not in (await eve.get("/"))[1]

    asyncio.run(visit())


def test_of_visitors_who_press_at_the_same_time_one_gets_the_seat(address: str) -> None:
    async def visit() -> None:
        async with people(address, 6) as (ana, *others):
            key, token, _ = await invitation_of(ana)
            answers = await asyncio.gather(*(each.post("/join", token=token) for each in others))
            assert sorted(status for status, _, _ in answers) == [200, 404, 404, 404, 404]
            seated = [(await each.get(f"/table/{key}"))[0] for each in others]
            assert [status for status, _, _ in answers] == [200 if status == 200 else 404 for status in seated]

    asyncio.run(visit())


def test_a_code_that_is_typed_leads_to_the_same_seat(address: str) -> None:
    async def visit() -> None:
        async with people(address, 2) as (ana, bea):
            key, token, _ = await invitation_of(ana, seats="friend|person")
            code = re.search(r"(?<=&gt;)[2-9A-Z]{4}-[2-9A-Z]{4}(?=&lt;)", (await ana.get(f"/table/{key}"))[1])
            assert code is not None
            status, page = await bea.get(f"/join?code={code[0].lower()}")
            assert status == 200, page[:2000]
            assert token in page and "You are red" in page
            assert (await bea.get("/join?code=AAAA-AAAA"))[0] == 404
            await bea.post("/join", token=token)
            assert (await bea.get(f"/join?code={code[0]}"))[0] == 404

    asyncio.run(visit())


def test_each_plays_for_their_own_seat_and_both_see_it(address: str, state: Path) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            key, token, look = await invitation_of(ana)
            host = await ana.watch(f"/table/{key}")
            assert "nobody yet" in host.text()
            await bea.post("/join", token=token)
            await host.answered()
            assert "nobody yet" not in host.text(), "the host sees it"
            assert "no undo" in host.text() and 'data-do=\\"undo' not in host.text()
            guest, spectator = await bea.watch(f"/table/{key}"), await eve.watch(f"/look/{look}")
            assert "spot legal" in host.text() and "spot legal" not in guest.text() + spectator.text()
            await guest.play(4)
            await guest.type("b2")
            await guest.do("undo")
            await host.play(4)
            await host.play(5)
            await host.do("undo")
            await host.do("swap")
            await guest.answered()
            assert "spot legal" in guest.text() and "spot legal" not in host.text() + spectator.text()
            assert "b2" in spectator.text()
            await guest.do("resign")
            await guest.do("confirm_resign")
            await host.answered()
            assert "You win!" in host.text() and "You win!" not in guest.text()
            async with asyncio.timeout(PATIENCE):
                while not (record := kept(state, key, ana.owner)).finished:  # it is being written
                    await host.answered()
            assert record.actions == (4,) and record.fault == 1

    asyncio.run(visit())


@pytest.mark.parametrize(("game", "starts"), HOST_DIFFERS, ids=["dominoes", "kittens"])
def test_the_hosts_hand_is_in_nothing_that_the_guest_is_sent(
    address: str, state: Path, game: str, starts: list[str]
) -> None:
    async def visit() -> None:
        async with people(address, 2) as (ana, bea):
            tables = [written(state, game, start, ana.owner, bea.owner) for start in starts]
            spies = [await bea.watch(f"/table/{table.match}") for table in tables]
            for spy in spies:
                await everything(spy)
                await spy.do("uncover")
            assert sent_to(spies[0]) == sent_to(spies[1])
            own = [await ana.watch(f"/table/{table.match}") for table in tables]
            assert own[0].text() != own[1].text(), "whose hand it is sees it"
            assert all(kept(state, table.match, ana.owner).actions == () for table in tables)

    asyncio.run(visit())


@pytest.mark.parametrize(("game", "starts"), THEIRS_DIFFERS, ids=["dominoes", "kittens"])
def test_the_guests_hand_is_in_nothing_that_the_host_is_sent(
    address: str, state: Path, game: str, starts: list[str]
) -> None:
    async def visit() -> None:
        async with people(address, 2) as (ana, bea):
            tables = [written(state, game, start, ana.owner, bea.owner) for start in starts]
            spies = [await ana.watch(f"/table/{table.match}") for table in tables]
            for spy in spies:
                for deed in ("undo", "hint", "swap", "pause", "share", "heat", "seat0", "seat1", "uncover"):
                    await spy.do(deed)
                for ply in range(-1, 3):
                    await spy.go_to(ply)
                    await spy.slide(ply)
                await spy.ask_every_agent()
            assert sent_to(spies[0]) == sent_to(spies[1])
            assert "data-action" in spies[0].text()

    asyncio.run(visit())


@pytest.mark.parametrize(("game", "starts"), MINE_DIFFERS, ids=["dominoes", "kittens"])
def test_no_address_shows_a_hand_to_a_spectator(address: str, state: Path, game: str, starts: list[str]) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            tables = [written(state, game, start, ana.owner, bea.owner) for start in starts]
            pages = []
            for table in tables:
                tab = await eve.watch(f"/look/{table.watch}")
                heard = [event["type"] for each in tab.tab.elements.values() for event in each.get("events", [])]
                assert all(kind.startswith("sub_pages_") for kind in heard), "nothing that is sent is listened to"
                pages.append([masked(each) for each in first_page(tab)])
                for path in ("/table/{}", "/join/{}", "/thumbnail/{}.svg"):
                    for secret in (table.match, table.watch):
                        status, body = await eve.get(path.format(secret))
                        assert status in (400, 404) and "<svg xmlns" not in body, path
                with Store(state / "ludoteca" / "arena.sqlite") as store:
                    run = store.people_run("page").id
                for place in range(4):
                    assert (await eve.get(f"/watch/{run}/{place}"))[0] == 404
            assert pages[0] == pages[1]

    asyncio.run(visit())


def test_the_deal_of_hidden_hands_between_two_screens_cannot_be_chosen(address: str) -> None:
    async def visit() -> None:
        async with people(address, 1) as (ana,):
            chosen = [{"seed": "7"}, {"start": "line: 6-6; 0: 6-4; 1: 6-0; turn: 0"}]
            for fields in chosen:
                status, _, page = await ana.post("/table", game="dominoes", seats="person|friend", **fields)
                assert status == 400 and "the deal must be random" in page
            for seats in ("friend|friend", "friend|random", "random|friend"):
                assert (await ana.post("/table", game="dominoes", seats=seats))[0] == 400

    asyncio.run(visit())


def test_another_match_is_for_the_same_two_with_sides_exchanged(address: str) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            key, token, _ = await invitation_of(ana)
            await bea.post("/join", token=token)
            host, guest = await ana.watch(f"/table/{key}"), await bea.watch(f"/table/{key}")
            await guest.do("resign")
            await guest.do("confirm_resign")
            await asyncio.gather(host.do("new"), guest.do("new"))
            found: set[str] = set()
            async with asyncio.timeout(60):
                while not found:  # a new table is first kept in the store
                    await host.answered()
                    found = set(re.findall(r"/table/([\w-]{22})", json.dumps(host.shown()))) - {key}
            assert len(found) == 1, "both asked, and there is one new table"
            new = found.pop()
            assert "spot legal" in (await bea.watch(f"/table/{new}")).text()
            assert "spot legal" not in (await ana.watch(f"/table/{new}")).text()
            assert (await eve.get(f"/table/{new}"))[0] == 404

    asyncio.run(visit())


def test_names_reactions_and_offers_reach_the_other_and_nothing_else_does(address: str) -> None:
    async def visit() -> None:
        async with people(address, 3) as (ana, bea, eve):
            status, path, page = await ana.post(
                "/table", game="horses", seats="person|friend", clock="300s/match,3s/increment", names="<b>Ana</b>"
            )
            assert status == 200, page[:2000]
            join, look = re.search(r"/join/([\w-]{22})", page), re.search(r"/look/([\w-]{22})", page)
            assert join is not None and look is not None and "QR code" in page
            await bea.post("/join", token=join[1], name="Bea\u202e" + "!" * 500)
            host, guest, spectator = await ana.watch(path), await bea.watch(path), await eve.watch(f"/look/{look[1]}")
            assert (
                "Bea!!!!!!!!!!!!!!!!!" in host.text() and "!" * 18 not in host.text() and "\\u202e" not in host.text()
            )
            assert 'data-left=\\"300.0\\"' in guest.text() and 'data-left=\\"300.0\\"' in spectator.text()
            for rude in ("react6", "react-1", "react👍", "react0'", "reactx"):
                await guest.do(rude)
            thumb, hands = (json.dumps(sign)[1:-1] for sign in REACTIONS[:2])  # as the spy writes them
            assert thumb not in host.text()
            await guest.do("react0")
            await host.answered()
            assert thumb in host.text() and thumb in guest.text() and hands not in host.text()
            await guest.do("accept_draw")
            await guest.do("offer_draw")
            await guest.do("accept_draw")
            assert "agreed" not in guest.text(), "nobody accepts their own offer"
            await host.answered()
            assert "offers a draw" in host.text() and "offers a draw" not in spectator.text()
            await host.do("accept_draw")
            await guest.answered()
            assert "You both agreed." in guest.text() and "Both players agreed." in spectator.text()

    asyncio.run(visit())


def test_two_tabs_of_one_person_a_closed_tab_and_a_reload_are_one_player(address: str) -> None:
    async def visit() -> None:
        async with people(address, 2) as (ana, bea):
            status, path, page = await ana.post(
                "/table", game="horses", seats="person|friend", clock="86400s", names="Ana"
            )
            join = re.search(r"/join/([\w-]{22})", page)
            assert status == 200 and join is not None, page[:2000]
            await bea.post("/join", token=join[1], name="Bea")
            host, guest, again = await ana.watch(path), await bea.watch(path), await bea.watch(path)
            legal = [int(each) for each in re.findall(r"class='spot legal'[^>]*data-action='(\d+)'", host.text())]
            await host.play(legal[0])
            await again.answered()
            answers = re.findall(r"class='spot legal'[^>]*data-action='(\d+)'", again.text())
            await asyncio.gather(guest.play(int(answers[0])), again.play(int(answers[1])))
            await host.answered()
            assert host.text().count("data-ply") == 3, "one of the two clicks was played"
            await guest.tab.close()
            await host.do("offer_draw")
            await again.answered()
            assert "Ana offers a draw" in again.text()
            reloaded = await bea.watch(path)
            assert "Ana offers a draw" in reloaded.text(), "a reload loses neither the seat nor the offer"
            await asyncio.gather(again.do("accept_draw"), reloaded.do("decline_draw"))
            await host.answered()
            assert "agreed" in host.text() or "offers" not in host.text()
            assert (await bea.post("/join", token=join[1], name="Eve"))[0] == 404

    asyncio.run(visit())
