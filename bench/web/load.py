"""The page under load: many visitors come, sit down and play Hex at once while agents think in worker processes.

Each visitor does over the network what a browser does: loads the start page with its scripts, styles and pictures (but
no fonts), then the form of a match, then the page of its own table, a websocket with each; then it clicks an empty cell
every few seconds, and waits until the board comes back with the stone on it. Three of ten do not play: they watch a
tournament, go through one of its matches, or set a position up. The report says how long it took to reach a board, and
how long each click took, while others were arriving and after all had arrived.

    python -m bench.web.load --help
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.web.players import Visitor
from bench.web.quota import limited
from bench.web.spectators import Spectator, part_of

FOREVER = 1e12


@dataclass
class Run:
    """What one crowd met with; times in seconds."""

    rate: float
    """Arrivals a second; 0: each comes when the one before sits."""
    load_average: float
    """Over the minute before the run, which may hold the end of another."""
    others: float = 0.0
    """How many cores were busy, on average, with anything but the server, its agents and the crowd."""
    arrivals: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    busy: float = 0.0
    """Processor time of the server while they arrived, per arrival."""
    busy_seated: float = 0.0
    """Processor time of the server after all visitors had arrived."""
    meanwhile: list[float] = field(default_factory=list)
    """Clicks while others were arriving."""
    clicks: list[float] = field(default_factory=list)
    """Clicks after all visitors had arrived, by those who play, go through a match or set a position up."""
    by_part: dict[str, list[float]] = field(default_factory=dict)
    """The same by what they do; for those who watch, the time to a page with its list."""
    replies: int = 0
    asked_to_wait: int = 0
    """How often a visitor was shown the light page that says that the server is busy."""
    lags: list[float] = field(default_factory=list)
    """How late the crowd itself was: the part of every figure that is not the server's."""

    def cells(self) -> dict[str, str]:
        """As a line of a table, by column."""
        return {
            "arriving": f"{self.rate:g} a second" if self.rate else "one after another",
            "load before": f"{self.load_average:.1f}",
            "cores taken by others": f"{self.others:.1f}",
            "to a board: p50, p95": f"{_time(self.arrivals, 50)}, {_time(self.arrivals, 95)}",
            "failed": str(len(self.failures)),
            "asked to wait": str(self.asked_to_wait),
            "server, per arrival": f"{1000 * self.busy:.0f} ms",
            "clicks meanwhile: p50, p95": f"{_time(self.meanwhile, 50)}, {_time(self.meanwhile, 95)}",
            "clicks, all seated": str(len(self.clicks)),
            "p50": _time(self.clicks, 50),
            "**p95**": f"**{_time(self.clicks, 95)}**",
            "p99": _time(self.clicks, 99),
            "p95: play, replay, edit": ", ".join(self._part(part) for part in ("play", "replay", "edit")),
            "to a page of Watch, p95": self._part("watch"),
            "server, per click": f"{1000 * self.busy_seated / max(1, len(self.clicks)):.1f} ms",
            "agents' actions": str(self.replies),
            "crowd's own lag, p95": _time(self.lags, 95),
        }

    def _part(self, part: str) -> str:
        return _time(self.by_part.get(part, []), 95)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _time(values: Sequence[float], percent: int) -> str:
    if len(values) < 2:
        return "–"
    return f"{1000 * statistics.quantiles(values, n=100)[percent - 1]:.0f} ms"


class _Machine:
    """What the whole machine and we, with all that we started and that has ended, have worked so far."""

    def __init__(self) -> None:
        self.clock = time.monotonic()
        with open("/proc/stat", encoding="ascii") as stat:
            user, nice, system, _, _, interrupt, soft, *_ = (int(each) for each in stat.readline().split()[1:])
        self.busy = (user + nice + system + interrupt + soft) / os.sysconf("SC_CLK_TCK")
        us = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        self.own = sum(each.ru_utime + each.ru_stime for each in us)

    def others_since(self, before: _Machine) -> float:
        """Cores that other programs kept busy since then, on average."""
        return max(0.0, (self.busy - before.busy - self.own + before.own) / (self.clock - before.clock))


