"""``python -m bench.strength.summary``: each agent against single opponents, the first table of docs/strength.md.

Plays what is missing of the rows below and writes the table, as `bench.strength.variants` does:

    python -m bench.strength.summary --minutes 20             all rows
    python -m bench.strength.summary --only 'kittens*' -n 100 fewer matches of each
    python -m bench.strength.summary --write                  only writes the table again
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from bench.strength.cells import Cell, Key, add_options, latest, missing, update
from bench.strength.document import write_table

RESULTS: Final = Path(__file__).parent / "results" / "summary.json"
BLOCK: Final = "dominoes:variant=block,start=seat"
CLASSICAL: Final = "engine:network=none"


class Row(NamedTuple):
    """A row of the table."""

    key: Key
    matches: int


ROWS: Final = (
    Row(Key("horses", "minimax", 1.0), 100),
    Row(Key(BLOCK, "random", 0), 4000),
    Row(Key(BLOCK, "naive", 0), 4000),
    Row(Key(BLOCK, "tumbafichas:depth=4", 0), 4000),
    Row(Key("dominoes", "mcts", 0, nodes=2000), 600),
    Row(Key("kittens", "dqn", 0), 2000),
    Row(Key("kittens", "v2", 0), 2000),
    Row(Key("kittens", "mcts", 0, nodes=2000), 400),
    Row(Key("hex", CLASSICAL, 1.0), 40),
    Row(Key("hex", "astar", 1.0), 40),
    Row(Key("hex", "beam", 1.0), 40),
    Row(Key("hex:size=13", CLASSICAL, 1.0), 20),
    Row(Key("hex", CLASSICAL, 0, "zero:simulations=1", 20_000), 40),
    Row(Key("hex", "astar", 1.0, CLASSICAL), 20),
    Row(Key("hex", "beam", 1.0, CLASSICAL), 20),
    Row(Key("hex", "mcts", 1.0, CLASSICAL), 20),
    Row(Key("hex", "astar", 0, "mcts:simulations=50000"), 40),
)


def shown_limit(key: Key) -> str:
    """The limit of an action in words."""
    if key.seconds:
        return f"{key.seconds:g} s"
    return f"{key.nodes:,} nodes" if key.nodes else "none"


def table(cells: dict[Key, Cell]) -> str:
    """The rows that were played."""
    lines = ["| game | agent | against | limit of an action | score (95%), matches |", "|---|---|---|---|---|"]
    for row in ROWS:
        key = row.key
        if key in cells:
            lines.append(f"| `{key.game}` | `{key.agent}` | `{key.opponent}` | {shown_limit(key)} | {cells[key]} |")
    machines = sorted({f"{cells[row.key].machine}, {cells[row.key].date}" for row in ROWS if row.key in cells})
    return "\n".join(lines) + f"\n\nMachine and date: {'; '.join(machines) or 'none'}."


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.summary", description="Each agent against single opponents."
    )
    parser.add_argument("--only", default="*", metavar="GAME", help="a game, or a pattern such as 'hex*'")
    parser.add_argument("-n", "--matches", type=int, help="of each row, at least (20 to 4,000, by row)")
    add_options(parser, RESULTS)
    given = parser.parse_args()
    rows = [row for row in ROWS if fnmatchcase(row.key.game, given.only)]
    if not rows:
        parser.error(f"no game is meant; the games are {', '.join(dict.fromkeys(row.key.game for row in ROWS))}")

    def wanted(kept: list[Cell]) -> list[tuple[Key, int]]:
        tasks = [task for row in rows for task in missing([row.key], given.matches or row.matches, kept)]
        return sorted(tasks, key=lambda task: task[1])

    found = table(latest(update(given, wanted)))
    print(found)
    if given.results == RESULTS:
        write_table("rows", found)


if __name__ == "__main__":
    main()
