"""A league's page under load: a large class watches while matches are played, and many hand in at the same moment.

A league of 200 students with five versions each plays Hex 7×7. 300 browsers are signed in. Each asks for the
leaderboard every four seconds as an open tab does, and every half a minute or so opens a page: the leaderboard, its
own page, a version, a match. Then 50 students hand in at once. The report says how long pages took, in quiet and
during the uploads, and how long it took from an upload to its answer, to the end of its check and to its first rating.

    python -m bench.league.load --help
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bench.league.large_class import begin, pretend, source
from bench.web.load import _Machine, _time, processor_seconds, wait_for
from ludoteca.league.database import Database, Status

LOOK = 4.0
"""Seconds between two looks of an open tab at the leaderboard."""
OPEN = 30.0
"""Seconds, on average, between two pages that somebody opens."""
TOKEN = re.compile(r'name="token" value="([^"]+)"')


@dataclass
class Measured:
    """Seconds of all requests, by what was asked for."""

    took: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    """How late the crowd itself was."""
    server: float = 0.0
    """Processor time of the page's process."""

    def print(self, title: str) -> None:
        """One line of a table for each kind of page, then all pages together."""
        print(f"\n{title}: the crowd's own lag p95 {_time(self.lags, 95)}, {len(self.failures)} failures")
        everything = [each for kind, some in self.took.items() if kind != "hand in" for each in some]
        for kind, some in [*sorted(self.took.items()), ("all pages", everything)]:
            times = "  ".join(f"p{part} {_time(some, part):>8}" for part in (50, 95, 99))
            print(f"  {kind:16} {len(some):6} {times}")
        print(f"  the page's process: {1000 * self.server / max(1, len(everything)):.1f} ms of processor time per page")
        for trouble in sorted(set(self.failures))[:5]:
            print(f"  trouble, {self.failures.count(trouble)} times: {trouble}")


