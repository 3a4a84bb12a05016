"""``python -m bench.engines.horses WHAT``: how fast the engine of Horses searches, how far it sees, how well it plays.

speed      nodes a second of one core's time from random starts, and the plies that it has looked ahead after --seconds
solve      of --count random starts, how many are solved within --seconds each, and how often the first seat wins
strength   both seats of --count layouts against the expert, --seconds for each action or --nodes; beside each loss
           what best play by both would have given from the start, if the solver finds it within a minute

docs/agents/engine-horses.md shows the figures.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from contextlib import closing

import ludoteca
from bench.strength.pairs import Played, Tally, play_pairs
from ludoteca import _core
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.horses.solver import solve
from ludoteca.games.core_game import expect
from ludoteca.protocols import Decision, Game, Limit, Seat
from ludoteca.ratings.wilson import wilson

EXPERT = "minimax:level=expert"
RESULTS = {1.0: "won", 0.0: "drawn", -1.0: "lost"}


def start(game: Game, seed: int) -> _core.HorsesView:
    return expect(game.deal(seed).view(0), _core.HorsesView)


def speed(game: Game, count: int, seconds: float) -> None:
    """A line for every start."""
    for seed in range(count):
        search = _core.horses_engine(start(game, seed), exact_margin=True, seconds=seconds)
        before = time.process_time()
        found = search.run()
        used = time.process_time() - before
        end = "solved" if found.complete else f"{found.depth} plies"
        print(f"seed {seed}: {found.nodes / used / 1e6:.2f} million nodes a second, {end} in {used:.1f} s", flush=True)


def verdict(game: Game, seed: int, seconds: float, threads: int) -> Decision | None:
    """What the seat that begins gets from this start with best play by both, if that is found in time."""
    began = time.perf_counter()
    with closing(solve(game, start(game, seed), threads=threads)) as solving:  # type: ignore[type-var]
        for decision in solving:
            if decision.proven:
                return decision
            if time.perf_counter() - began > seconds:
                break
    return None


def solved(game: Game, count: int, seconds: float, threads: int) -> None:
    """A line for every start, and what they come to."""
    results: Counter[str] = Counter()
    slowest = 0.0
    for seed in range(count):
        began = time.perf_counter()
        found = verdict(game, seed, seconds, threads)
        took = time.perf_counter() - began
        result = "open" if found is None or found.value is None else RESULTS[found.value]
        results[result] += 1
        slowest = max(slowest, took)
        searched = f", {found.nodes / 1e6:.1f} million nodes" if found is not None else ""
        print(f"seed {seed}: {result} for the first seat, {took:.1f} s{searched}", flush=True)
    known = count - results["open"]
    print(f"{known} of {count} solved within {seconds:g} s each, the slowest after {slowest:.1f} s: {dict(results)}")
    if known:
        low, high = wilson(results["won"] / known, known)
        print(f"won by the first seat: {results['won'] / known:.1%} of them ({low:.1%} to {high:.1%})")


def strength(game: str, count: int, limit: Limit) -> None:
    """The score, and how many of the losses were lost from the start."""
    matches: list[Played] = []
    for seed in range(count):
        matches += play_pairs(game, HorsesEngine, EXPERT, 1, limit, seed=seed)
        print(f"\r{Tally.of(matches)}", end="", flush=True)
    print()
    tally = Tally.of(matches)
    low, high = tally.interval
    print(f"+{tally.wins} ={tally.draws} -{tally.losses}: {tally.score:.1%} ({low:.1%} to {high:.1%})")
    lost = [match for match in matches if match.result < 0]
    verdicts = Counter(_for_seat(verdict(ludoteca.game(game), match.seed, 60, 1), match.seat) for match in lost)
    print(f"the {len(lost)} that were lost, by best play of both from the start: {dict(verdicts)}")


def _for_seat(found: Decision | None, seat: Seat) -> str:
    if found is None or found.value is None:
        return "open"
    return RESULTS[found.value * (1 - 2 * seat)]


def main() -> None:
    """What the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "solve", "strength"])
    parser.add_argument("--game", default="horses")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    game = ludoteca.game(asked.game)
    if asked.what == "speed":
        speed(game, asked.count, asked.seconds or 10)
    elif asked.what == "solve":
        solved(game, asked.count, asked.seconds or 300, asked.threads)
    else:
        strength(asked.game, asked.count, Limit(asked.seconds, asked.nodes))


if __name__ == "__main__":
    main()
