"""``python -m bench.hex_solver [SIZE …]``: the winning first moves of whole boards of Hex, proven and timed.

Each table is compared with the published one. 7×7 takes some minutes, so none of this is part of the tests.
"""

from __future__ import annotations

import argparse
import time

from ludoteca import _core
from ludoteca.games.hex import Hex

WINNING = {
    2: "b1 a2",
    3: "c1 a2 b2 c2 a3",
    4: "d1 c2 b3 a4",
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
    7: "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7",
}
"""By size the first moves with which the seat that connects top and bottom wins."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[5, 6, 7], metavar="SIZE", help="2 to 7")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=int, default=256, help="megabytes")
    options = parser.parse_args()
    for size in options.sizes:
        game = Hex(size, "standard")
        clock, processor = time.perf_counter(), time.process_time()
        found = _core.hex_solver(game.deal(0).view(0), every=True, threads=options.threads, memory=options.memory).run()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        won = {game.action_name(action) for action, value in found.scores if value > 0}
        same = "as published" if won == set(WINNING[size].split()) and len(found.scores) == size**2 else "DIFFERENT"
        print(
            f"{size}×{size}: {len(won)} of {size**2} first moves win, {same}; {found.nodes:,} nodes, "
            f"{clock:.1f} s ({processor:.1f} s of processors), {options.threads} threads, {options.memory} MB"
        )


if __name__ == "__main__":
    main()
