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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core
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
class SelfPlay:
    """A match of the network against itself."""

    state: Any
    random_first: int
    random_share: float
    actions: int = 0

    def ended(self, value: float) -> bool:
        """Whether it is over or was decided at the last evaluation. To begin on an empty board is nearly a win."""
        return self.state.turn is None or (self.actions > self.random_first and abs(value) > DECIDED)


def evaluate(network: Any, states: list[Any]) -> tuple[list[NDArray[np.float64]], NDArray[np.float32]]:
    """For each state the policy over its legal actions, and the value for the seat on turn."""
    views = [state.view(state.turn) for state in states]
    seen = np.concatenate([_core.network_input(view) for view in views]).astype(np.float32)
    logits, values = evaluate_both_ways(network, seen)
    policies = []
    for view, logit in zip(views, logits, strict=True):
        likely = np.array([logit[_core.policy_index(view, each)] for each in view.legal()], np.float64)
        policies.append(np.exp(likely - likely.max()) / np.exp(likely - likely.max()).sum())
    return policies, values


def after(state: Any, action: int) -> Any:
    """The state after an action."""
    changed = state.copy()
    changed.apply(int(action))
    return changed


def played(matches: int) -> Iterator[str]:
    """Lines for bench/engines/hex_playouts.cpp."""
    network, chance = load_network(WEIGHTS / "hex-zero.onnx"), np.random.default_rng(1)
    game = ludoteca.game(f"hex:size={SIZE}")
    for begun in range(0, matches, AT_ONCE):
        left = [
            SelfPlay(game.deal(1), int(chance.integers(1, 5)), float(chance.choice(RANDOM)))
            for _ in range(min(AT_ONCE, matches - begun))
        ]
        while left:
            policies, values = evaluate(network, [match.state for match in left])
            for match, policy, value in zip(left, policies, values, strict=True):
                legal = match.state.legal()
                if match.actions and abs(value) < UNDECIDED and chance.random() < SHARE and len(legal) >= MOVES:
                    likely = chance.choice(legal, MOVES // 2, p=np.sqrt(policy) / np.sqrt(policy).sum())
                    tried = list(dict.fromkeys([*likely, *chance.permutation(legal)]))[:MOVES]
                    states = [after(match.state, action) for action in tried]
                    if all(state.turn is not None for state in states):
                        for action, state, worth in zip(tried, states, evaluate(network, states)[1], strict=True):
                            owners = "".join("." if each is None else "XO"[each] for each in state.view(0).stones)
                            yield f"{owners} {state.turn} {action} {worth:.4f}\n"
                random = match.actions < match.random_first or chance.random() < match.random_share
                match.state.apply(int(chance.choice(legal, p=None if random else policy)))
                match.actions += 1
            left = [match for match, value in zip(left, values, strict=True) if not match.ended(float(value))]


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
