"""``python -m bench.speed.limits [COUNT] [--only TEXT]``: how soon searches obey a stop, and how they keep a deadline.

Each is asked COUNT times (200), early in a match and with settings that it could not finish in years; --only: those in
whose name or game TEXT is found. Wall time counts, so the machine must be quiet; on one that is not,
``chrt --rr 1 python -m bench.speed.limits`` keeps other programs out.

stop: from the call of `stop` until the search has ended; of an agent that searches in Python, led by a network, from
any moment until it has said what it thinks and is closed. close: from the call of `close` on what thinks aloud until it
has returned, and nothing runs any more. deadline: how much later than asked for the answer of `act` is there, its note
included. tick: between two decisions of an agent that thinks aloud.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

import ludoteca
from ludoteca import _core
from ludoteca.agents.search_agent import SearchAgent
from ludoteca.protocols import Decision, Limit, Thinker, View
from ludoteca.testing import random_actions

AGENTS = (
    ("astar:depth=9", "hex:size=19"),
    ("beam:width=28", "hex:size=19"),
    ("minimax:depth=64", "horses"),
    ("tumbafichas:depth=64,opponent=mean", "dominoes:pips=9"),
    ("tumbafichas:depth=64,variant=program", "dominoes"),
    ("engine", "hex"),
    ("engine:threads=2", "hex:size=13"),
    ("engine:network=none", "hex:size=13"),
    ("engine", "horses"),
    ("engine", "dominoes"),
    ("engine", "kittens"),
    ("engine", "kittens:rules=original"),
    ("mcts", "hex:size=19"),
    ("mcts:threads=2,reuse=true", "hex:size=19"),
    ("mcts", "horses"),
    ("mcts", "dominoes"),
    ("mcts", "kittens"),
)
FOREVER = Limit(seconds=10**6)
LONGEST = 0.1
"""Seconds of the longest deadline, and until the latest stop; each time another."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    count: int = asked.count
    print("| agent | game | what | median | 99th percentile | allowed |")
    print("|---|---|---|---:|---:|---:|")
    for agent, game in AGENTS:
        if asked.only not in f"{agent} {game}":
            continue
        measured = {"stop": 5.0, "close": 5.0, "deadline": 2.0, "tick": 4.0}
        for (what, allowed), late in zip(measured.items(), delays(agent, game, count), strict=True):
            cuts = quantiles([1e3 * seconds for seconds in late], n=100, method="inclusive")
            print(
                f"| `{agent}` | `{game}` | {what} | {cuts[49]:.2f} ms | **{cuts[98]:.2f} ms** | {allowed:g} ms |",
                flush=True,
            )


def delays(agent: str, game: str, count: int) -> tuple[list[float], list[float], list[float], list[float]]:
    """The seconds of `count` stops, closes and deadlines, one after another, and of all ticks."""
    stops, closes, deadlines = [], [], []
    ticks: list[float] = []
    chance = random.Random(1)
    for _, view in zip(range(count), positions(game), strict=False):
        seconds = LONGEST * chance.random()
        thinker = ludoteca.agent(agent)(view.game, view.seat, 1)
        assert isinstance(thinker, Thinker)
        if isinstance(thinker, SearchAgent):
            thought = thinker._task(view, FOREVER)
            if isinstance(thought, Decision):
                continue
            stops.append(stop_delay(thought.search, seconds))
        else:
            stops.append(leave_delay(thinker, view, seconds))
        closes.append(close_delay(thinker, view, seconds, ticks))
        asked = time.perf_counter()
        thinker.act(view, Limit(seconds=seconds))
        deadlines.append(time.perf_counter() - asked - seconds)
        time.sleep(LONGEST)  # a process that runs without a pause loses its priority for part of each second
    return stops, closes, deadlines, ticks


def positions(spec: str) -> Iterator[View]:
    """Early positions of random matches in which there is something to decide; without end."""
    game = ludoteca.game(spec)
    seed = 0
    while True:
        seed += 1
        state = game.deal(seed)
        for action in random_actions(game, seed)[:4]:
            state.apply(action)
        if state.turn is not None and len((view := state.view(state.turn)).legal()) > 2:
            yield view


def stop_delay(search: _core.Search, seconds: float) -> float:
    search.start()
    time.sleep(seconds)
    asked = time.perf_counter()
    search.stop()
    while not search.wait(1):
        pass
    return time.perf_counter() - asked


def leave_delay(thinker: Thinker, view: View, seconds: float) -> float:
    thoughts: Any = thinker.think(view, FOREVER)
    moment = time.perf_counter() + seconds
    while time.perf_counter() < moment and next(thoughts, None) is not None:
        pass
    thoughts.close()
    return max(0.0, time.perf_counter() - moment)


def close_delay(thinker: Thinker, view: View, seconds: float, ticks: list[float]) -> float:
    thoughts: Any = thinker.think(view, FOREVER)
    end = time.perf_counter() + seconds
    while (now := time.perf_counter()) < end:
        if next(thoughts, None) is None:
            break  # it has thought to the end
        ticks.append(time.perf_counter() - now)
    asked = time.perf_counter()
    thoughts.close()
    return time.perf_counter() - asked


if __name__ == "__main__":
    main()
