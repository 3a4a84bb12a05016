"""``python -m bench.speed.sandbox``: what a sandbox costs: a file as a plain child and in a sandbox, in turns."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ludoteca import Limit, game
from ludoteca.players.processes.child import Child, Sandbox
from ludoteca.players.processes.fork_client import ForkServer
from ludoteca.players.sandbox.cores import Cores
from ludoteca.players.sandbox.visible_files import VisibleFiles

STARTS, MOVES = 60, 400
FILE = """
class P:
    def __init__(self, me):
        pass

    def play(self, board):
        return board.get_possible_moves()[0]
"""


def main() -> None:
    hex_ = game("hex:size=11,orientation=left-right")
    view = hex_.deal(1).view(0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "solution.py"
        file.write_text(FILE, encoding="utf-8")
        os.chmod(folder, 0o755)
        plain, locked = ForkServer(), ForkServer(sandbox=True)
        if locked.refusal:
            raise SystemExit(f"no sandbox can be made here: {locked.refusal}")
        seen, cores = VisibleFiles.of(str(file)), Cores(1)
        makers: dict[str, Callable[[], Child]] = {
            "child": lambda: Child(hex_, str(file), lambda: plain.fork(2048, hex_.spec)),
            "sandbox": lambda: Sandbox(hex_, str(file), lambda: locked.fork(2048, hex_.spec, seen, cores.next()), seen),
        }
        starts: dict[str, list[float]] = {name: [] for name in makers}
        ends: dict[str, list[float]] = {name: [] for name in makers}
        moves: dict[str, list[float]] = {name: [] for name in makers}
        for _ in range(STARTS):
            for name, make in makers.items():
                begun = time.perf_counter()
                player = make()
                player.prepare(0, 1)
                built = time.perf_counter()
                player.close()
                starts[name].append(built - begun)
                ends[name].append(time.perf_counter() - built)
        players = {name: make() for name, make in makers.items()}
        for player in players.values():
            player.prepare(0, 1)
        for _ in range(MOVES):
            for name, player in players.items():
                begun = time.perf_counter()
                player.decide(view, Limit(5.0), 30.0)
                moves[name].append(time.perf_counter() - begun)
        for player in players.values():
            player.close()
        plain.close()
        locked.close()
        cores.close()
    for what, took, unit, scale in (
        ("start, built", starts, "ms", 1e3), ("end", ends, "ms", 1e3), ("move", moves, "µs", 1e6)
    ):  # fmt: skip
        middle = {name: statistics.median(each) * scale for name, each in took.items()}
        best = {name: statistics.quantiles(each, n=10)[0] * scale for name, each in took.items()}
        for how, figures in (("median", middle), ("tenth of them", best)):
            more = figures["sandbox"] - figures["child"]
            print(
                f"{what:<14}{how:<15}child {figures['child']:8.1f} {unit}   sandbox {figures['sandbox']:8.1f} {unit}   "
                f"{more:+8.1f} {unit}   {figures['sandbox'] / figures['child']:.2f}×"
            )


if __name__ == "__main__":
    main()
