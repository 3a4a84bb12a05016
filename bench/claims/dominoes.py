"""``python -m bench.claims.dominoes``: what the document dominoes-tumbafichas claims, measured.

docs/seeds/dominoes.md shows the figures. A line of strength says how often A won, drew and lost.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from typing import TypeAlias, cast

import ludoteca
from bench.strength.pairs import Tally, even_matches, play_pairs
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.play.match import play_out
from ludoteca.protocols import Decision, Limit
from ludoteca.ratings.wilson import ClusteredMean

GAMES = ("dominoes", "dominoes:variant=block", "dominoes:start=seat,blocked=draw")
"""Ours, without drawing, and as the document's program plays."""
MEAN = "tumbafichas:opponent=mean"
PROGRAM = "tumbafichas:variant=program"
OURS = "cases:reading=ours"
PAIRINGS = [
    *((f"tumbafichas:depth={depth}", "random") for depth in (1, 2, 4, 6, 8)),
    ("tumbafichas", "random"),
    *((f"{MEAN},depth={depth}", "random") for depth in (2, 4)),
    (MEAN, "random"),
    ("cases", "random"),
    (OURS, "random"),
    *(("tumbafichas", f"tumbafichas:depth={depth}") for depth in (2, 4)),
    (MEAN, "tumbafichas"),
    ("cases", "tumbafichas:depth=2"),
    ("cases", "tumbafichas"),
    ("cases", MEAN),
    (OURS, "tumbafichas:depth=2"),
    (OURS, "tumbafichas"),
    (OURS, MEAN),
    ("cases:depth=4", "random"),
    ("cases:depth=4", "cases"),
    (f"{OURS},depth=4", "random"),
    (f"{OURS},depth=4", OURS),
    (f"{OURS},depth=4", "tumbafichas"),
]
DEEPEST = [("cases:depth=6", "cases:depth=4"), (f"{OURS},depth=6", f"{OURS},depth=4")]
SLOW_PAIRINGS = [(PROGRAM, "tumbafichas"), (PROGRAM, "random")]
"""With an eighth of the deals, as DEEPEST, and only where there is drawing."""


def certainty(game: Dominoes, matches: int) -> Iterator[str]:
    """What came of a value of ±1000, and how often a value chose nothing, tumbafichas playing itself."""
    came_of: dict[float, list[Counted]] = {1000.0: [], -1000.0: []}
    tied: list[Counted] = []
    for seed in range(matches):
        match = ludoteca.Match(game, seed)
        agents = {seat: ludoteca.agent("tumbafichas")(game, seat, 0) for seat in (0, 1)}
        made: list[tuple[int, Decision]] = [*play_out(match, agents, Limit())]
        for seat, decision in made:
            if not decision.scores:
                continue
            value = decision.scores[decision.action]
            tied.append((min(decision.scores.values()) == value, seed))
            if value in came_of:
                came_of[value].append((match.returns()[seat] > 0, seed))
    for value, won in came_of.items():
        yield f"decisions valued {value:+g} that were won: {_share(won)}"
    yield f"choices with the same value for every action: {_share(tied)}"


Counted: TypeAlias = tuple[bool, int]
"""Whether it was so in a decision, and the match of the decision."""


def _share(counted: list[Counted]) -> str:
    found = ClusteredMean.of(counted)
    low, high = found.interval(len(counted))
    return f"{found.mean:.1%} of {len(counted)}, 95% interval {low:.1%} to {high:.1%}"


def decision_times(game: Dominoes, matches: int) -> Iterator[str]:
    """How long `variant=program` takes for one decision, in the positions of random matches where it has a choice.

    Processor time, because a busy machine slows the clock. Before the first tile it searches 7 plies, then 4 and more.
    """
    decide = ludoteca.agent(PROGRAM)
    taken: list[tuple[float, int]] = []
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if len(view.legal()) > 1:
                began = time.process_time()
                decision = decide(game, seat, 0).act(view, Limit())
                assert isinstance(decision, Decision)
                taken.append((time.process_time() - began, decision.depth))
            state.apply(chance.choice(state.legal()))
    seconds = sorted(each for each, _ in taken)
    shares = ((f"{share:.1%}", seconds[int(share * len(seconds))]) for share in (0.5, 0.9, 0.99, 0.999))
    yield (
        f"{PROGRAM}: {len(taken)} decisions of {matches} random matches, {min(depth for _, depth in taken)} to "
        f"{max(depth for _, depth in taken)} plies; processor seconds: "
        + "".join(f"{share} within {each:.4f}, " for share, each in shares)
        + f"the slowest {', '.join(f'{each:.1f}' for each in seconds[:-6:-1])}"
    )


def main() -> None:
    """Prints every figure."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims.dominoes", description="The claims about Dominoes")
    parser.add_argument("game", nargs="*", help="those to play (all three)")
    parser.add_argument("-n", "--matches", type=even_matches, default=4000, help="each deal is played twice (4000)")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time (1)")
    parser.add_argument("--only", default="", help="only the pairings whose line contains this, and nothing else")
    parser.add_argument("--times", type=int, default=0, help="random matches in which to time decisions, nothing else")
    given = parser.parse_args()
    for spec in given.game or GAMES:
        game = cast(Dominoes, ludoteca.game(spec))
        print(f"\n{game.spec}")
        if given.times:
            if game.variant == "draw":
                print(*decision_times(game, given.times), sep="\n", flush=True)
            continue
        slow = [*DEEPEST, *(SLOW_PAIRINGS if game.variant == "draw" else ())]
        pairings = [(pair, given.matches // 2) for pair in PAIRINGS] + [(pair, given.matches // 16) for pair in slow]
        for (a, b), pairs in pairings:
            if given.only not in f"{a} against {b}":
                continue
            tally = Tally.of(play_pairs(game.spec, a, b, pairs, jobs=given.jobs))
            print(f"{a} against {b}: {tally}", flush=True)
        if given.only:
            continue
        for line in certainty(game, given.matches // 2):
            print(line, flush=True)


if __name__ == "__main__":
    main()
