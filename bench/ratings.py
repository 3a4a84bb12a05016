"""Ratings, standings and live estimates, from as many records as a large tournament leaves."""

from __future__ import annotations

import random

import ludoteca
from bench.measure import Row, Work, side_by_side
from ludoteca.play.record import Record
from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import elo_difference, expected_score
from ludoteca.ratings.sprt import Sprt
from ludoteca.reports.standings import Standings
from ludoteca.testing import random_actions

RECORDS, AGENTS, DEALS = 100_000, 40, 100


def rows() -> list[Row]:
    """Every measurement of this file; there is no peer that reads the same records."""
    records = tournament()

    def ratings() -> int:
        rate(records)
        return len(records)

    def standings() -> int:
        Standings.of(records)
        return len(records)

    size = f"{len(records):,} records, {AGENTS} agents"
    return [
        side_by_side(f"Ratings of {size}", "records", ratings, target="20,000/s, that is 5 s"),
        side_by_side(f"Standings of {size}, times included", "records", standings, target="20,000/s"),
        side_by_side("Estimate and SPRT verdict after a pair", "verdicts", _verdicts(2000), target="500/s"),
    ]


def tournament() -> list[Record]:
    """A round-robin of Hex 11×11 with made-up results; the actions are real, so that they replay."""
    game, chance = ludoteca.game("hex"), random.Random(1)
    matches = [tuple(random_actions(game, seed)) for seed in range(DEALS)]
    seconds = [tuple(chance.expovariate(100) for _ in actions) for actions in matches]
    pairs = [(first, second) for first in range(AGENTS) for second in range(AGENTS) if first != second]
    records = []
    for index in range(RECORDS):
        first, second = pairs[index % len(pairs)]
        seed = index % DEALS
        won = chance.random() < expected_score(20 * (first - second) + 30)
        records.append(
            Record(
                game.spec, seed, (f"agent:level={first}", f"agent:level={second}"), "0.1s", matches[seed],
                (1.0, -1.0) if won else (-1.0, 1.0), seconds=seconds[seed],
            )
        )  # fmt: skip
    return records


def _verdicts(count: int) -> Work:
    test = Sprt(0, 10)

    def work() -> int:
        chance = random.Random(1)
        pairs = [0, 0, 0, 0, 0]
        for _ in range(count):
            pairs[chance.choices(range(5), (1, 4, 10, 5, 2))[0]] += 1
            test.update(pairs)
            elo_difference(pairs)
        return count

    return work
