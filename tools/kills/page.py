"""A served page with a visitor who plays at several tables, killed and started again until all matches are over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import socket
import subprocess
import time
from pathlib import Path

import aiohttp

from ludoteca.agents import agent as agent_of
from ludoteca.games import game as game_of
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from ludoteca.protocols import Limit
from tools.kills.processes import PATIENCE, Failed, Killer, descendants, started, wait_for_end
from tools.kills.runs import check_store, ludoteca
from tools.tab import GaveUp, Tab

GAME, AGENT, SECONDS = "hex:size=5", "mcts:simulations=200", 60.0
TABLES = 4
LEGAL = re.compile(r"spot legal' [^>]*?data-action='(\d+)'")
PONDER = 0.3
"""Seconds, on average, between two clicks of the visitor at a table."""
NAMES = {"main": "page: server", "fork server": "page: fork server"}


def page(folder: Path, state: Path, killer: Killer, round_: int) -> None:
    """A visitor plays at some tables while the page is killed. Raises Failed.

    Each table must come back as it was stored, every match must end by the rules, and the agents must have played what
    an agent plays that was never disturbed.
    """
    asyncio.run(_Scene(folder, state, killer).play())


class _Scene:
    def __init__(self, folder: Path, state: Path, killer: Killer) -> None:
        self.folder, self.store, self.killer = folder, state / "ludoteca" / "arena.sqlite", killer
        self.environment = os.environ | {"XDG_STATE_HOME": str(state)}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.keys: list[str] = []
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            ludoteca("serve", "--port", str(self.port)), cwd=self.folder, env=self.environment,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        started(process.pid)
        return process

    async def play(self) -> None:
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                await self._text(session, "/learn")  # which gives the visitor a cookie
                for _ in range(TABLES):
                    form = {"game": GAME, "seats": f"person|{AGENT}", "limit": f"{SECONDS:g}s"}
                    async with session.post(f"{self.address}/table", data=form) as answer:
                        assert answer.status == 200, await answer.text()
                        self.keys.append(answer.url.name)
                visits = [asyncio.create_task(self._visit(session, key)) for key in self.keys]
                await self._disturb(session, asyncio.gather(*visits))
            for key in self.keys:
                _check(self._stored()[key])
        finally:
            below = {each.pid for each in descendants(self.process.pid)}
            self.process.terminate()
            self.process.wait()
            wait_for_end(below)
            check_store(self.store)

    async def _disturb(self, session: aiohttp.ClientSession, visits: asyncio.Future[list[None]]) -> None:
        end = time.monotonic() + 10 * PATIENCE
        while not visits.done():
            await asyncio.wait([visits], timeout=self.killer.pause())
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"the page ended by itself ({self.process.poll()}), or never")
            if visits.done() or (chosen := self.killer.choose(self.process.pid, NAMES)) is None:
                continue
            kind, pid = chosen
            before = self._stored()
            below = {each.pid for each in descendants(self.process.pid)}
            self.killer.kill(pid, NAMES[kind])
            if kind == "main":
                self.process.wait()
                wait_for_end(below)
                check_store(self.store)
                after = self._stored()
                self.process = self._start()
                for key in self.keys:
                    if after[key].actions[: len(before[key].actions)] != before[key].actions:
                        raise Failed(f"the store lost actions: {before[key]} {after[key]}")
                    await self._text(session, f"/table/{key}")  # the table is there again
        await visits

    def _stored(self) -> dict[str, Record]:
        with Store(self.store) as store:
            run = store.people_run("page").id
            found = {key: store.people.find(run, key, store.people.owner_of(run, key)) for key in self.keys}
        if None in found.values():
            raise Failed(f"the store lost a table: {found}")
        return {key: match[1] for key, match in found.items() if match is not None}

    async def _text(self, session: aiohttp.ClientSession, path: str) -> str:
        """A page, as soon as a server answers."""
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
                async with session.get(self.address + path, timeout=aiohttp.ClientTimeout(30)) as answer:
                    if answer.status != 200:
                        raise Failed(f"{path} was answered with {answer.status}")
                    return await answer.text()
            if time.monotonic() > end:
                raise Failed(f"the page does not answer at {path}")
            await asyncio.sleep(0.1)

    async def _visit(self, session: aiohttp.ClientSession, key: str) -> None:
        """Plays at one table to the end; opens it again whenever the connection is lost."""
        chance = random.Random(key)
        end = time.monotonic() + 10 * PATIENCE
        while self._stored()[key].ending is Ending.unfinished:
            if time.monotonic() > end:
                raise Failed(f"table {key} does not come to an end")
            with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError, GaveUp):
                tab = await Tab.open(session, self.address, await self._text(session, f"/table/{key}"))
                try:
                    await self._click(tab, key, chance)
                finally:
                    await tab.close()

    async def _click(self, tab: Tab, key: str, chance: random.Random) -> None:
        """Clicks until the match is over or the connection is lost."""
        board = tab.find("board")
        while not tab.cut_off:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * PONDER)
            legal = LEGAL.findall(tab.elements[board]["props"]["innerHTML"])
            if legal:
                await tab.tell("play", '"play"', chance.choice(legal))
            elif self._stored()[key].ending is not Ending.unfinished:
                return
            elif "retry" in tab.elements[tab.find("controls")]["props"]["innerHTML"]:
                raise Failed(f"the agent failed: {tab.elements[tab.find('status')]['props']['innerHTML']}")


def _check(record: Record) -> None:
    """Raises Failed unless the agent played what it plays when it is not disturbed."""
    game = game_of(record.game)
    if record.ending is not Ending.finished:
        raise Failed(f"a match ended by {record.ending}: {record.message}")
    (seat,) = (each for each, who in enumerate(record.seats) if not who.person)
    agent = agent_of(AGENT)(game, seat, record.seats[seat].seed or 0)
    match = Match(game, record.seed)
    for ply, action in enumerate(record.actions):
        if match.turn == seat:
            choice = agent.act(match.view(seat), Limit(seconds=SECONDS))
            wanted = choice if isinstance(choice, int) else choice.action
            if wanted != action:
                raise Failed(f"at ply {ply} the agent played {action}, undisturbed it plays {wanted}: {record}")
        match.play(action)
    if match.returns() != record.returns:
        raise Failed(f"the match does not replay to its result: {record}")
