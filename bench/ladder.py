"""``python -m bench.ladder [--game NAME]``: how strong our agents are, measured and written into the package.

For each ladder below everybody plays everybody, in pairs on the same deal with the seats exchanged, and the ratings of
all matches together go to src/ludoteca/ladders, where the page finds them. Limits count nodes, so that the same command
gives the same ratings again on any machine.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import time
from dataclasses import dataclass
from pathlib import Path

import ludoteca
from ludoteca.arena.results import pairs_of
from ludoteca.arena.workers import cores
from ludoteca.play.openings import needs_openings
from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.pairs import Pair
from ludoteca.reports.ladder import ANCHOR, FOLDER, Ladder

__all__ = ["LADDERS", "Plan", "measure"]

SEED = 1  # of the first pairing; the next ones follow


@dataclass(frozen=True)
class Plan:
    """A ladder to be measured."""

    game: str
    agents: tuple[str, ...]
    matches: int
    """Matches of every two agents."""
    limit: str = "100000n"
    chances: tuple[float, ...] = ()
    """For Hex: shares of random actions with which the first agent fills the gap down to the anchor."""

    @property
    def file(self) -> str:
        """Its name in the folder of the ladders."""
        return ludoteca.game(self.game).spec.replace(":", "-").replace("rules=", "").replace("=", "-") + ".json"


LADDERS = (
    Plan(
        "hex",
        ("astar", "astar:depth=1", "astar:depth=2", "astar:depth=4", "beam:width=0", "beam:width=4", "beam"),
        matches=50,
        chances=(0.25, 0.5, 0.75, 0.9),
    ),
    Plan("horses", ("minimax:level=beginner", "minimax:level=amateur", "minimax", "minimax:depth=8"), matches=400),
    Plan(
        "dominoes",
        (
            "cases",
            "cases:reading=ours",
            "tumbafichas",
            "tumbafichas:depth=2",
            "tumbafichas:opponent=mean",
            "tumbafichas:variant=program",
        ),
        matches=400,
    ),
    Plan("kittens", ("v1", "v1:variant=program", "v2", "dqn"), matches=600),
    Plan("kittens:rules=original", ("v1", "v1:variant=program", "v2", "dqn", "dqn:observation=seed"), matches=400),
)


def played_as(plan: Plan) -> dict[str, tuple[str, float]]:
    """By the names under which agents enter the tournament, their own and the share of their random actions."""
    names = {ludoteca.agents.canonical(agent): (agent, 0.0) for agent in (*plan.agents, ANCHOR)}
    for chance in plan.chances:
        name, _, options = plan.agents[0].partition(":")
        stray = f"bench.rungs.{name.capitalize()}:{options}{',' if options else ''}chance={chance}"
        names[ludoteca.agents.canonical(stray)] = (plan.agents[0], chance)
    return names


def measure(plan: Plan, workers: int | None = None) -> Ladder:
    """Plays a ladder, one pairing after another."""
    names, game, limit = played_as(plan), ludoteca.game(plan.game), plan.limit
    strays = [name for name in names if name.startswith("bench.")]
    pairs: list[Pair] = []
    entered: dict[str, str] = {}
    for number, (first, second) in enumerate(itertools.combinations(names, 2)):
        result = ludoteca.series(
            game.spec, first, second, plan.matches, limit=limit, seed=SEED + number, store=":memory:", workers=workers,
            trust=strays,
        )  # fmt: skip
        if result.faults[0].total + result.faults[1].total:
            raise SystemExit(f"an agent of ours committed a fault: {first} against {second}, {result.faults}")
        entered |= dict(zip(result.agents, (first, second), strict=True))
        pairs += pairs_of(result.records).pairs()
    anchor = next(identity for identity, name in entered.items() if name == ANCHOR)
    return Ladder.of(
        rate(pairs, anchor=anchor),
        {identity: names[name][1] for identity, name in entered.items()},
        {identity: names[name][0] for identity, name in entered.items()},
        game=game.spec,
        limit=limit,
        per_pairing=plan.matches,
        openings=needs_openings(game),
        seed=SEED,
        date=datetime.date.today().isoformat(),
        command=f"python -m bench.ladder --game {plan.game.partition(':')[0]}",
    )


def main() -> None:
    """Measures all the ladders, or those of one game, and writes them."""
    parser = argparse.ArgumentParser(prog="python -m bench.ladder", description="How strong are our agents?")
    games = sorted({plan.game.partition(":")[0] for plan in LADDERS})
    parser.add_argument("--game", choices=games, help="only this one")
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files go (into the package)")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for plan in LADDERS:
        if given.game in (None, plan.game.partition(":")[0]):
            start = time.monotonic()
            ladder = measure(plan, given.workers)
            (given.folder / plan.file).write_text(ladder.to_json(), encoding="utf-8")
            print(f"{plan.game}: {ladder.matches} matches in {time.monotonic() - start:.0f} s", flush=True)
            for rung in ladder.rungs:
                ends = [show_elo(float("inf") if end is None else end) for end in (rung.low, rung.high)]
                stray = f" ({rung.chance:.0%} of its actions at random)" if rung.chance else ""
                print(f"  {show_elo(rung.elo):>6} [{', '.join(ends)}]  {rung.agent}{stray}", flush=True)


if __name__ == "__main__":
    main()
