"""Every link of every page leads somewhere: a crawl from the start page, what comes over the websocket included."""

from __future__ import annotations

import asyncio
import html
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import aiohttp
import pytest

from ludoteca.play.store import Store
from ludoteca.web.pages.link_previews import PICTURES
from tools.tab import Tab, elements_of

OWN_SERVER = True
LINK = re.compile(r"""(?<![\w-])(?:href|src|action)=["']([^"'\\]+)["']""")
COMES_LATER = {"/watch": "matches", "/watch/2": "stored"}
"""Pages whose list is filled in when the connection stands, and the class of that list."""
SWITCHES = ("/language/", "/theme/", "/palette/")
NUMBER = re.compile(r"(?<=/)\d+(?=[/?]|$)|(?<=actions=)\d+|(?<=actions%3D)\d+|(?<=size=)\d+|(?<=size%3D)\d+")
OF_A_KIND = 2
"""How many matches of a run, sizes and openings of a board are looked at: their pages differ in a number alone."""
FORMS = ("/table",)
"""What is sent by a form and cannot be looked at."""


def links_of(elements: dict[str, Any]) -> set[str]:
    """All that a page's elements lead to, without the parts within a page."""
    text = json.dumps(elements, ensure_ascii=False).replace('\\"', '"')
    found = {html.unescape(each) for each in LINK.findall(text)}
    props = [each.get("props", {}) for each in elements.values()]
    found |= {str(each["href"]) for each in props if "href" in each}
    return {each.partition("#")[0] for each in found if not each.startswith(("#", "data:", "blob:"))} - {""}


class Crawl:
    """One visitor who follows everything."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address, self.session = address, session
        self.seen: dict[str, str] = {}
        """By address the page that led there."""
        self.kinds: Counter[str] = Counter()
        """How many addresses differ in their numbers alone."""
        self.broken: list[str] = []

    async def go(self, start: str) -> None:
        waiting = [(start, "")]
        while waiting:
            path, by = waiting.pop()
            kind = NUMBER.sub("#", path)
            if path.startswith(PICTURES):  # each takes a second to draw, and few may be asked for in a minute
                kind = path.partition("?")[0]
            elif path.startswith(SWITCHES):  # every page has nine, which lead back to it with its own query
                kind = "?".join(unquote(kind).split("?")[:2])
            if path in self.seen or self.kinds[kind] == OF_A_KIND:
                continue
            self.kinds[kind] += 1
            self.seen[path] = by
            waiting += [(each, path) for each in sorted(await self.follow(path, by))]

    async def follow(self, path: str, by: str) -> set[str]:
        """The links behind an address; notes it where it does not answer as it should."""
        if path.startswith(SWITCHES):
            # By somebody else: a choice is kept in a cookie, and all the rest would be in another language.
            async with (
                aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as other,
                other.get(self.address + path, allow_redirects=False) as answer,
            ):
                if answer.status != 303 or unquote(answer.headers["Location"]) != unquote(by):
                    self.broken.append(f"{path} on {by}")
            return set()
        if path in FORMS:
            return set()
        if not path.startswith("/"):
            self.broken.append(f"{path} on {by} is no address of this server")
            return set()
        async with self.session.get(self.address + path) as answer:
            if answer.status != 200:
                self.broken.append(f"{path} on {by}: {answer.status}")
                return set()
            if answer.content_type != "text/html":
                return set()
            page = await answer.text()
        elements = elements_of(page)
        if path in COMES_LATER:
            elements = await self.filled(page, COMES_LATER[path])
        return {each if each.startswith("/") else urljoin(path, each) for each in links_of(elements)}

    async def filled(self, page: str, part: str) -> dict[str, Any]:
        """The elements of a page after its list has come."""
        tab = await Tab.open(self.session, self.address, page)
        news = asyncio.Event()
        tab.heard = lambda name, content: news.set()
        async with asyncio.timeout(60):
            while "href" not in str(tab.elements[tab.find(part)]["props"].get("innerHTML", "")):
                news.clear()
                await news.wait()
        await tab.close()
        return tab.elements


@pytest.fixture(scope="module")
def played(state: Path, address: str) -> None:
    """A tournament lies in the store beside the matches of visitors."""
    store = str(state / "ludoteca" / "arena.sqlite")
    words = ["tournament", "hex:size=3", "random", "astar", "--matches", "2", "--workers", "1", "--store", store]
    subprocess.run([sys.executable, "-m", "ludoteca.cli", *words], check=True, stdout=subprocess.DEVNULL)
    with Store(store) as kept:
        assert kept.count(2) == 2


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_link_of_every_page_answers(address: str, language: str) -> None:
    async def all_of_it() -> Crawl:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar, headers={"Accept-Language": language}) as session:
            async with session.get(f"{address}/learn"):
                pass  # which gives them their name
            form = {"game": "hex:size=3", "seats": "person|random"}
            async with session.post(f"{address}/table", data=form) as answer:
                assert answer.status == 200
            crawl = Crawl(address, session)
            await crawl.go("/")
            return crawl

    crawl = asyncio.run(all_of_it())
    assert crawl.broken == []
    for path in (
        "/learn/hex",
        "/docs/agents/astar",
        "/docs/games/hex",
        "/watch/2/0",
        "/watch/2/0/match.sgf",
        "/edit/hex",
    ):
        assert path in crawl.seen
    assert any(path.startswith("/table/") for path in crawl.seen)
    assert any(path.startswith("/picture/") for path in crawl.seen)


def test_a_crawl_would_find_a_broken_link() -> None:
    elements = {"1": {"props": {"innerHTML": "<a href=\"/nowhere?a=1&amp;b=2#part\">x</a><img src='/p.svg'>"}}}
    assert links_of({**elements, "2": {"props": {"href": "/live"}}}) == {"/nowhere?a=1&b=2", "/p.svg", "/live"}
