"""``python -m bench.strength.crosstable [--game NAME]``: all agents against each other, into docs/strength.md.

For each game below all agents meet in pairs on the same deal, or from the same opening, with sides swapped; the
table of ratings and the crosstable replace what stands between the game's two marks in the document. Matches are kept
in a store, so that Ctrl-C loses nothing and the same command goes on.
"""

from __future__ import annotations

import argparse
import datetime
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import ludoteca
from ludoteca.agents.identity import short_names
from ludoteca.arena.workers import cores
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.standings import Standings

DOCUMENT = Path(__file__).parents[2] / "docs" / "strength.md"
STORE = Path(tempfile.gettempdir()) / "ludoteca-crosstable.sqlite"


@dataclass(frozen=True)
class Plan:
    """A round-robin to be played."""

    game: str
    agents: tuple[str, ...]
    matches: int
    """Per pairing."""
    limit: str = "0.1s"


HEX = ("random", "astar", "beam", "mcts", "engine:network=none", "zero:simulations=1", "engine")
PLANS = (
    Plan(
        "horses",
        ("random", "minimax:level=beginner", "minimax:level=amateur", "minimax", "mcts", "engine"),
        60,
        "0.05s",
    ),
    Plan("dominoes:variant=block", ("random", "cases", "tumbafichas:depth=4", "mcts", "engine"), 200, "0.02s"),
    Plan("dominoes", ("random", "cases", "tumbafichas:depth=4", "mcts", "engine"), 200, "0.02s"),
    Plan("kittens:rules=original", ("random", "v1", "v2", "dqn", "mcts", "engine"), 200, "0.02s"),
    Plan("kittens", ("random", "v1", "v2", "dqn", "mcts", "engine"), 200, "0.02s"),
    Plan("hex:size=7", HEX, 12),
    Plan("hex", HEX, 10),
    Plan("hex:size=13", HEX, 6),
)


def markdown(standings: Standings) -> str:
    """Ratings and crosstable, the strongest first; scores are those of the row against the column, in percent.

    Elo is the difference to the weakest agent, with the interval of that difference.
    """
    names = short_names(standings.ratings.agents)
    weakest = min(standings.ratings.agents, key=lambda agent: standings.ratings.agents[agent].elo)
    lines = [f"| | Elo above `{names[weakest]}` (95%) | " + " | ".join(f"`{name}`" for name in names.values()) + " |"]
    lines.append("|---|---:|" + "---:|" * len(names))
    for agent in standings.ratings.agents:
        cells = []
        for other in names:
            met = standings.crosstable[agent].get(other)
            cells.append("" if met is None else f"{100 * met.share:.1f}")
        above = standings.ratings.difference(agent, weakest)
        ends = "" if agent == weakest else f" ({show_elo(above.low)} to {show_elo(above.high)})"
        lines.append(f"| `{names[agent]}` | {show_elo(above.elo)}{ends} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def replaced(text: str, mark: str, table: str) -> str:
    """A document with another text between the two comments of this mark. Raises ValueError where they are missing."""
    pattern = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    found, count = pattern.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text, count=1)
    if not count:
        raise ValueError(f"docs/strength.md has no place for {mark}: <!-- {mark} --> … <!-- end -->")
    return found


def measure(plan: Plan, seed: int, workers: int) -> str:
    result = ludoteca.tournament(
        plan.game, plan.agents, matches=plan.matches, limit=plan.limit, seed=seed, store=STORE, workers=workers
    )  # fmt: skip
    standings = ludoteca.standings(result)
    summary = (
        f"{standings.matches} matches, {plan.matches} of every two, {plan.limit} an action, {datetime.date.today()}."
    )
    names = short_names(standings.ratings.agents)
    faults = [f"`{names[agent]}` {tally.total}" for agent, tally in standings.faults.items() if tally.total]
    if faults:
        summary += f" Lost by faults: {', '.join(faults)}."
    return f"{summary}\n\n{markdown(standings)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.crosstable", description="All agents against each other."
    )
    parser.add_argument("--game", choices=[plan.game for plan in PLANS], help="only this one")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    given = parser.parse_args()
    for plan in PLANS:
        if given.game in (None, plan.game):
            table = measure(plan, given.seed, given.workers)
            print(f"{plan.game}\n\n{table}\n", flush=True)
            DOCUMENT.write_text(replaced(DOCUMENT.read_text(), plan.game, table))


if __name__ == "__main__":
    main()
