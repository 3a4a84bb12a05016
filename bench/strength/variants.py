"""``python -m bench.strength.variants``: the engine against every other agent in every variant, into docs/strength.md.

Each cell is one opponent in one variant at one time an action, see `bench.strength.cells`. A pair is one observation:
matches on one deal are mostly split, so the interval of the pairs is much narrower than that of as many independent
matches. Cells that have enough matches are not played again, so the same command goes on after Ctrl-C:

    python -m bench.strength.variants --seconds 0.05 --only 'dominoes*'
    python -m bench.strength.variants --only kittens:rules=original --against mcts -n 1000
    python -m bench.strength.variants --merge other.json      adds the results of another machine, plays nothing
    python -m bench.strength.variants --write                 only writes the tables again
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from bench.strength.cells import Cell, Key, add_options, latest, missing, update
from bench.strength.document import write_table

RESULTS: Final = Path(__file__).parent / "results" / "variants.json"
SECONDS: Final = (0.05, 0.3, 1.0)
LOW: Final = 0.49
"""The lower end of the interval has to lie above this."""

DOMINOES: Final = ("mcts", "tumbafichas:depth=4", "cases", "naive", "random")
KITTENS: Final = ("mcts", "dqn", "v2", "v1", "naive", "random")
HORSES: Final = ("zero", "mcts", "minimax", "naive", "random")
HEX_WITHOUT_NETWORK: Final = ("mcts", "astar", "beam", "naive", "random")
HEX: Final = ("zero", "engine:network=none", *HEX_WITHOUT_NETWORK)
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "dominoes",
            "dominoes:start=seat",
            "dominoes:variant=block",
            "dominoes:variant=block,start=seat",
        ),
        ("mmd", *DOMINOES),
    ),
    **dict.fromkeys(
        (
            *(f"dominoes:pips={pips}" for pips in (3, 4, 5, 7, 8, 9)),
            *(f"dominoes:pips={pips},variant=block" for pips in (3, 4, 5, 7, 8, 9)),
        ),
        DOMINOES,
    ),
    **dict.fromkeys(("kittens", "kittens:rules=original"), ("mmd", *KITTENS)),
    **dict.fromkeys(
        (f"horses:size={size}{charge}" for size in range(5, 11) for charge in ("", ",charge=stuck")), HORSES
    ),
    **dict.fromkeys((f"hex:size={size}" for size in range(5, 20)), HEX),
    **dict.fromkeys(  # there the engine is engine:network=none itself
        (f"hex:size={size},layout={layout}" for layout in ("even-r", "odd-r") for size in (7, 11)), HEX_WITHOUT_NETWORK
    ),
}
"""The other agents of each variant."""


def table(cells: dict[Key, Cell]) -> str:
    """One table for each game, below a count of its cells: first the means. Rows that nobody played are left out."""
    parts = []
    for name in ("dominoes", "kittens", "horses", "hex"):
        wanted = [key for key in chosen([f"{name}*"], [], SECONDS) if key.game.partition(":")[0] == name]
        played = [cells[key] for key in wanted if key in cells]
        shown = sum(cell.interval[0] > LOW for cell in played)
        machines = sorted({cell.machine for cell in played})
        parts.append(
            f"`{name}`: {len(played)} of {len(wanted)} cells were played; in {shown} of them the lower end is above "
            f"{LOW:.0%}, in {len(played) - shown} this is not shown. Machine: {'; '.join(machines) or 'none'}."
        )
        lines = [
            "| variant | against | " + " | ".join(f"{seconds:g} s" for seconds in SECONDS) + " |",
            "|---|---|---|---|---|",
        ]
        for opponent in dict.fromkeys(key.opponent for key in wanted):
            each = [[cell for cell in played if (cell.opponent, cell.seconds) == (opponent, s)] for s in SECONDS]
            if any(each):
                lines.append(f"| mean of all variants | `{opponent}` | " + " | ".join(map(mean, each)) + " |")
        for game, opponent in dict.fromkeys((key.game, key.opponent) for key in wanted):
            texts = [str(cells.get(Key(game, opponent, seconds), "")) for seconds in SECONDS]
            if any(texts):
                lines.append(f"| `{game}` | `{opponent}` | " + " | ".join(texts) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def mean(cells: Sequence[Cell]) -> str:
    """The mean of cells, each counted once however many matches it has, with its interval and the matches.

    How far an end of the interval is from the mean comes from how far those of the cells are from their shares: the
    squares of these distances add up (the method of variance estimates recovery, by Zou and Donner).
    """
    shares = [(cell.share, *cell.interval) for cell in cells]
    if not shares:
        return ""
    middle = sum(share for share, _, _ in shares) / len(shares)
    low = middle - math.hypot(*(share - low for share, low, _ in shares)) / len(shares)
    high = middle + math.hypot(*(high - share for share, _, high in shares)) / len(shares)
    return f"{middle:.1%} ({100 * low:.1f}–{100 * high:.1f}), {sum(cell.matches for cell in cells)}"


def chosen(only: Iterable[str], against: Iterable[str], seconds: Iterable[float]) -> list[Key]:
    """The cells that were asked for; the shortest times first."""
    patterns = list(only) or ["*"]
    games = [game for game in VARIANTS if any(fnmatchcase(game, pattern) for pattern in patterns)]
    return [
        Key(game, opponent, each)
        for each in sorted(seconds)
        for game in games
        for opponent in VARIANTS[game]
        if not against or opponent in against
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.variants", description="The engine against every other agent in every variant."
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="GAME",
        help="a variant, or a pattern such as 'horses*'; may be repeated",
    )
    parser.add_argument(
        "--against", action="append", default=[], metavar="AGENT", help="only this opponent; may be repeated"
    )
    parser.add_argument("--seconds", type=float, action="append", choices=SECONDS, help="only this time an action")
    parser.add_argument("-n", "--matches", type=int, default=200, help="of each cell, at least (200)")
    add_options(parser, RESULTS)
    given = parser.parse_args()
    keys = chosen(given.only, given.against, given.seconds or SECONDS)
    if not keys:
        parser.error(f"no cell is meant; the variants are {', '.join(VARIANTS)}")
    cells = update(given, lambda kept: missing(keys, given.matches, kept))
    if given.results == RESULTS:
        write_table("variants", table(latest(cells)))


if __name__ == "__main__":
    main()
