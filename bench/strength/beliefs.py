"""``python -m bench.strength.beliefs [--write]``: how often the other holds what the adviser gives a chance to.

Matches are played out, and at each decision the belief of the seat on turn is compared with the other's true hand. A
cell has all statements "it holds this" with a chance in a band: the mean of the chances, and how often it was true,
with a standard error over matches, for the statements of one match depend on each other. A second table compares the
scores in Kittens with those of plain counting, where the other's choices are no evidence. ``--write`` puts both tables
into docs/adviser.md.
"""

from __future__ import annotations

import argparse
import bisect
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ludoteca
from bench.strength.document import replaced
from bench.strength.opponents import AGENTS
from ludoteca.games.observed import observer_of
from ludoteca.protocols import Agent, Limit

DOCUMENT = Path(__file__).parents[2] / "docs" / "adviser.md"
BANDS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""The bounds between the bands of chances that are neither 0 nor 1."""
LAST = len(BANDS) + 2
"""The place of a chance of 1."""


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
    *(
        Meeting(game, agent, 400 if nodes else 1000, nodes)
        for game in ("kittens", "kittens:rules=original")
        for agent, nodes in AGENTS.items()
    ),
    Meeting("kittens", "engine:level=3", 200),
    Meeting("kittens", "v1:variant=program", 200),
    Meeting("kittens:deck=rich", "engine", 200, 100),
    Meeting("kittens:deck=rich", "v2", 200),
)
"""Those of Kittens beyond `AGENTS` and its decks are what no policy of the adviser was fitted to."""
FIRST_SEED = 2_000_000
"""No policy was fitted or chosen on these deals."""
LEAST_STATEMENTS = 100
"""A band with fewer is left out of the table."""


class Statement(NamedTuple):
    """That the other holds a tile or a kind of card."""

    chance: float
    held: bool
    counted: float
    """The chance if the other's choices are no evidence."""


class Row(NamedTuple):
    """The statements of one band."""

    name: str
    statements: int
    claimed: float
    true: float
    error: float
    """The standard error of `true`."""


def statements(meeting: Meeting, seed: int) -> list[Statement]:
    """The statements of one match."""
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
            if game.name == "kittens":
                found.append(Statement(each.chance, hand[each.item] > 0, 1 - view.held_chances(each.item)[0]))
            else:
                found.append(Statement(each.chance, each.item in hand, each.chance))
        decided = players[state.turn].act(view, limit)
        state.apply(decided if isinstance(decided, int) else decided.action)
    return found


def played(meeting: Meeting) -> list[list[Statement]]:
    """The statements of each match."""
    return [statements(meeting, FIRST_SEED + number) for number in range(meeting.matches)]


def reliability(matches: Sequence[Sequence[Statement]]) -> list[Row]:
    """The certain statements first and last, and the bands between."""
    names = ["0%", *(_band(place) for place in range(len(BANDS) + 1)), "100%"]
    rows = []
    for place, name in enumerate(names):
        each = [[one for one in match if _place(one.chance) == place] for match in matches]
        flat = [one for match in each for one in match]
        if not flat:
            continue
        share = sum(one.held for one in flat) / len(flat)
        # The ratio estimator of a share over clusters of unequal size.
        spread = sum((sum(one.held for one in match) - share * len(match)) ** 2 for match in each)
        rows.append(Row(name, len(flat), sum(one.chance for one in flat) / len(flat), share, spread**0.5 / len(flat)))
    return rows


class Score(NamedTuple):
    """Mean scores of the statements that counting leaves open; smaller is better."""

    counted: float
    found: float
    error: float
    """The standard error of the difference, over matches."""


def scores(matches: Sequence[Sequence[Statement]]) -> tuple[Score, Score]:
    """The Brier score and the logarithmic score (the mean of -log of the chance given to what is true)."""
    brier = _score(matches, lambda chance, held: (chance - held) ** 2)
    return brier, _score(matches, lambda chance, held: -math.log(chance if held else 1 - chance))


def _score(matches: Sequence[Sequence[Statement]], loss: Callable[[float, bool], float]) -> Score:
    pairs = [
        [(loss(one.counted, one.held), loss(one.chance, one.held)) for one in match if 0 < _place(one.counted) < LAST]
        for match in matches
    ]
    total = sum(map(len, pairs))
    counted, found = (sum(pair[side] for match in pairs for pair in match) / total for side in (0, 1))
    spread = sum(sum(b - a - (found - counted) for a, b in match) ** 2 for match in pairs)
    return Score(counted, found, spread**0.5 / total)


def _place(chance: float) -> int:
    if chance <= 1e-9:
        return 0
    if chance >= 1 - 1e-9:
        return LAST
    return 1 + bisect.bisect(BANDS, chance)


def _band(place: int) -> str:
    ends = [0.0, *BANDS, 1.0]
    return f"{ends[place]:.0%}–{ends[place + 1]:.0%}"


def tables(meetings: Sequence[Meeting]) -> str:
    """Both tables in Markdown."""
    bands = [_band(place) for place in range(len(BANDS) + 1)]
    lines = [_line(["game", "players", "matches", "certain, wrong", *bands]), _line(["---"] * (4 + len(bands)))]
    compared = [_line(["game", "players", "Brier score, counted", "now", "log score, counted", "now"]),
                _line(["---"] * 6)]  # fmt: skip
    for meeting in meetings:
        who = meeting.agent if meeting.nodes is None else f"{meeting.agent}, {meeting.nodes} nodes"
        matches = played(meeting)
        rows = {row.name: row for row in reliability(matches)}
        certain = [rows[name] for name in ("0%", "100%") if name in rows]
        wrong = round(sum(abs(row.true - row.claimed) * row.statements for row in certain))
        head = [f"`{meeting.game}`", who]
        right = f"{wrong} of {sum(row.statements for row in certain):,}"
        lines.append(_line([*head, f"{meeting.matches:,}", right, *(_cell(rows.get(name)) for name in bands)]))
        print(lines[-1], flush=True)
        if meeting.game.startswith("kittens"):
            found = [
                text
                for each in scores(matches)
                for text in (f"{each.counted:.4f}", f"{each.found:.4f} ± {each.error:.4f}")
            ]
            compared.append(_line([*head, *found]))
            print(compared[-1], flush=True)
    return "\n".join([*lines, "", *compared])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(row: Row | None) -> str:
    if row is None or row.statements < LEAST_STATEMENTS:
        return ""
    return f"{100 * row.claimed:.1f} → {100 * row.true:.1f} ± {100 * row.error:.1f}"


def main() -> None:
    """Measure, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.beliefs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/adviser.md")
    arguments = parser.parse_args()
    found = tables(MEETINGS)
    if arguments.write:
        DOCUMENT.write_text(replaced(DOCUMENT.read_text(encoding="utf-8"), "beliefs", found), encoding="utf-8")


if __name__ == "__main__":
    main()
