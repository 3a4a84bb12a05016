"""``python -m bench.engines.hex_builds COMMIT FILE``: this build's classical engine of Hex against that of a commit.

Both are compiled and loaded into one process. Each action gets equal CPU time of the thread (--seconds), so that other
jobs on the machine do not matter, or equal simulations (--nodes). Both seats of each opening are played; a match ends
as soon as a win is proven. Results are appended to FILE, and matches that it has are not played again. Settings of
core/hex/rave_tree.hpp may be given to either side: ``--ours max_rave=300``.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import ludoteca
from ludoteca.play.openings import openings_for
from ludoteca.ratings.elo import NORMAL_95

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "bench/engines/hex_build.cpp"
# Without unique symbols, or the two libraries would share their tables.
COMPILE: Final = ["g++", "-std=c++20", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-gnu-unique"]


class Build:
    """One compiled engine."""

    def __init__(self, core: Path, out: Path, settings: Sequence[str]) -> None:
        subprocess.run([*COMPILE, f"-I{core}", str(SOURCE), "-o", str(out)], check=True)
        self._library = ctypes.CDLL(str(out))
        self._library.make.restype = ctypes.c_void_p
        self._settings = list(settings)
        pairs = [each.split("=") for each in settings]
        self._names = (ctypes.c_char_p * len(pairs))(*(name.encode() for name, _ in pairs))
        self._values = (ctypes.c_double * len(pairs))(*(float(value) for _, value in pairs))
        self.spent = (ctypes.c_double * 3)()
        """Simulations, CPU seconds, and whether the last action is proven to win."""

    def make(self, size: int, seed: int) -> ctypes.c_void_p:
        """A player. Raises ValueError for an unknown setting."""
        made = self._library.make(size, ctypes.c_uint64(seed), self._names, self._values, len(self._names))
        if not made:
            raise ValueError(f"one of these is no setting: {self._settings}")
        return ctypes.c_void_p(made)

    def choose(self, player: ctypes.c_void_p, actions: Sequence[int], seconds: float, nodes: int) -> int:
        """The player's action after these."""
        played = (ctypes.c_int * len(actions))(*actions)
        limits = ctypes.c_double(seconds), ctypes.c_long(nodes)
        return int(self._library.choose(player, played, len(actions), *limits, self.spent))

    def drop(self, player: ctypes.c_void_p) -> None:
        """Frees a player."""
        self._library.drop(player)


def play(
    game: Any, opening: Sequence[int], seat: int, builds: Sequence[Build], seed: int, limits: tuple[float, int]
) -> bool:
    """Whether the first build wins from this seat."""
    state, actions = game.deal(0), list(opening)
    for action in actions:
        state.apply(action)
    players = [build.make(game.size, seed) for build in builds]
    try:
        while state.turn is not None:
            mover = int(state.turn != seat)
            actions.append(builds[mover].choose(players[mover], actions, *limits))
            if builds[mover].spent[2]:
                return mover == 0
            state.apply(actions[-1])
        return bool(state.returns()[seat] > 0)
    finally:
        for build, player in zip(builds, players, strict=True):
            build.drop(player)


def score(file: Path) -> str:
    """The first build's share of the matches, with a 95% interval over openings."""
    pairs = defaultdict[str, list[int]](list)
    for line in file.read_text().splitlines():
        opening, _, won = line.split("\t")
        pairs[opening].append(int(won))
    matches = sum(map(len, pairs.values()))
    wins = sum(map(sum, pairs.values()))
    share = wins / matches
    spread = sum((sum(each) - share * len(each)) ** 2 for each in pairs.values()) * len(pairs) / max(1, len(pairs) - 1)
    reach = NORMAL_95 * math.sqrt(spread) / matches
    return f"{wins} of {matches}: {share:.1%} ({share - reach:.1%} to {share + reach:.1%})"


def main() -> None:
    """What the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="of the other build")
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--count", type=int, default=120, help="of openings")
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--ours", nargs="*", default=[])
    parser.add_argument("--theirs", nargs="*", default=[])
    asked = parser.parse_args()
    game: Any = ludoteca.game(f"hex:orientation=standard,size={asked.size}")
    asked.file.touch()
    had = {tuple(line.split("\t")[:2]) for line in asked.file.read_text().splitlines()}
    with tempfile.TemporaryDirectory() as folder:
        core = subprocess.run(
            ["git", "archive", asked.commit, "core"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "x", "-C", folder], input=core, check=True)
        there = Path(folder)
        builds = [
            Build(ROOT / "core", there / "ours.so", asked.ours),
            Build(there / "core", there / "theirs.so", asked.theirs),
        ]
        for number, line in enumerate(openings_for(game, asked.count)):
            opening = " ".join(map(str, line))
            for seat in (0, 1):
                if (opening, str(seat)) in had:
                    continue
                won = play(game, list(line), seat, builds, 2 * number + seat + 1, (asked.seconds, asked.nodes))
                with asked.file.open("a") as file:
                    file.write(f"{opening}\t{seat}\t{int(won)}\n")
            speeds = [round(build.spent[0] / max(build.spent[1], 1e-9)) for build in builds]
            shown = f"simulations a CPU second {speeds[0]:,} and {speeds[1]:,}"
            print(f"\r{score(asked.file)}; {shown}", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
