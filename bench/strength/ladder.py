"""``python -m bench.strength.ladder [--game NAME]``: how strong our agents are, measured and written into the package.

For each ladder below the agents play those of about their strength, in pairs on the same deal with sides swapped.
The ratings of all matches together go to src/ludoteca/reports/ladders, where the page finds them. Limits count nodes,
so that the same command gives the same ratings again on any machine. The matches are kept: an interrupted command goes
on where it was.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.arena.results import pairs_of
from ludoteca.arena.workers import cores
from ludoteca.play.openings import needs_openings
from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.pairs import Pair
from ludoteca.reports.ladder import ANCHOR, FOLDER, Ladder, ladder_name

SEED = 1  # of the first pairing; the next ones follow


@dataclass(frozen=True)
class Plan:
    """A ladder to be measured."""

    game: str
    agents: tuple[str, ...]
    """From the weakest to the strongest, as far as that is known before."""
    matches: int
    """Matches of every two agents that meet."""
    limit: str = "100000n"
    chances: tuple[float, ...] = ()
    """For Hex: shares of random actions with which `astar` fills the gap down to the anchor, the largest first."""
    reach: int = 0
    """How far apart in the order two may stand to meet: where one always wins, nothing is learnt. 0: all meet."""
    opponents: tuple[str, ...] = (ANCHOR,)
    """The short list that a page offers to people."""
    slow: Mapping[str, str] = field(default_factory=dict)
    """Agents with a lower limit: all matches of such an agent have it. Those that it meets must not need more."""

    @property
    def file(self) -> str:
        """Its name in the folder of the ladders."""
        return f"{ladder_name(ludoteca.game(self.game).spec)}.json"


LEVELS = tuple(f"engine:level={level}" for level in range(1, 9))
"""What the page offers to people."""

LADDERS = (
    Plan(
        "hex",
        (
            *LEVELS[:2], "beam", "astar:depth=1", "astar", "mcts:simulations=10000", *LEVELS[2:4],
            "engine:network=none", *LEVELS[4:7], "zero:simulations=1", LEVELS[7], "zero:simulations=64", "engine",
        ),
        matches=10,
        limit="20000n",
        chances=(0.9, 0.75, 0.5, 0.25),
        reach=4,
        opponents=(ANCHOR, LEVELS[0], "beam", "astar", LEVELS[3], LEVELS[5], LEVELS[7], "engine"),
        slow={"engine": "400n"},
    ),
    Plan(
        "horses",
        (
            LEVELS[0], "naive", *LEVELS[1:4], "minimax:level=beginner", "zero:simulations=1", "mcts:simulations=1000",
            "minimax:level=amateur", LEVELS[4], "zero:simulations=32", "minimax", LEVELS[5], "minimax:depth=8",
            *LEVELS[6:], "engine",
        ),
        matches=20,
        reach=6,
        opponents=(
            ANCHOR, LEVELS[0], LEVELS[2], "minimax:level=beginner", "minimax:level=amateur", "minimax:level=expert",
            "engine",
        ),
    ),
    Plan(
        "dominoes",
        (
            "cases", "tumbafichas:depth=2", "tumbafichas", "tumbafichas:opponent=mean", *LEVELS[::2],
            "cases:reading=ours", "mcts:simulations=1000", LEVELS[7], "engine",
        ),
        matches=200,
        limit="2000n",
        opponents=(
            ANCHOR, "cases", "tumbafichas", LEVELS[0], LEVELS[2], LEVELS[4], "engine", "mcts:simulations=1000",
        ),
    ),
    Plan(
        "kittens",
        ("v1:variant=program", "v2", "v1", *LEVELS[::2], LEVELS[7], "mcts:simulations=1000", "dqn", "engine"),
        matches=60,
        limit="2000n",
        opponents=("v1", "v2", ANCHOR, LEVELS[2], LEVELS[4], "dqn", "engine"),
    ),
    Plan(
        "kittens:rules=original",
        (
            "v2", "v1:variant=program", "v1", *LEVELS[::2], "mcts:simulations=1000", "dqn:observation=seed", "dqn",
            "engine",
        ),
        matches=60,
        limit="2000n",
        opponents=("v2", ANCHOR, "v1", LEVELS[0], LEVELS[2], "dqn:observation=seed", "dqn", "engine"),
    ),
)  # fmt: skip


def played_as(plan: Plan) -> dict[str, tuple[str, float]]:
    """By the names under which agents enter, their own and the share of their random actions, weak ones first."""
    strays = {f"bench.strength.weakened.Astar:chance={chance}": ("astar", chance) for chance in plan.chances}
    entered = {ANCHOR: (ANCHOR, 0.0), **strays, **{agent: (agent, 0.0) for agent in plan.agents}}
    return {ludoteca.agents.canonical(name): each for name, each in entered.items()}


def pairings(plan: Plan) -> list[tuple[str, str]]:
    """Those who meet, by the names under which they enter."""
    names = list(played_as(plan))
    return [
        (names[one], names[other])
        for one, other in itertools.combinations(range(len(names)), 2)
        if not plan.reach or other - one <= plan.reach
    ]


def measure(plan: Plan, workers: int | None = None, store: str = ":memory:") -> Ladder:
    """Plays a ladder, one pairing after another; not again what the store holds of it."""
    names, game = played_as(plan), ludoteca.game(plan.game)
    strays = [name for name in names if name.startswith("bench.")]
    pairs: list[Pair[Identity]] = []
    entered: dict[Identity, str] = {}
    for number, (first, second) in enumerate(pairings(plan)):
        limit = plan.slow.get(second, plan.limit)  # the second is later in the order, and slow ones are its last
        result = ludoteca.series(
            game.spec, first, second, plan.matches, limit=limit, seed=SEED + number, store=store, workers=workers,
            admission=ludoteca.Admission(trusted=tuple(strays)),
        )  # fmt: skip
        if result.faults[0].total + result.faults[1].total:
            raise SystemExit(f"an agent of ours committed a fault: {first} against {second}, {result.faults}")
        entered |= dict(zip(result.agents, (first, second), strict=True))
        pairs += pairs_of(result.records).pairs()
    anchor = next(identity for identity, name in entered.items() if name == ANCHOR)
    return Ladder.of(
        rate(pairs, anchors=[anchor]),
        {identity: names[name][1] for identity, name in entered.items()},
        {identity: names[name][0] for identity, name in entered.items()},
        game=game.spec,
        limit=plan.limit,
        per_pairing=plan.matches,
        openings=needs_openings(game),
        seed=SEED,
        date=datetime.date.today().isoformat(),
        command=f"python -m bench.strength.ladder --game {plan.game.partition(':')[0]}",
        opponents=plan.opponents,
        slow=dict(plan.slow),
    )


def main() -> None:
    """Measures all the ladders, or those of one game, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.ladder", description="How strong are our agents?")
    games = sorted({plan.game.partition(":")[0] for plan in LADDERS})
    parser.add_argument("--game", choices=games, help="only this one")
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    parser.add_argument("--store", type=Path, default=Path("ladder.db"), help="keeps the matches (./ladder.db)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files go (into the package)")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for plan in LADDERS:
        if given.game in (None, plan.game.partition(":")[0]):
            start = time.monotonic()
            ladder = measure(plan, given.workers, str(given.store))
            (given.folder / plan.file).write_text(ladder.to_json(), encoding="utf-8")
            print(f"{plan.game}: {ladder.matches} matches in {time.monotonic() - start:.0f} s", flush=True)
            for rung in ladder.rungs:
                ends = [show_elo(float("inf") if end is None else end) for end in (rung.low, rung.high)]
                stray = f" ({rung.chance:.0%} of its actions at random)" if rung.chance else ""
                print(f"  {show_elo(rung.elo):>6} [{', '.join(ends)}]  {rung.agent}{stray}", flush=True)


if __name__ == "__main__":
    main()
