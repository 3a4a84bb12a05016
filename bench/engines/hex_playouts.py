"""``python -m bench.engines.hex_playouts play FILE`` and ``… learn FILE``: how the playouts of Hex reply to stones.

play     matches of the network hex-zero against itself on 11×11, without search and with some random actions; of a part
         of the positions it writes those after eight moves, with the values that the network gives them
learn    the weights with which the results of playouts differ as those values do, as core/hex/playout_weights.hpp has
         them, after --seconds of one core

core/hex/playout_habits.hpp says what is learned, bench/engines/hex_playouts.cpp how.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludoteca.agents.networks.board_networks import WEIGHTS, evaluate_both_ways, load_network

ROOT: Final = Path(__file__).parents[2]
SIZE: Final = 11
AT_ONCE: Final = 32
"""Matches that are played at the same time: the network is quicker with many positions."""
MOVES: Final = 8
"""Of each position that is written, half of them likely ones."""
SHARE: Final = 0.3
"""Of the positions that are written."""
UNDECIDED: Final = 0.97
"""Positions of a higher value are not written."""
DECIDED: Final = 0.985
"""Positions of a higher value end a match."""
RANDOM: Final = (0.03, 0.1, 0.25)
"""Shares of random actions, one of them for each match."""


@dataclass
class Match:
    """A match that the network plays against itself."""

    random_first: int
    random_share: float
    owners: NDArray[np.int8] = field(default_factory=lambda: np.zeros(SIZE * SIZE, np.int8))
    turn: int = 0
    actions: int = 0

    def after(self, action: int) -> NDArray[np.int8]:
        """The owners of the cells after an action."""
        owners = self.owners.copy()
        owners[action] = self.turn + 1
        return owners


def seen(owners: NDArray[np.int8], turn: int) -> NDArray[np.float32]:
    """A position as the network sees it: see core/hex/encoding.hpp."""
    planes = np.stack([owners == turn + 1, owners == 2 - turn]).reshape(2, SIZE, SIZE)
    return (planes.transpose(0, 2, 1) if turn else planes).astype(np.float32)


def played(matches: int) -> Iterator[str]:
    """Lines for bench/engines/hex_playouts.cpp."""
    network, chance = load_network(WEIGHTS / "hex-zero.onnx"), np.random.default_rng(1)
    for begun in range(0, matches, AT_ONCE):
        left = [
            Match(int(chance.integers(5)), float(chance.choice(RANDOM))) for _ in range(min(AT_ONCE, matches - begun))
        ]
        while left:
            logits, values = evaluate_both_ways(network, np.stack([seen(each.owners, each.turn) for each in left]))
            going = []
            for match, logit, value in zip(left, logits, values, strict=True):
                by_action = logit.reshape(SIZE, SIZE).T.ravel() if match.turn else logit
                legal = np.flatnonzero(match.owners == 0)
                policy = np.exp((by_action[legal] - by_action[legal].max()).astype(np.float64))
                policy /= policy.sum()
                if match.actions and abs(value) < UNDECIDED and chance.random() < SHARE and len(legal) >= MOVES:
                    likely = chance.choice(legal, MOVES // 2, p=np.sqrt(policy) / np.sqrt(policy).sum())
                    tried = list(dict.fromkeys([*likely, *chance.permutation(legal)]))[:MOVES]
                    after = [match.after(action) for action in tried]
                    _, found = evaluate_both_ways(network, np.stack([seen(each, 1 - match.turn) for each in after]))
                    for action, owners, worth in zip(tried, after, found, strict=True):
                        yield f"{''.join('.XO'[each] for each in owners)} {1 - match.turn} {action} {worth:.4f}\n"
                if abs(value) > DECIDED:
                    continue
                random = match.actions < match.random_first or chance.random() < match.random_share
                match.owners = match.after(int(chance.choice(legal, p=None if random else policy)))
                match.turn, match.actions = 1 - match.turn, match.actions + 1
                going.append(match)
            left = going


def learn(path: Path, seconds: float) -> str:
    """The arrays of core/hex/playout_weights.hpp."""
    with tempfile.TemporaryDirectory() as folder:
        learner = Path(folder) / "learner"
        source = ROOT / "bench/engines/hex_playouts.cpp"
        compile_it = ["g++", "-std=c++20", "-O3", f"-I{ROOT / 'core'}", str(source), "-o", str(learner)]
        subprocess.run(compile_it, check=True)
        command = [str(learner), str(path), str(seconds)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    """What the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["play", "learn"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--matches", type=int, default=2240)
    parser.add_argument("--seconds", type=float, default=400)
    asked = parser.parse_args()
    if asked.what == "play":
        with asked.file.open("w") as file:
            file.writelines(played(asked.matches))
    else:
        print(learn(asked.file, asked.seconds))


if __name__ == "__main__":
    main()
