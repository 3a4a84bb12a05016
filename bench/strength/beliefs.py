"""``python -m bench.strength.beliefs [--write]``: how often the other holds what the adviser gives a chance to.

Matches are played out, and at each decision the belief of the seat on turn is compared with the other's true hand. A
row has all statements "it holds this" with a chance in a band: the mean of the chances, and how often it was true, with
a standard error over matches, for the statements of one match depend on each other. ``--write`` puts the table into
docs/adviser.md.
"""

from __future__ import annotations

import argparse
import bisect
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ludoteca
from bench.strength.crosstable import replaced
from ludoteca.games.observed import observer_of
from ludoteca.protocols import Agent, Limit

DOCUMENT = Path(__file__).parents[2] / "docs" / "adviser.md"
BANDS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""The bounds between the bands of chances that are neither 0 nor 1."""


class Meeting(NamedTuple):
    """Players that play themselves, and how many matches."""

    game: str
    agent: str
    matches: int
    nodes: int | None = None


MEETINGS = (
    Meeting("dominoes", "random", 800),
    Meeting("dominoes:variant=block", "random", 800),
    Meeting("dominoes", "engine", 120, 100),
    Meeting("dominoes:variant=block", "engine", 120, 100),
    Meeting("kittens", "random", 800),
    Meeting("kittens", "v2", 800),
    Meeting("kittens", "engine", 60, 100),
)


class Row(NamedTuple):
    """The statements of one band."""

    name: str
    statements: int
    claimed: float
    true: float
    error: float
    """The standard error of `true`."""


def statements(meeting: Meeting, seed: int) -> list[tuple[float, bool]]:
    """The chances of one match, and whether each came true."""
    game = ludoteca.game(meeting.game)
    observer = observer_of(game)
    assert observer is not None
    rng = random.Random(seed)
    limit = Limit(nodes=meeting.nodes)
    players: list[Agent] = [ludoteca.agent(meeting.agent)(game, seat, 2 * seed + seat) for seat in (0, 1)]
    state: Any = game.deal(rng.getrandbits(60))
    found = []
    while state.turn is not None:
        view = state.view(state.turn)
        belief = observer.belief(view)
        assert belief is not None
        hand: Sequence[int] = state.view(1 - state.turn).hand
        for each in belief.holdings:
            held = each.item in hand if game.name == "dominoes" else hand[each.item] > 0
            found.append((each.chance, held))
        decided = players[state.turn].act(view, limit)
        state.apply(decided if isinstance(decided, int) else decided.action)
    return found


def reliability(meeting: Meeting, first_seed: int = 0) -> list[Row]:
    """The rows of a meeting: certain ones first, then the bands."""
    matches = [statements(meeting, first_seed + seed) for seed in range(meeting.matches)]
    names = ["0%", *(_band(place) for place in range(len(BANDS) + 1)), "100%"]
    rows = []
    for place, name in enumerate(names):
        each = [[one for one in match if _place(one[0]) == place] for match in matches]
        flat = [one for match in each for one in match]
        if not flat:
            continue
        share = sum(held for _, held in flat) / len(flat)
        # The ratio estimator of a share over clusters of unequal size.
        spread = sum((sum(held for _, held in match) - share * len(match)) ** 2 for match in each)
        rows.append(Row(name, len(flat), sum(chance for chance, _ in flat) / len(flat), share, spread**0.5 / len(flat)))
    return rows


def _place(chance: float) -> int:
    if chance <= 1e-9:
        return 0
    if chance >= 1 - 1e-9:
        return len(BANDS) + 2
    return 1 + bisect.bisect(BANDS, chance)


def _band(place: int) -> str:
    ends = [0.0, *BANDS, 1.0]
    return f"{ends[place]:.0%}–{ends[place + 1]:.0%}"


def table(meetings: Sequence[Meeting]) -> str:
    """The rows of all meetings in Markdown."""
    lines = ["| game | players | matches | chance | statements | mean chance | true |", "|---|---|---|---|---|---|---|"]
    for meeting in meetings:
        who = meeting.agent if meeting.nodes is None else f"{meeting.agent}, {meeting.nodes} nodes"
        for number, row in enumerate(reliability(meeting)):
            head = [f"`{meeting.game}`", who, f"{meeting.matches:,}"] if not number else ["", "", ""]
            cells = [*head, row.name, f"{row.statements:,}", f"{row.claimed:.1%}", f"{row.true:.1%} ± {row.error:.1%}"]
            lines.append(f"| {' | '.join(cells)} |")
            print(" ".join(cells), flush=True)
    return "\n".join(lines)


def main() -> None:
    """Measure, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.beliefs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/adviser.md")
    arguments = parser.parse_args()
    found = table(MEETINGS)
    if arguments.write:
        DOCUMENT.write_text(replaced(DOCUMENT.read_text(encoding="utf-8"), "beliefs", found), encoding="utf-8")


if __name__ == "__main__":
    main()
