"""The standings: everything that a tournament's matches say about its agents, in one place.

Who beat whom, how strong each is, what went wrong, and how much time each one took; as values, as rows for pandas or
Polars, as text for a terminal and as HTML for a notebook.
"""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from ludoteca.errors import InvalidGame
from ludoteca.games import game
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Game, Seat
from ludoteca.ratings.bradley_terry import Ratings, count, rate_counts
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.tables import Table, duration, percent, tint

__all__ = ["Score", "Standings", "TimeUse"]

FAULTS = [ending for ending in Ending if ending is not Ending.finished]


@dataclass(frozen=True)
class Score:
    """Results from one agent's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """Matches played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, a half for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The share of the points, a half where nothing was played."""
        return self.points / self.matches if self.matches else 0.5

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class TimeUse:
    """The time that an agent took over all its actions, by the referee's clock, in seconds."""

    actions: int = 0
    """How many actions were timed."""
    total: float = 0.0
    max: float = 0.0
    """The longest that it took over one action."""

    @property
    def mean(self) -> float:
        """Seconds for an action; 0 where there was none."""
        return self.total / self.actions if self.actions else 0.0


@dataclass(frozen=True)
class Standings:
    """What a set of matches says about those who played them, the strongest first.

    >>> won = Record("horses", 1, ("ada", "bob"), "", (), returns=(1.0, -1.0))
    >>> drawn = Record("horses", 1, ("bob", "ada"), "", (), returns=(0.0, 0.0))
    >>> standings = Standings.of([won, drawn])
    >>> standings.crosstable["ada"]["bob"]
    Score(wins=1, draws=1, losses=0)
    >>> [row["agent"] for row in standings.table()]
    ['ada', 'bob']
    """

    ratings: Ratings
    crosstable: dict[str, dict[str, Score]]
    """``crosstable[a][b]`` is how a fared against b, in both seats together; only those who met are there."""
    faults: dict[str, dict[Ending, int]]
    """For each agent the matches that it lost by a fault, by the kind of fault; only what happened is there."""
    times: dict[str, TimeUse]

    @classmethod
    def of(cls, records: Iterable[Record], *, anchor: str | None = None) -> Standings:
        """The standings after these matches, which should all be of one game.

        anchor: the agent whose rating is 0, as in `ratings.rate`. Raises InvalidOption.
        """
        faults: dict[str, Counter[Ending]] = {}
        times: dict[str, list[float]] = {}

        def looked_at() -> Iterator[Record]:
            for record in records:
                if record.fault is not None:
                    faults.setdefault(record.agents[record.fault], Counter())[record.ending] += 1
                if record.seconds:
                    _add_times(times, record)
                yield record

        counts = count(looked_at())  # one pass, so that records may come from a store and need not fit into memory
        ratings = rate_counts(counts, anchor=anchor)
        return cls(
            ratings,
            _crosstable(ratings.agents, counts),
            {name: dict(faults.get(name, Counter()).most_common()) for name in ratings.agents},
            {
                name: TimeUse(int(times[name][0]), times[name][1], times[name][2]) if name in times else TimeUse()
                for name in ratings.agents
            },
        )

    @property
    def agents(self) -> list[str]:
        """All agents, the strongest first."""
        return list(self.ratings.agents)

    def score(self, agent: str) -> Score:
        """How this agent fared against all others together."""
        return sum(self.crosstable[agent].values(), Score())

    def table(self) -> list[dict[str, Any]]:
        """One row per agent with plain values: ``pandas.DataFrame(standings.table())``."""
        rows = []
        for row in self.ratings.table():
            name = row["agent"]
            score, time = self.score(name), self.times[name]
            rows.append(
                row
                | {"wins": score.wins, "draws": score.draws, "losses": score.losses}
                | {"faults": sum(self.faults[name].values())}
                | {fault.value: self.faults[name].get(fault, 0) for fault in FAULTS}
                | {"actions": time.actions, "mean_seconds": time.mean if time.actions else None}
                | {"max_seconds": time.max if time.actions else None, "total_seconds": time.total}
            )
        return rows

    def text(self, width: int = 100) -> str:
        """The standings for a terminal so many characters wide."""
        paper = io.StringIO()
        Console(file=paper, width=width, color_system=None, emoji=False).print(self)
        return "\n".join(line.rstrip() for line in paper.getvalue().splitlines())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lets Rich print it: the table, the crosstable where it fits, and what there is to know about the numbers."""
        yield from self._renderables(options.max_width)

    def _renderables(self, width: int) -> Iterator[RenderableType]:
        if not self.agents:
            yield Text("No matches yet.")
            return
        yield self._ranking().rich()
        yield ""
        cross = self._cross()
        if cross.width <= width:
            yield cross.rich()
        else:
            yield Text(f"The crosstable of {len(self.agents)} agents needs {cross.width} columns; there are {width}.")
        yield ""
        for note in self._notes():
            yield Text(note)

    def _repr_html_(self) -> str:
        """For a notebook."""
        if not self.agents:
            return "<p>No matches yet.</p>"
        notes = "".join(f"<p>{note}</p>" for note in self._notes())
        return f"{self._ranking().html()}{self._cross().html()}{notes}"

    def _ranking(self) -> Table:
        several = len(self.ratings.groups) > 1
        headings = ["#", "Agent", "Elo", "95% interval", "Matches", "W–D–L", "Score", "Per action", "Longest",
                    *(["Group"] if several else []), "Faults"]  # fmt: skip
        rows = []
        for place, (name, rating) in enumerate(self.ratings.agents.items(), start=1):
            score, time = self.score(name), self.times[name]
            rows.append([
                str(place), name, show_elo(rating.elo), f"{show_elo(rating.low)} … {show_elo(rating.high)}",
                str(score.matches), f"{score.wins}–{score.draws}–{score.losses}", percent(score.share),
                duration(time.mean) if time.actions else "", duration(time.max) if time.actions else "",
                *([str(rating.group + 1)] if several else []),
                ", ".join(f"{number} {fault.value}" for fault, number in self.faults[name].items()),
            ])  # fmt: skip
        return Table("Standings", headings, rows, words=frozenset({"Agent", "Faults"}))

    def _cross(self) -> Table:
        names = self.agents
        rows, shades = [], {}
        for y, name in enumerate(names):
            row = [str(y + 1), name]
            for x, other in enumerate(names):
                score = self.crosstable[name].get(other)
                row.append("" if score is None else percent(score.share))
                if score is not None:
                    shades[y, x + 2] = tint(score.share)
            rows.append(row)
        places = [str(place) for place in range(1, len(names) + 1)]
        return Table("Points against", ["#", "Agent", *places], rows, words=frozenset({"Agent"}), shades=shades)

    def _notes(self) -> list[str]:
        ratings = self.ratings
        notes = [f"Elo 0 is {ratings.zero}. The first seat is worth {ratings.first_seat} Elo."]
        if ratings.draw:
            notes[0] += f" Equals draw {percent(ratings.draw_rate)} of their matches."
        if any(math.isinf(rating.margin) for rating in ratings.agents.values()):
            notes.append("∞: won or lost everything against the rest, so the results set no limit on that side.")
        if len(ratings.groups) > 1:
            notes.append("Agents of different groups never met, not even through others: do not compare their ratings.")
        return notes


def _crosstable(
    names: Iterable[str], counts: Mapping[tuple[str, str], tuple[int, int, int]]
) -> dict[str, dict[str, Score]]:
    table: dict[str, dict[str, Score]] = {name: {} for name in names}
    for (first, second), (won, drawn, lost) in counts.items():
        for one, other, score in ((first, second, Score(won, drawn, lost)), (second, first, Score(lost, drawn, won))):
            table[one][other] = table[one].get(other, Score()) + score
    return {name: {other: row[other] for other in table if other in row} for name, row in table.items()}


def _add_times(times: dict[str, list[float]], record: Record) -> None:
    """Adds to each agent's count of actions, total and longest time.

    A record does not say whose turn an action was, and turns need not alternate: so the match is replayed.
    """
    rules = _rules(record.game)
    if rules is None:
        return
    state = rules.deal(record.seed)
    spent: dict[Seat | None, list[float]] = {0: [], 1: []}
    for action, seconds in zip(record.actions, record.seconds, strict=False):
        seat = state.turn
        state.apply(action)
        spent[seat].append(seconds)
    for agent, own in zip(record.agents, (spent[0], spent[1]), strict=True):
        if own:
            sums = times.setdefault(agent, [0, 0.0, 0.0])
            sums[:] = sums[0] + len(own), sums[1] + sum(own), max(sums[2], *own)


@lru_cache(maxsize=64)
def _rules(spec: str) -> Game | None:
    """The game, or None where it is not installed: standings without times are better than none."""
    try:
        return game(spec)
    except InvalidGame:
        return None
