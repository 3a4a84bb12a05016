"""The constants of docs/scale.md, in processor time, which other work on the machine changes little.

python -m bench.league.constants
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.league.large_class import begin, pretend, source
from bench.league.load import served
from bench.web.load import processor_seconds
from ludoteca.agents.files.submission import Submission
from ludoteca.course.check.checker import examine
from ludoteca.league.database import Database
from ludoteca.league.hand_in import CHECK_SECONDS, LEAST_CHECK_SECONDS, SANDBOXED, take
from ludoteca.league.leaderboard import Results, rating_of_all

PAGES = ("/league", "/league/live/leaderboard", "/league/me", "/league/version/{version}", "/league/match/{match}")


def processor_time() -> float:
    """Of this process and of all children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cost(work: Callable[[], object], times: int = 1) -> float:
    """Processor seconds of one call."""
    before = processor_time()
    for _ in range(times):
        work()
    return (processor_time() - before) / times


def matches(folder: Path, seconds: float) -> None:
    """What a match of quick players in sandboxes costs, and what it leaves in the file."""
    begin(folder, 20, 1)
    size = (folder / "league.sqlite").stat().st_size

    command = [sys.executable, "-m", "ludoteca.cli", "league", "run", str(folder), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        used = time_of_family(process.pid)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    with Database(folder) as database:
        database.store.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count, records = database.store.extent(database.run.id)
        whole = (folder / "league.sqlite").stat().st_size - size
        print(f"a match of quick players: {1000 * used / count:.0f} ms, {3600 / (used / count):.0f} a core-hour")
        print(f"in the file: {whole / count:.0f} bytes a match, {records / count:.0f} of them the record")


def time_of_family(process: int) -> float:
    """Processor seconds of a process and its descendants, those that have ended included."""
    ticks, family = 0, [process]
    while family:
        member = family.pop()
        try:
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            for task in Path(f"/proc/{member}/task").iterdir():
                family += map(int, (task / "children").read_text().split())
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def hand_ins(folder: Path) -> None:
    """What an upload and its check cost."""
    settings = begin(folder, 5, 1)
    with Database(folder) as database:
        people = database.people()
        take(database, settings, people[0], source(people[0].id, 9).encode(), "a.py")  # starts the reader
        begun = time.perf_counter()  # the process that reads it is not ours, so its processor time is not known here
        for person in people[1:]:
            take(database, settings, person, source(person.id, 9).encode(), "a.py")
        print(f"to take an upload: {1000 * (time.perf_counter() - begun) / len(people[1:]):.0f} ms of the clock")
        spec = database.versions()[-1].spec
        for seconds in (CHECK_SECONDS, LEAST_CHECK_SECONDS):
            checking = replace(settings.course.check, admission=SANDBOXED, seconds=seconds, longest=5 * seconds)
            used = cost(lambda checking=checking: examine(Submission.of(spec), checking))  # type: ignore[misc]
            print(f"to check a quick player within {seconds:g} s: {used:.1f} s")


def ratings() -> None:
    """What a full rating costs, by versions; twenty pairs each."""
    rng = random.Random(1)
    for versions in (100, 300, 1000, 2000):
        results = Results(Counter())
        for _ in range(10 * versions):
            one = rng.randrange(versions)
            two = (one + rng.randrange(1, 30)) % versions
            pair = (min(one, two), max(one, two))
            results.counts[pair, (float(rng.random() < 0.5), float(rng.random() < 0.5))] += 1
        used = cost(lambda results=results: rating_of_all(results, [0]))  # type: ignore[misc]
        print(f"a full rating of {versions} versions: {used:.2f} s, at most {_peak()} MiB so far")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def pages(folder: Path, times: int = 40) -> None:
    """What each page costs the process that serves them."""
    begin(folder, 200, 5)
    pretend(folder, 10_000)
    with Database(folder) as database:
        token = database.sign_in(database.new_code(database.people()[0].id))
        version = database.versions()[-1].id
        playing = subprocess.Popen(
            [sys.executable, "-m", "ludoteca.cli", "league", "run", str(folder)], stdout=subprocess.DEVNULL
        )
        while not database.ratings():
            time.sleep(1)
        playing.send_signal(signal.SIGINT)
        playing.wait(timeout=60)
    with served(folder, "--no-play") as (address, server):
        for page in PAGES:
            url = address + page.format(version=version, match=0)
            before = 0.0
            for number in range(times + 1):
                if number == 1:
                    before = processor_seconds(server)
                request = urllib.request.Request(url, headers={"Cookie": f"league={token}", "Accept-Encoding": "gzip"})
                with urllib.request.urlopen(request) as answer:
                    size = len(answer.read())
            used = (processor_seconds(server) - before) / times
            print(f"{page}: {1000 * used:.1f} ms, {size / 1000:.1f} kB, {1 / max(used, 1e-4):.0f} a second on one core")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.constants", description="Constants of docs/scale.md.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to play")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would ours
    with tempfile.TemporaryDirectory() as temporary:
        matches(Path(temporary) / "matches", given.seconds)
        hand_ins(Path(temporary) / "hand-ins")
        ratings()
        pages(Path(temporary) / "pages")


if __name__ == "__main__":
    main()
