"""Fifty quick submissions, everybody against everybody: memory must stay flat, and nothing be lost when it is killed.

    python -m bench.course [--submissions 50] [--workers N]

Plays the whole course twice: once without interruption, and once killed by SIGKILL at every quarter and taken up again.
Prints matches a second, the memory of the process that keeps the score at every tenth, whether both came to the same
matches, then how long the site takes and how large it is.
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

from ludoteca.course.running import Course
from ludoteca.course.site import write
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
    words = ["course", "run", str(folder), "--store", str(store)]
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


def whole(folder: Path, store: Path, workers: int | None, total: int) -> tuple[float, list[float]]:
    """Seconds from the first match to the last, and the memory at every tenth of the matches."""
    process, began, sizes = start(folder, store, workers), 0.0, []
    while process.poll() is None:
        done = played(store)
        if done and not began:
            began = time.monotonic()
        if done < total and done >= (len(sizes) + 1) * total / 10:
            sizes.append(memory(process.pid))
        time.sleep(0.25)
    assert process.returncode == 0, process.returncode
    return time.monotonic() - began, sizes


def interrupted(folder: Path, store: Path, workers: int | None, total: int) -> int:
    """Plays it with a SIGKILL at each quarter; how often it was killed."""
    kills = 0
    while True:
        process = start(folder, store, workers)
        while process.poll() is None and (kills == 3 or played(store) < (kills + 1) * total / 4):
            time.sleep(0.1)
        if process.poll() is not None:
            assert process.returncode == 0, process.returncode
            return kills
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1


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
        folder, one, two = Path(place, "course"), Path(place, "one.sqlite"), Path(place, "two.sqlite")
        hand_in(folder, chosen.submissions)
        seconds, sizes = whole(folder, one, chosen.workers, total)
        print(f"{total} matches in {seconds:.0f} s: {total / seconds:.1f}/s")
        print("memory at every tenth, MiB:", " ".join(f"{size:.0f}" for size in sizes))
        kills = interrupted(folder, two, chosen.workers, total)
        same = seats(one) == seats(two)
        print(f"killed {kills} times: {len(seats(two))} of {total} matches, {'the same' if same else 'OTHER'} pairings")
        before = time.monotonic()
        pages = write(Course.of(folder), Path(place, "site"), "en")
        size = sum(path.stat().st_size for path in Path(place, "site").rglob("*") if path.is_file())
        print(f"site: {pages} pages in {time.monotonic() - before:.0f} s, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
