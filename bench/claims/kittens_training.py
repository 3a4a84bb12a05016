"""``python -m bench.claims.kittens_training``: whether training against V2 gives a more robust network.

Trains networks with the document's eleven inputs and settings (``ludoteca train dqn --observation seed --against A
--seed S``) against v1, v2 and random, three seeds each, in rules=original and seat 0. What is in ``--folder``
already is kept, and an interrupted training resumes. Then each plays v1, v2, random and every network from seat 0, for
which it was trained, and v1, v2 and random from seat 1. There a network sees the same eleven numbers from its own side:
its own cards and owed draws, the other's hand and last action. Three more networks learn what the program's V1 was:
its deck, its V1.

Prints every cell with the interval of single matches (Wilson), each on a deal of its own, then the mean over the seeds:
its interval is Student's over the networks.
Finished cells are kept in ``results.json`` of the folder.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core
from ludoteca.agents.kittens.networks import load
from ludoteca.agents.kittens.policies import PLAYERS
from ludoteca.agents.kittens.rule_based import REINSERTION, Situation, choose
from ludoteca.games.batches import batch
from ludoteca.games.core_game import expect
from ludoteca.learn.dqn.training import SeedView
from ludoteca.learn.run_folder import CHECKPOINT
from ludoteca.protocols import Batch, Seat, View
from ludoteca.ratings.wilson import wilson
from ludoteca.terminal.train import train

ORIGINAL = "kittens:rules=original"
TEACHERS = ("v1", "v2", "random")
PROGRAM = "v1:variant=program"
PROGRAM_GAME = f"{ORIGINAL},deck=v1"
ROWS = 500
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""The 97.5% quantile of Student's distribution for so many networks."""

Chooser = Callable[[Batch, NDArray[np.int64]], NDArray[np.int32]]
"""The actions of one seat in these rows of the batch, where it is on turn."""


def network_file(folder: Path, teacher: str, seed: int) -> Path:
    """Where the network is that learnt against this teacher; trained now if it is missing."""
    place = folder / f"{teacher.replace(':variant=', '-')}-{seed}"
    done = place / "network.onnx"
    if not done.is_file():
        words = ["--folder", str(place)]
        if (place / CHECKPOINT).is_file():
            words.append("--resume")
        else:
            words += ["--observation", "seed", "--against", teacher, "--seed", str(seed), "--measure", "0"]
            words += ["--evaluate-every", "2000"]
            if teacher == PROGRAM:
                words += [PROGRAM_GAME, "--explore-matches", "600", "--penalty", "0"]
        if train(["dqn", *words]):
            raise SystemExit(130)
    return done


