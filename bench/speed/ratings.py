"""Ratings, standings and live estimates, from as many records as a large tournament leaves."""

from __future__ import annotations

import itertools
import random

import ludoteca
from bench.measure import Row, Work, side_by_side
from ludoteca.agents.identity import Identity
from ludoteca.arena.results import pairs_of
from ludoteca.play.record import Record, Who
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
        rate(pairs_of(records).pairs())
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
    pairings = list(itertools.combinations(range(AGENTS), 2))
    records = []
    for index in range(RECORDS):
        first, second = pairings[index // 2 % len(pairings)][:: 1 - 2 * (index % 2)]
        seed = index // 2 % DEALS
        won = chance.random() < expected_score(20 * (first - second) + 30)
        seats = (Who(Identity(f"agent:level={first}")), Who(Identity(f"agent:level={second}")))
        movers = tuple(ply % 2 for ply in range(len(matches[seed])))
        records.append(
            Record(
                game.spec, seed, seats, matches[seed], movers, limit="0.1s", seconds=seconds[seed],
                returns=(1.0, -1.0) if won else (-1.0, 1.0), digest=f"{index:016x}",
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
