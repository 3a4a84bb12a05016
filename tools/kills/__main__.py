"""``python -m tools.kills``: a hundred kills in all. The options change the campaign."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.kills.processes import Killer, adopt_orphans, descendants, wait_for_end
from tools.kills.runs import course, tournament
from tools.kills.store_writer import StoreWriters

SHARES = {
    "tournament: worker": 14, "tournament: fork server": 14, "tournament: referee": 10,
    "course: worker": 10, "course: fork server": 12, "course: referee": 10,
    "page: server": 10, "page: fork server": 10,
    "store": 10,
}  # fmt: skip
"""Kills of each kind in a campaign of a hundred."""


def main() -> None:
    """Play until the quota of kills is spent, and print what was killed."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how many in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=6.0, help="seconds between two kills, at most")
    parser.add_argument("--only", default="", help="tournament, course, page or ray")
    options = parser.parse_args()
    adopt_orphans()
    if options.only == "ray":
        from tools.kills.cluster import lose_head, lose_node

        lose_node()
        lose_head()
        wait_for_end({each.pid for each in descendants()})
        return
    from tools.kills.page import page

    quota = {name: max(1, round(count * options.kills / 100)) for name, count in SHARES.items()}
    killer = Killer(random.Random(options.seed), quota, options.pause)
    scenes: dict[str, Callable[[Path, Path, Killer, int], None]] = {
        "tournament": partial(tournament, matches=6 if options.kills >= 10 else 2), "course": course, "page": page,
    }  # fmt: skip
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ludoteca-kills-") as name:
        state = Path(name) / "state"
        writers = StoreWriters(state / "ludoteca" / "arena.sqlite", killer)
        try:
            for what, scene in scenes.items():
                round_ = 0
                while options.only in ("", what) and any(kind.startswith(what) for kind in killer.left):
                    folder = Path(name) / f"{what}{round_}"
                    folder.mkdir()
                    scene(folder, state, killer, round_)
                    round_ += 1
                    print(f"{time.monotonic() - start:5.0f} s  {what}, round {round_}: as undisturbed", flush=True)
        finally:
            writers.close()
    wait_for_end({each.pid for each in descendants()})
    for kind, count in killer.killed.items():
        print(f"{count:4}  {kind}")
    print(f"{killer.stops:4}  times a run gave up after three kills over one match, and the same command went on")
    print(f"{killer.killed.total():4}  kills in all; every result is that of the undisturbed run")


if __name__ == "__main__":
    main()
