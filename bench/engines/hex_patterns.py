"""``python -m bench.engines.hex_patterns play FILE`` and ``… learn FILE``: what the patterns of Hex weigh.

play     matches of the classical engine against itself, from one to three random stones, on 11×11, 9×9 and 13×13, for
         --seconds; of each position it writes the kinds of all moves and which one was played
learn    the weights with which the moves that were played are most likely, as core/hex/pattern_weights.hpp has them

core/hex/patterns.hpp says what kinds there are.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core
from ludoteca.agents.hex.classical import HexClassicalEngine
from ludoteca.protocols import Limit

SORTS: Final = _core.hex_pattern_classes()
"""How many kinds there are of rings, of bridges, of nearness to the last stone, and of saving a bridge."""
NAMES: Final = ("kRingWeights", "kBridgeWeights", "kNearnessWeights", "kSavesWeights")
SIZES: Final = (11, 11, 9, 13)
STEPS: Final = 400
PENALTY: Final = 2.0
"""Keeps the weights of kinds that were seen but a few times near 0."""


def played(seconds: float, simulations: int) -> Iterator[dict[str, Any]]:
    """Positions, until these seconds are over or a result is proven."""
    chance, ends = random.Random(1), time.perf_counter() + seconds
    for number in range(10**9):
        game: Any = ludoteca.game(f"hex:orientation=standard,size={SIZES[number % len(SIZES)]}")
        state = game.deal(0)
        for _ in range(chance.randint(1, 3)):
            state.apply(chance.choice(state.legal()))
        agents = [HexClassicalEngine(game, seat, number) for seat in (0, 1)]
        while state.turn is not None:
            if time.perf_counter() > ends:
                return
            view = state.view(state.turn)
            found = agents[state.turn].act(view, Limit(nodes=simulations))
            if found.proven:
                break
            yield {"kinds": _core.hex_patterns(view), "chosen": state.legal().index(found.action)}
            state.apply(found.action)


def learn(path: Path) -> tuple[list[NDArray[np.float64]], str]:
    """The logarithms of the weights of each sort, and how well they tell what is played."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    first = np.cumsum([0, *SORTS[:-1]])
    kinds = np.concatenate([np.array(record["kinds"]) + first for record in records])
    counts = np.array([len(record["kinds"]) for record in records])
    starts = np.cumsum(counts) - counts
    chosen = starts + np.array([record["chosen"] for record in records])
    of = np.repeat(np.arange(len(records)), counts)
    known = np.arange(len(records)) % 10 != 0  # every tenth position is kept apart
    weights, mean, square = np.zeros((3, sum(SORTS)))

    def chances() -> NDArray[np.float64]:
        value = weights[kinds].sum(1)
        value = np.exp(value - np.maximum.reduceat(value, starts)[of])
        return np.asarray(value / np.add.reduceat(value, starts)[of])

    seen = np.bincount(kinds[chosen[known]].ravel(), minlength=len(weights))
    for step in range(STEPS):
        share = np.where(known[of], chances(), 0)
        expected = np.bincount(kinds.ravel(), weights=np.repeat(share, len(SORTS)), minlength=len(weights))
        slope = (expected - seen + PENALTY * weights) / known.sum()
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2  # Adam
        scale = 0.05 * (1 - step / STEPS) * np.sqrt(1 - 0.99 ** (step + 1)) / (1 - 0.9 ** (step + 1))
        weights -= scale * mean / (np.sqrt(square) + 1e-8)
    found = chances()
    rank = np.add.reduceat(found > np.repeat(found[chosen], counts), starts)[~known]
    report = (
        f"{len(records)} positions; of those kept apart the likeliest move was played in {np.mean(rank == 0):.0%}, "
        f"one of the five likeliest in {np.mean(rank < 5):.0%}"
    )
    return np.split(weights, first[1:]), report


def header(sorts: list[NDArray[np.float64]]) -> Iterator[str]:
    """The arrays as C++, in hundredths."""
    for name, weights in zip(NAMES, sorts, strict=True):
        yield f"inline constexpr std::array<std::int16_t, {len(weights)}> {name}{{"
        line = ""
        for weight in np.rint(100 * weights).astype(int):
            if len(line) + len(f" {weight},") > 116:
                yield f"   {line}"
                line = ""
            line += f" {weight},"
        yield f"   {line}"
        yield "};"


def main() -> None:
    """What the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["play", "learn"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--simulations", type=int, default=3000)
    asked = parser.parse_args()
    if asked.what == "play":
        with asked.file.open("w") as file:
            for record in played(asked.seconds, asked.simulations):
                file.write(json.dumps(record) + "\n")
    else:
        sorts, report = learn(asked.file)
        print(report, *header(sorts), sep="\n")


if __name__ == "__main__":
    main()
