"""``python -m bench.strength.crosstable``: all agents of a game against each other, into docs/strength.md.

For each game below all agents meet; the table of ratings and shares replaces what stands between the game's two marks
in the document. Every two play one portion, then all play the next, so a command that is stopped leaves a table:

    python -m bench.strength.crosstable --minutes 20             all games
    python -m bench.strength.crosstable --only 'kittens*' -n 400 at least 400 matches of every two
    python -m bench.strength.crosstable --merge other.json       adds the results of another machine, plays nothing
    python -m bench.strength.crosstable --write                  only writes the tables again
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from bench.strength.cells import Cell, Key, add_options, missing, update
from bench.strength.document import write_table
from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import show_elo

RESULTS: Final = Path(__file__).parent / "results" / "crosstables.json"


@dataclass(frozen=True)
class Plan:
    """A round-robin to be played."""

    game: str
    agents: tuple[str, ...]
    matches: int
    """Of every two."""
    seconds: float = 0.1

    @property
    def keys(self) -> list[Key]:
        """All pairings; the later agent first, as it is mostly the stronger."""
        return [Key(self.game, other, self.seconds, agent) for other, agent in itertools.combinations(self.agents, 2)]


MINIMAX: Final = ("minimax:level=beginner", "minimax:level=amateur", "minimax")
DOMINOES: Final = ("random", "naive", "cases", "tumbafichas:depth=4", "mcts", "mmd", "engine")
KITTENS: Final = ("random", "v1", "v2", "dqn", "mcts", "mmd", "engine")
HEX: Final = ("random", "astar", "beam", "mcts", "engine:network=none", "zero:simulations=1", "zero", "engine")
PLANS: Final = (
    Plan("horses", ("random", *MINIMAX, "mcts", "zero", "engine"), 100, 0.05),
    Plan("dominoes:variant=block", DOMINOES, 200, 0.02),
    Plan("dominoes", DOMINOES, 200, 0.02),
    Plan("kittens:rules=original", KITTENS, 200, 0.02),
    Plan("kittens", KITTENS, 200, 0.02),
    Plan("hex:size=7", HEX, 20),
    Plan("hex", HEX, 20),
    Plan("hex:size=13", HEX, 20),
)


def of_one_version(plan: Plan, cells: Iterable[Cell]) -> dict[Key, Cell]:
    """The latest results of a plan in which every agent has one version, and all are from one machine."""
    found: dict[Key, Cell] = {}
    versions: dict[str, str] = {}
    machine = ""
    wanted = set(plan.keys)
    for cell in reversed(list(cells)):
        if cell.key not in wanted or machine not in ("", cell.machine):
            continue
        played = {cell.agent: cell.engine_version, cell.opponent: cell.opponent_version}
        for agent, version in played.items():
            versions.setdefault(agent, version)
        if all(versions[agent] == version for agent, version in played.items()):
            found.setdefault(cell.key, cell)
            machine = cell.machine
    return found


def markdown(plan: Plan, found: dict[Key, Cell]) -> str:
    """Ratings and shares, the strongest first; a share is that of the row against the column, in percent.

    Elo is the difference to the weakest agent, with the interval of that difference.
    """
    shares: dict[tuple[str, str], float] = {}
    for cell in found.values():
        shares[cell.agent, cell.opponent], shares[cell.opponent, cell.agent] = cell.share, 1 - cell.share
    ratings = rate([pair for cell in found.values() for pair in cell.scored()])
    names = list(ratings.agents)
    weakest = min(names, key=lambda name: ratings.agents[name].elo)
    counts = [cell.matches for cell in found.values()]
    each = " to ".join(map(str, sorted({min(counts), max(counts)})))
    lines = [
        f"{sum(counts)} matches, {each} of every two, {plan.seconds:g} s an action, "
        f"{max(cell.date for cell in found.values())}. Machine: {next(iter(found.values())).machine}.",
        "",
        f"| | Elo above `{weakest}` (95%) | " + " | ".join(f"`{name}`" for name in names) + " |",
        "|---|---:|" + "---:|" * len(names),
    ]
    for name in names:
        above = ratings.difference(name, weakest)
        ends = "" if name == weakest else f" ({show_elo(above.low)} to {show_elo(above.high)})"
        row = [f"{100 * shares[name, other]:.1f}" if (name, other) in shares else "" for other in names]
        lines.append(f"| `{name}` | {show_elo(above.elo)}{ends} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def tasks_of(plans: Iterable[Plan], matches: int | None, cells: list[Cell]) -> list[tuple[Key, int]]:
    """The portions that are missing: the first ones of all pairings first."""
    found = [task for plan in plans for task in missing(plan.keys, matches or plan.matches, cells)]
    return sorted(found, key=lambda task: task[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.crosstable", description="All agents against each other."
    )
    parser.add_argument("--only", default="*", metavar="GAME", help="one game of the document, or a pattern of them")
    parser.add_argument("-n", "--matches", type=int, help="of every two, at least (20 to 200, by game)")
    add_options(parser, RESULTS)
    given = parser.parse_args()
    plans = [plan for plan in PLANS if fnmatchcase(plan.game, given.only)]
    if not plans:
        parser.error(f"no game is meant; the games are {', '.join(plan.game for plan in PLANS)}")
    cells = update(given, lambda kept: tasks_of(plans, given.matches, kept))
    for plan in plans:
        found = of_one_version(plan, cells)
        if len(found) < len(plan.keys):
            print(f"{plan.game}: {len(found)} of {len(plan.keys)} pairings were played; the table stays as it was")
            continue
        table = markdown(plan, found)
        print(f"{plan.game}\n\n{table}\n", flush=True)
        if given.results == RESULTS:
            write_table(plan.game, table)


if __name__ == "__main__":
    main()
