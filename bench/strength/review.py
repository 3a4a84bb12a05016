"""``python -m bench.strength.review``: how often the marks of a review agree with the solver.

Weak agents play, the engine reviews as the page does, and the solver proves each position before and after an action. A
mark ``?`` or ``??`` is right if the action made the result of best play worse. docs/strength.md shows the figures.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import ludoteca
from ludoteca.agents import strongest
from ludoteca.agents.solvers import solver
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


def agreement(spec: str, matches: int, seed: int, seconds: float) -> str:
    """A row of the table for one game."""
    one, other = MATCHES[spec]
    played = ludoteca.series(spec, one, other, matches, seed=seed, limit="200n", store=":memory:", workers=1)
    count = Counter[str]()
    for record in played.records:
        match = Match.of_record(record)
        values = [solved(match, ply, seconds) for ply in range(len(record.actions) + 1)]
        for each in review(record, strongest(match.game)).actions:
            before, after = values[each.ply], values[each.ply + 1]
            marked = each.mark in ("?", "??")
            count["actions"] += 1
            count["not sure"] += not each.sure
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
        f"{count['right']} of {count['mistakes']}", count["not sure"],
        f"{count['not solved']} ({count['marked, not solved']} marked)",
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="for the solver in one position")
    parser.add_argument("games", nargs="*", default=list(MATCHES))
    options = parser.parse_args()
    print("| game | matches | actions | marks that are right | mistakes that are marked | not sure | not solved |")
    print("|---|---|---|---|---|---|---|")
    for spec in options.games:
        print(agreement(spec, options.matches, options.seed, options.seconds), flush=True)


if __name__ == "__main__":
    main()