def by_network(path: Path, seat: Seat) -> Chooser:
    network = load(path)

    def choose(states: Batch, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        views = [cast(SeedView, states[int(row)].view(seat)) for row in rows]
        values = network.run(np.array([view.seed_observation for view in views], np.float32))
        best: NDArray[np.int64] = np.where(states.legal()[rows], values, -np.inf).argmax(1)
        return best.astype(np.int32)

    return choose


def by_rules(name: str, seat: Seat) -> Chooser:
    """v1, v2 or random, with one generator for each row. Plays as the agent does, but without its reasons: faster."""
    chances = [random.Random(f"{name} {seat} {row}") for row in range(ROWS)]
    rules = None if name == "random" else PLAYERS[name]

    def choose_one(view: View, chance: random.Random) -> int:
        if rules is None:
            return chance.choice(view.legal())
        placing = expect(view, _core.KittensView).placing
        return choose(REINSERTION if placing else rules, Situation.of(view), chance).action

    def choose_all(states: Batch, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        return np.array([choose_one(states[int(row)].view(seat), chances[row]) for row in rows], np.int32)

    return choose_all


def wins(game: str, choosers: Sequence[Chooser], matches: int) -> tuple[int, int]:
    """How many matches seat 0 and seat 1 win. Every row plays equally many, so short ones do not count more often."""
    states = batch(ludoteca.game(game), ROWS, 1)
    left = np.full(ROWS, matches // ROWS)
    won = [0, 0]
    while left.any():
        actions = np.zeros(ROWS, np.int32)
        for seat in (0, 1):
            rows = np.flatnonzero(states.turns == seat)
            if len(rows):
                actions[rows] = choosers[seat](states, rows)
        returns, done = states.step(actions)
        for row in np.flatnonzero(done & (left > 0)):
            left[row] -= 1
            for seat in (0, 1):
                won[seat] += bool(returns[row, seat] > 0)
    return won[0], won[1]


class Results:
    """Cells played so far: (game, seat 0, seat 1, matches) -> wins of seat 0 and of seat 1."""

    def __init__(self, folder: Path, matches: int, seeds: int) -> None:
        self.folder, self.matches, self.seeds = folder, matches, seeds
        self.file = folder / "results.json"
        self.cells: dict[str, list[int]] = json.loads(self.file.read_text()) if self.file.is_file() else {}

    def files(self, side: str) -> list[Path | None]:
        """The networks of a teacher, or None for an agent by its name."""
        if side.startswith("on "):
            return [network_file(self.folder, side[3:], seed) for seed in range(1, self.seeds + 1)]
        return [None]

    def cell(self, sides: tuple[str, str], counted: Seat, game: str = ORIGINAL) -> str:
        """Play all networks of one side against all of the other; in words, the counted seat's share of wins."""
        shares, lines = [], []
        for one, first in enumerate(self.files(sides[0]), 1):
            for two, second in enumerate(self.files(sides[1]), 1):
                names = [f"{side} #{index}" if file else side
                         for side, file, index in zip(sides, (first, second), (one, two), strict=True)]  # fmt: skip
                key = f"{game} {names[0]} - {names[1]} {self.matches}"
                if key not in self.cells:
                    choosers = [by_network(file, seat) if file else by_rules(sides[seat], seat)
                                for seat, file in enumerate((first, second))]  # fmt: skip
                    self.cells[key] = list(wins(game, choosers, self.matches))
                    self.file.write_text(json.dumps(self.cells, indent=1))
                share = self.cells[key][counted] / self.matches
                low, high = wilson(share, self.matches)
                shares.append(share)
                lines.append(
                    f"    {names[counted]} against {names[1 - counted]}: {share:.2%} ({low:.2%} to {high:.2%})"
                )
        return "\n".join(
            [f"{_spread(shares)}: {sides[counted]} in seat {counted} against {sides[1 - counted]}", *lines]
        )

    def overall(self, mine: str, others: Sequence[str], seat: Seat) -> str:
        """Each network's mean over all these opponents, then the mean of the networks; only of cells played before."""
        means = []
        for index in range(1, self.seeds + 1):
            name, shares = f"{mine} #{index}", []
            for key, won in self.cells.items():
                sides = key.removeprefix(f"{ORIGINAL} ").removesuffix(f" {self.matches}").split(" - ")
                if len(sides) == 2 and sides[seat] == name and sides[1 - seat].partition(" #")[0] in others:
                    shares.append(won[seat] / self.matches)
            means.append(statistics.mean(shares))
        one_by_one = ", ".join(f"{each:.1%}" for each in means)
        return f"{_spread(means)}: {mine} in seat {seat} against all of {', '.join(others)} ({one_by_one})"


def _spread(shares: Sequence[float]) -> str:
    """The mean, with Student's interval if there are as many shares as networks of one teacher, and the range."""
    half = ""
    if len(shares) in STUDENT:
        half = f" ± {STUDENT[len(shares)] * statistics.stdev(shares) / len(shares) ** 0.5:.2%}"
    return f"{statistics.mean(shares):.2%}{half}, from {min(shares):.2%} to {max(shares):.2%}"


def main() -> None:
    """Trains what is missing, plays what is missing, prints all."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims.kittens_training")
    parser.add_argument("-n", "--matches", type=int, default=5_000, help="of each pair of networks or agents")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("runs/kittens-training"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    results = Results(given.folder, given.matches, given.seeds)
    learnt = [f"on {teacher}" for teacher in TEACHERS]
    for mine in learnt:
        for other in (*TEACHERS, *learnt):
            print(results.cell((mine, other), 0), flush=True)
    for mine in learnt:
        for other in TEACHERS:
            print(results.cell((other, mine), 1), flush=True)
    for mine in learnt:
        print(results.overall(mine, TEACHERS, 0))
        for seat in (0, 1):
            print(results.overall(mine, learnt, seat), flush=True)
    print(f"in {PROGRAM_GAME}:")
    print(results.cell((f"on {PROGRAM}", PROGRAM), 0, PROGRAM_GAME), flush=True)


if __name__ == "__main__":
    main()
