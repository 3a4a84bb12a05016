"""``python -m bench.strength.growth GAME AGENT --least N --doublings K``: how strength grows with the nodes searched.

The agent plays itself with twice the nodes, doubling after doubling: pairs on the same deal with sides swapped.
Prints a table and draws it, each doubling with its 95% interval, into docs/growth-GAME-AGENT.svg.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import ludoteca
from ludoteca.games.drawing import Drawing
from ludoteca.ratings.elo import show_elo

FOLDER = Path(__file__).parents[2] / "docs"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560.0, 320.0, 60.0, 40.0, 30.0


@dataclass(frozen=True)
class Doubling:
    """What twice the nodes are worth."""

    nodes: int
    """Of the stronger one."""
    elo: float
    low: float
    high: float
    matches: int


def measure(game: str, agent: str, nodes: int, matches: int, seed: int) -> Doubling:
    """`nodes` against half of them."""
    more, fewer = (f"bench.strength.weakened.Slowed:agent={agent},nodes={each}" for each in (nodes, nodes // 2))
    admission = ludoteca.Admission(trusted=("bench.strength.weakened.Slowed",))
    result = ludoteca.series(game, more, fewer, matches, limit="60s", seed=seed, store=":memory:", admission=admission)
    if result.faults[0].total + result.faults[1].total:
        raise SystemExit(f"an agent of ours committed a fault: {result.faults}")
    gain = result.difference
    return Doubling(nodes, gain.elo, gain.low, gain.high, result.count)


def picture(doublings: list[Doubling], title: str) -> str:
    """The gain of every doubling, from left to right."""
    sheet = Drawing(WIDTH, HEIGHT, title)
    low = min(0.0, *(each.low for each in doublings))
    high = max(each.high for each in doublings)

    def y(elo: float) -> float:
        return HEIGHT - BOTTOM - (elo - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    sheet.text(LEFT, TOP - 12, title)
    for tick in range(int(low // 100) * 100, int(high // 100 + 1) * 100, 100):
        if low <= tick <= high:
            sheet.line(LEFT, y(tick), WIDTH - 10, y(tick), "#cccccc")
            sheet.text(8, y(tick) + 4, show_elo(tick))
    step = (WIDTH - LEFT - 20) / len(doublings)
    for place, each in enumerate(doublings):
        x = LEFT + (place + 0.5) * step
        sheet.line(x, y(each.low), x, y(each.high), width=2)
        sheet.dot(x, y(each.elo), 4, "#2a6fdb")
        sheet.text(x - 18, HEIGHT - 18, f"{each.nodes:,}")
    return sheet.svg()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.growth", description="What are twice the nodes worth?"
    )
    parser.add_argument("game")
    parser.add_argument("agent", help="without options")
    parser.add_argument("--least", type=int, default=100, help="nodes of the weakest (100)")
    parser.add_argument("--doublings", type=int, default=6)
    parser.add_argument("-n", "--matches", type=int, default=100, help="of each doubling (100)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = []
    print("| nodes an action | gain over half of them, Elo (95%) | matches |\n|---:|---:|---:|")
    for number in range(1, given.doublings + 1):
        each = measure(given.game, given.agent, given.least * 2**number, given.matches, given.seed + number)
        found.append(each)
        ends = f"{show_elo(each.low)} to {show_elo(each.high)}"
        print(f"| {each.nodes:,} | {show_elo(each.elo)} ({ends}) | {each.matches} |", flush=True)
    title = f"{given.game}, {given.agent}: Elo gained by doubling the nodes"
    name = f"growth-{ludoteca.game(given.game).name}-{given.agent}.svg"
    (FOLDER / name).write_text(picture(found, title))


if __name__ == "__main__":
    main()
