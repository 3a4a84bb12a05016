"""``python -m bench.strength.ladder_matches [--game NAME]``: matches of our agents to replay, written into the package.

For each ladder, neighbours play one pair of matches: the same deal or opening, with sides swapped. They are played with
few nodes and say nothing about strength: the ratings come from ``python -m bench.strength.ladder``. All of them
together take about two minutes of processor time.
"""

from __future__ import annotations

import argparse
import itertools
import os
from pathlib import Path

import ludoteca
from ludoteca.play.record import Record
from ludoteca.reports.ladder import FOLDER, MATCHES, Ladder, all_ladders, write_matches

SEED = 1  # of the first pair; the next ones follow
LIMIT = "2000n"


def play(ladder: Ladder, limit: str = LIMIT) -> list[Record]:
    """Two matches of each two neighbours of a ladder, without the agents that fill a gap or are slow."""
    agents = [rung.agent for rung in ladder.rungs if not rung.chance and rung.agent not in ladder.slow]
    found: list[Record] = []
    for number, (one, other) in enumerate(itertools.pairwise(agents)):
        result = ludoteca.series(
            ladder.game, one, other, 2, limit=limit, seed=SEED + number, store=":memory:", workers=1
        )  # fmt: skip
        if result.faults[0].total + result.faults[1].total:
            raise SystemExit(f"an agent of ours committed a fault: {one} against {other}, {result.faults}")
        found += result.records
    return found


def main() -> None:
    """Plays the matches of all ladders, or of those of one game, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.ladder_matches", description="Matches to replay.")
    parser.add_argument("--game", choices=sorted({each.game.partition(":")[0] for each in all_ladders()}))
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files go (into the package)")
    given = parser.parse_args()
    for ladder in all_ladders():
        if given.game in (None, ladder.game.partition(":")[0]):
            start, path = sum(os.times()[:4]), given.folder / f"{ladder.name}{MATCHES}"
            records = play(ladder)
            write_matches(path, records)
            size, spent = path.stat().st_size / 1000, sum(os.times()[:4]) - start
            print(f"{ladder.game}: {len(records)} matches, {size:.0f} kB, {spent:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
