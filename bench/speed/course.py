"""Fifty quick submissions in a round robin: memory must stay flat, and a killed run must lose nothing.

    python -m bench.speed.course [--submissions 50] [--workers N]

Plays a whole course, killed by SIGKILL after four fifths and taken up again. Prints matches a second, the memory of the
process that keeps the score and of its workers at every tenth, and whether all have met each other in both seats
once; then how long the site takes and how large it is.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ludoteca.course.site.build import write
from ludoteca.course.tournament import Course
from ludoteca.play.store import Store

QUICK = """
from player import Player


class Quick(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        return moves[({number} * 7919 + len(moves) * 31) % len(moves)]
"""
TOML = """
title = "Fifty"
game = "hex"
time = 5.0
matches = 2
[options]
size = 5
"""
START = "import sys; sys.argv = ['ludoteca', *{words!r}]; from ludoteca.cli import main; main()"


def hand_in(folder: Path, count: int) -> None:
    folder.mkdir()
    (folder / "course.toml").write_text(TOML, encoding="utf-8")
    for number in range(count):
        (folder / f"s{number:02}.py").write_text(QUICK.format(number=number), encoding="utf-8")


def start(folder: Path, store: Path, workers: int | None) -> subprocess.Popen[bytes]:
    words = ["course", "run", str(folder), "--store", str(store), "--trust"]
    words += [] if workers is None else ["--workers", str(workers)]
    return subprocess.Popen([sys.executable, "-c", START.format(words=words)], stdout=subprocess.DEVNULL)


def played(store: Path) -> int:
    if not store.exists():
        return 0
    with Store(store) as opened:
        return sum(opened.count(run.id) for run in opened.runs())


def memory(process: int) -> float:
    """MiB that the process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def workers_of(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(each) for each in children]


def until(folder: Path, store: Path, workers: int | None, stop: float, total: int) -> list[tuple[float, float]]:
    """Plays until so many matches are kept, then kills; at every tenth the memory of the process and of its workers."""
    process, sizes = start(folder, store, workers), list[tuple[float, float]]()
    while process.poll() is None and (done := played(store)) < stop:
        if done >= (len(sizes) + 1) * total / 10:
            sizes.append((memory(process.pid), max(memory(each) for each in workers_of(process.pid))))
        time.sleep(0.25)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
    return sizes


def seats(store: Path) -> list[tuple[str, ...]]:
    """Who met whom in which seats, in order."""
    with Store(store) as opened:
        run = opened.find("last")
        return [tuple(Path(who.agent).parent.name for who in record.seats) for record in opened.records(run.id)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=50)
    parser.add_argument("--workers", type=int, default=None)
    chosen = parser.parse_args()
    total = chosen.submissions * (chosen.submissions - 1)
    with tempfile.TemporaryDirectory() as place:
        folder, store = Path(place, "course"), Path(place, "arena.sqlite")
        hand_in(folder, chosen.submissions)
        before = time.monotonic()
        sizes = until(folder, store, chosen.workers, 0.8 * total, total)
        kept, seconds = played(store), time.monotonic() - before
        print(f"{kept} matches in {seconds:.0f} s, building {chosen.submissions} included: {kept / seconds:.1f}/s")
        print("memory at every tenth, MiB:", " ".join(f"{one:.0f}+{other:.0f}" for one, other in sizes), flush=True)
        assert start(folder, store, chosen.workers).wait() == 0
        met = seats(store)
        whole = "all once" if len(met) == len(set(met)) == total else "NOT all once"
        print(f"killed after {kept}, taken up: {len(met)} of {total} matches, {whole}")
        before, computed = time.monotonic(), time.process_time()
        pages = write(Course.of(folder), Path(place, "site"), "en")
        size = sum(path.stat().st_size for path in Path(place, "site").rglob("*") if path.is_file())
        spent = f"{time.monotonic() - before:.0f} s ({time.process_time() - computed:.0f} s of CPU)"
        print(f"site: {pages} pages in {spent}, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