def processor_seconds(process: int) -> float:
    """The processor time of a process so far, without its children."""
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _feel_lag(lags: list[float]) -> None:
    """Notes how much later than asked for the crowd's own loop wakes up."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(0.05)
        lags.append(time.perf_counter() - start - 0.05)


def _visitor(address: str, number: int, between: float) -> Visitor:
    part = part_of(number)
    if part == "play":
        return Visitor(address, number, between, FOREVER)
    return Spectator(address, number, between, FOREVER, part=part)


async def _crowd(run: Run, address: str, server: int, visitors: int, seconds: float, between: float) -> None:
    crowd = [_visitor(address, number, between) for number in range(visitors)]
    feeling = asyncio.create_task(_feel_lag(run.lags))
    before, start, tasks, waits = processor_seconds(server), time.monotonic(), [], []
    for place, visitor in enumerate(crowd):
        tasks.append(asyncio.create_task(visitor.visit()))
        waits.append(asyncio.create_task(visitor.seated.wait()))
        if run.rate:
            await asyncio.sleep(max(0.0, start + (place + 1) / run.rate - time.monotonic()))
        else:
            await asyncio.wait([tasks[-1], waits[-1]], return_when=asyncio.FIRST_COMPLETED)
    for task, wait in zip(tasks, waits, strict=True):
        await asyncio.wait([task, wait], return_when=asyncio.FIRST_COMPLETED)
        wait.cancel()
    between_both = processor_seconds(server)
    run.busy = (between_both - before) / visitors
    seated = time.monotonic()
    for visitor in crowd:
        visitor.until = seated + seconds
    await asyncio.gather(*tasks)
    run.busy_seated = processor_seconds(server) - between_both
    feeling.cancel()
    for visitor in crowd:
        if visitor.arrival is not None:
            run.arrivals.append(visitor.arrival)
        if visitor.trouble:
            run.failures.append(visitor.trouble)
        part = visitor.part if isinstance(visitor, Spectator) else "play"
        after = [took for when, took in visitor.clicks if when - took >= seated]
        run.by_part.setdefault(part, []).extend(after)
        if part != "watch":
            run.meanwhile += [took for when, took in visitor.clicks if when - took < seated]
            run.clicks += after
        run.replies += visitor.replies
        run.asked_to_wait += visitor.asked_to_wait


def measured(
    rate: float = 0.0,
    visitors: int = 200,
    seconds: float = 30.0,
    between: float = 4.0,
    python: str = sys.executable,
    cores: float | None = None,
) -> Run:
    """Starts a server, lets a crowd in, and says what they met with. cores: what the server and its agents may use."""
    run, before = Run(rate, os.getloadavg()[0]), _Machine()
    with tempfile.TemporaryDirectory() as state:
        play_tournament(state, python)
        with served(state, python) as (address, server), limited(server, cores):
            asyncio.run(_crowd(run, address, server, visitors, seconds, between))
    run.others = _Machine().others_since(before)
    return run


@contextmanager
def served(state: str, python: str = sys.executable) -> Iterator[tuple[str, int]]:
    """A server of our own; within, its address and its process. state: the folder of its store."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [python, "-m", "ludoteca.cli", "serve", "--port", str(port)],
        env=os.environ | {"XDG_STATE_HOME": state}, stdout=subprocess.PIPE, cwd=state,
    )  # fmt: skip
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        server.wait(timeout=30)


def play_tournament(state: str, python: str = sys.executable) -> None:
    """Something to watch and to go through: the first run of the store."""
    words = ["tournament", "hex:size=7", "random", "astar", "--matches", "6", "--workers", "1"]
    subprocess.run(
        [python, "-m", "ludoteca.cli", *words],
        env=os.environ | {"XDG_STATE_HOME": state}, stdout=subprocess.DEVNULL, cwd=state, check=True,
    )  # fmt: skip


def wait_for(port: int) -> None:
    """Returns once a server listens there."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.web.load", description="The page under load.")
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long all of them play")
    parser.add_argument("--between", type=float, default=4.0, help="seconds that a visitor ponders, on average")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=[0.0, 10.0],
        help="arrivals a second, whether or not those before have been served; 0: one after another",
    )  # fmt: skip
    parser.add_argument("--runs", type=int, default=3, help="how often each is repeated")
    parser.add_argument(
        "--cores", type=float, default=None,
        help="what the server and its agents may use, such as 0.5, by a quota of the kernel (needs root)",
    )  # fmt: skip
    parser.add_argument("--python", default=sys.executable, help="the Python whose ludoteca is served, to compare two")
    given = parser.parse_args()
    columns = list(Run(0.0, 0.0).cells())
    print(_line(columns), _line(["---"] + ["---:"] * (len(columns) - 1)), sep="\n")
    for rate in given.rates:
        for _ in range(given.runs):
            run = measured(rate, given.visitors, given.seconds, given.between, given.python, given.cores)
            print(_line(run.cells().values()), flush=True)
            for trouble in sorted(set(run.failures)):
                print(f"trouble, {run.failures.count(trouble)} times: {trouble}", file=sys.stderr)


if __name__ == "__main__":
    main()