@dataclass
class Browser:
    """One signed-in browser."""

    session: aiohttp.ClientSession
    token: str
    rng: random.Random
    versions: list[int]
    matches: int
    tag: str = ""

    async def ask(self, measured: Measured, kind: str, path: str, data: aiohttp.FormData | None = None) -> str:
        """Ask for a page and note how long it took."""
        headers = {"Cookie": f"league={self.token}; {self.visitor}", "Accept-Encoding": "gzip"}
        if kind == "live board" and self.tag:
            headers["If-None-Match"] = self.tag
        begun = time.perf_counter()
        try:
            async with self.session.request(
                "POST" if data else "GET", path, data=data, headers=headers, allow_redirects=False
            ) as answer:
                text = (await answer.read()).decode()
                measured.took.setdefault(kind, []).append(time.perf_counter() - begun)
                if answer.status not in (200, 303, 304):
                    measured.failures.append(f"{kind}: {answer.status} {text[:200]!r}")
                if "visitor" in answer.cookies:
                    self.visitor = f"visitor={answer.cookies['visitor'].value}"
                if kind == "live board" and answer.status == 200:
                    self.tag = answer.headers.get("ETag", "")
                return answer.headers.get("Location", text)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            measured.failures.append(f"{kind}: {type(error).__name__} {error}")
            return ""

    visitor: str = ""

    async def watch(self, measured: Measured, until: float) -> None:
        """Look at the leaderboard and open pages until then."""
        await asyncio.sleep(self.rng.random() * LOOK)
        await self.ask(measured, "leaderboard", "/league")
        while time.monotonic() < until:
            await asyncio.sleep(LOOK * self.rng.uniform(0.95, 1.05))
            if self.rng.random() < LOOK / OPEN:
                kind, path = self.rng.choice(
                    [
                        ("leaderboard", "/league"),
                        ("my page", "/league/me"),
                        ("version", f"/league/version/{self.rng.choice(self.versions)}"),
                        ("match", f"/league/match/{self.rng.randrange(self.matches)}"),
                    ]
                )
                await self.ask(measured, kind, path)
            else:
                await self.ask(measured, "live board", "/league/live/leaderboard")

    async def hand_in(self, measured: Measured, student: int) -> tuple[float, int] | None:
        """Hand in a new version; when that began, and its number; None if it was refused."""
        found = TOKEN.search(await self.ask(measured, "my page", "/league/me"))
        if found is None:
            return None
        form = aiohttp.FormData()
        form.add_field("token", found[1])
        form.add_field("file", source(student, 1000).encode(), filename="solution.py")
        begun = time.time()
        where = await self.ask(measured, "hand in", "/league/hand-in", form)
        number = re.search(r"/league/version/(\d+)$", where)
        if number is None:
            measured.failures.append(f"hand in: {where[:200]!r}")
        return None if number is None else (begun, int(number[1]))


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[str, int]]:
    """The league's page, and its matches being played; within, its address and the process of the page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "ludoteca.cli", "league", "serve", str(folder), "--port", str(port), *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as server:
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}", server.pid
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)


async def _feel_lag(measured: Measured) -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0.05)
        measured.lags.append(time.perf_counter() - begun - 0.05)


async def crowd(
    folder: Path, address: str, server: int, watching: int, uploads: int, seconds: float, patience: float
) -> None:
    """Let everybody watch, then hand in, and print what they met with."""
    rng = random.Random(1)
    with Database(folder) as database:
        people = database.people()
        versions = [version.id for version in database.versions()]
        tokens = [database.sign_in(database.new_code(person.id)) or "" for person in people]
        matches = database.store.extent(database.run.id)[0]
        connector = aiohttp.TCPConnector(limit=0)
        timeout = aiohttp.ClientTimeout(total=120)
        async with aiohttp.ClientSession(
            address, connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
        ) as session:
            browsers = [
                Browser(session, tokens[number % len(people)], random.Random(number), versions, matches)
                for number in range(watching)
            ]
            quiet, busy = Measured(), Measured()
            for measured, length in ((quiet, seconds), (busy, seconds)):
                feeling = asyncio.create_task(_feel_lag(measured))
                until, before = time.monotonic() + length, processor_seconds(server)
                watchers = [asyncio.create_task(browser.watch(measured, until)) for browser in browsers]
                handed_in: list[tuple[float, int] | None] = []
                if measured is busy:
                    some = rng.sample(range(min(watching, len(people))), uploads)
                    handed_in = await asyncio.gather(
                        *(browsers[each].hand_in(measured, people[each].id) for each in some)
                    )
                    await _follow(database, [each for each in handed_in if each], patience)
                await asyncio.gather(*watchers)
                feeling.cancel()
                measured.server = processor_seconds(server) - before
                measured.print("Watching" if measured is quiet else f"Watching while {uploads} hand in at once")


async def _follow(database: Database, handed_in: list[tuple[float, int]], patience: float) -> None:
    """Wait until every version has a rating, and say how long that took."""
    checked: dict[int, float] = {}
    rated: dict[int, float] = {}
    end = time.monotonic() + patience
    while len(rated) < len(handed_in) and time.monotonic() < end:
        await asyncio.sleep(0.5)
        now = time.time()
        status = {version.id: version.status for version in database.versions()}
        ratings = database.ratings()
        for begun, number in handed_in:
            if number not in checked and status[number] is not Status.checking:
                checked[number] = now - begun
            if number not in rated and (number in ratings or status[number] is Status.refused):
                rated[number] = now - begun
    for title, some in (("to the end of the check", checked), ("to the first rating", rated)):
        values = sorted(some.values())
        if values:
            within = f"half within {values[len(values) // 2]:.1f} s, all within {values[-1]:.1f} s"
            print(f"from upload {title}: {len(values)} of {len(handed_in)}, {within}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.load", description="A league's page under load.")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--versions", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs of matches that are there already")
    parser.add_argument("--watching", type=int, default=300)
    parser.add_argument("--uploads", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--patience", type=float, default=300.0, help="seconds to wait for the first ratings")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--limit", type=float, default=0.3, help="seconds for each move")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would ours
    with tempfile.TemporaryDirectory() as temporary:
        folder, begun = Path(temporary) / "league", time.monotonic()
        begin(folder, given.students, given.versions, given.limit)
        pretend(folder, given.pairs)
        print(f"{given.students} × {given.versions} versions, {given.pairs} pairs: {time.monotonic() - begun:.0f} s")
        print(f"load average before: {os.getloadavg()[0]:.1f}")
        with served(folder, *([] if given.workers is None else ["--workers", str(given.workers)])) as (address, server):
            for uploads in given.uploads:
                before = _Machine()
                asyncio.run(crowd(folder, address, server, given.watching, uploads, given.seconds, given.patience))
                print(f"cores busy meanwhile, the league's and others': {_Machine().others_since(before):.1f}")


if __name__ == "__main__":
    main()
