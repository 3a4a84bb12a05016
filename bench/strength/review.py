"""``python -m bench.strength.review``: how often the marks of a review agree with the solver.

Weak agents play, the engine reviews as the page does, and the solver proves each position before and after an action. A
mark ``?`` or ``??`` is right if the action made the result of best play worse. docs/strength.md shows the figures.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from functools import cache, partial

import ludoteca
from ludoteca.agents import strongest
from ludoteca.agents.solvers.positions import solver
from ludoteca.play.match import Match
from ludoteca.reports.review import review

MATCHES = {"hex:size=7": ("mcts", "astar:depth=1"), "horses:size=6": ("minimax:level=beginner", "random")}


def solved(match: Match, ply: int, seconds: float) -> float | None:
    """The result of best play after so many actions, for seat 0; None if it is not proven in time."""
    here = match.before(ply)
    if (turn := here.turn) is None:
        return here.returns()[0]
    stream, start = solver(match.game)(match.game, here.view(turn)), time.monotonic()
    for found in stream:
        if found.proven and found.value is not None:
            return found.value if turn == 0 else -found.value
        if time.monotonic() - start > seconds:
            break
    return None


def agreement(spec: str, matches: int, seed: int, seconds: float, marks_only: bool) -> str:
    """A row of the table for one game. marks_only: solve no position but those that a mark rests on."""
    one, other = MATCHES[spec]
    played = ludoteca.series(spec, one, other, matches, seed=seed, limit="200n", store=":memory:", workers=1)
    count = Counter[str]()
    for record in played.records:
        match = Match.of_record(record)
        value = cache(partial(solved, match, seconds=seconds))
        for each in review(record, strongest(match.game)).actions:
            marked = each.mark in ("?", "??")
            count["actions"] += 1
            count["not sure"] += not each.sure
            if marks_only and not marked:
                continue
            before, after = value(each.ply), value(each.ply + 1)
            if before is None or after is None:
                count["not solved"] += 1
                count["marked, not solved"] += marked
                continue
            sign = 1 if each.seat == 0 else -1
            worse = sign * after < sign * before
            count["marked"] += marked
            count["right"] += marked and worse
            count["mistakes"] += worse
    cells = (
        spec, matches, count["actions"], f"{count['right']} of {count['marked']}",
        "" if marks_only else f"{count['right']} of {count['mistakes']}", count["not sure"],
        f"{count['not solved']} ({count['marked, not solved']} marked)",
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="for the solver in one position")
    parser.add_argument("--marks-only", action="store_true", help="solve only positions that a mark rests on: quicker")
    parser.add_argument("games", nargs="*", default=list(MATCHES))
    options = parser.parse_args()
    print("| game | matches | actions | marks that are right | mistakes that are marked | not sure | not solved |")
    print("|---|---|---|---|---|---|---|")
    for spec in options.games:
        print(agreement(spec, options.matches, options.seed, options.seconds, options.marks_only), flush=True)


if __name__ == "__main__":
    main()
