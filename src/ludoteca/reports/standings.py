"""The standings of a tournament: ratings, crosstable, faults and times.

They come as values, as rows for pandas or Polars, as text for a terminal and as HTML for a notebook.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from ludoteca.agents.identity import Identity, short_names
from ludoteca.arena.results import pairs_of
from ludoteca.catalogues import Language
from ludoteca.messages import joined, say, say_count, translate
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending, FaultTally
from ludoteca.ratings.bradley_terry import Ratings, count_seats, rate
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.pairs import Score
from ludoteca.ratings.returns import MeanReturn
from ludoteca.reports.fault_summary import fault_lines
from ludoteca.reports.ratings_table import AGENT, ELO, INTERVAL, MATCHES, NUMBER, SCORE, ratings_chart, zero_of
from ludoteca.reports.text_table import TextTable, duration, percent, tint

FAULTS = [ending for ending in Ending if ending.is_fault]


@dataclass(frozen=True)
class TimeUse:
    """The time that an agent used, by the referee's clock, in seconds."""

    actions: int = 0
    """How many actions were timed."""
    total: float = 0.0
    max: float = 0.0
    """The longest time for one action."""

    @property
    def mean(self) -> float:
        """Mean seconds per action; 0 without actions."""
        return self.total / self.actions if self.actions else 0.0


@dataclass(frozen=True)
class Standings:
    """The standings of the agents that played some matches, the strongest first. Pairs of equal matches count once.

    >>> from ludoteca.play.record import Who
    >>> ada, bob = Identity("ada"), Identity("bob")
    >>> won = Record("horses", 1, (Who(ada), Who(bob)), returns=(1.0, -1.0))
    >>> drawn = Record("horses", 1, (Who(bob), Who(ada)), returns=(0.0, 0.0))
    >>> standings = Standings.of([won, drawn])
    >>> standings.crosstable[ada][bob]
    Score(wins=1, draws=1, losses=0)
    >>> [row["agent"] for row in standings.table()]
    ['ada', 'bob']
    """

    ratings: Ratings[Identity]
    crosstable: dict[Identity, dict[Identity, Score]]
    """``crosstable[a][b]`` is the score of a against b in both seats; it has no entry if they did not meet."""
    faults: dict[Identity, FaultTally]
    """By agent the matches that it lost by a fault."""
    times: dict[Identity, TimeUse]
    matches: int
    """How many were played, including equal ones."""
    distinct: int
    """How many different ones."""
    mean_returns: Mapping[Identity, MeanReturn] = field(default_factory=dict)
    """By agent the mean return per match, in the game's amounts; empty in a game without stakes."""

    @classmethod
    def of(cls, records: Iterable[Record], *, anchor: Identity | None = None) -> Standings:
        """The standings after these matches, all of one game and in the order of their run.

        anchor: the agent whose rating is 0; see `rate`. Raises InvalidOption.
        """
        faults: dict[Identity, FaultTally] = {}
        times: dict[Identity, list[float]] = {}

        stake: float | None = None

        def counted() -> Iterator[Record]:
            nonlocal stake
            for number, record in enumerate(records):
                if not number:
                    stake = Conditions(record.game).stake
                if record.fault is not None:
                    faults.setdefault(record.agents[record.fault], FaultTally()).add(record.ending, record.message)
                _add_times(times, record)
                yield record

        played = pairs_of(counted())  # one pass: the records of a store need not fit into memory
        pairs = played.pairs()
        ratings = rate(pairs, anchors=() if anchor is None else [anchor])
        return cls(
            ratings,
            _crosstable(ratings.agents, count_seats(pairs)),
            {name: faults.get(name, FaultTally()) for name in ratings.agents},
            {
                name: TimeUse(int(times[name][0]), times[name][1], times[name][2]) if name in times else TimeUse()
                for name in ratings.agents
            },
            played.matches,
            played.distinct,
            {} if stake is None else {name: played.returns_of(name).estimate.scaled(stake) for name in ratings.agents},
        )

    @property
    def agents(self) -> list[Identity]:
        """All agents, the strongest first: by their mean returns in a game with stakes, else by their ratings."""
        found, means = list(self.ratings.agents), self.mean_returns
        return sorted(found, key=lambda agent: -means[agent].mean) if means else found

    def score(self, agent: Identity) -> Score:
        """The score of an agent against all others together."""
        return sum(self.crosstable[agent].values(), Score())

    def table(self) -> list[dict[str, Any]]:
        """One row per agent with plain values: ``pandas.DataFrame(standings.table())``."""
        rows, names = [], short_names(self.agents)
        known = dict(zip(self.ratings.agents, self.ratings.table(), strict=True))
        for name in self.agents:
            row, mean = known[name], self.mean_returns.get(name)
            score, time, faults = self.score(name), self.times[name], self.faults[name]
            rows.append(
                ({} if mean is None else mean.columns())
                | row
                | {"agent": names[name]}
                | {"wins": score.wins, "draws": score.draws, "losses": score.losses}
                | {"faults": faults.total}
                | {fault.value: faults.counts.get(fault, 0) for fault in FAULTS}
                | {"actions": time.actions, "mean_seconds": time.mean if time.actions else None}
                | {"max_seconds": time.max if time.actions else None, "total_seconds": time.total}
                | {"identity": str(name)}
            )
        return rows

    def text(self, width: int = 100, language: Language = "en") -> str:
        """The standings as text for a terminal of this width."""
        paper = io.StringIO()
        console = Console(file=paper, width=width, color_system=None, emoji=False)
        for part in self.renderables(width, language):
            console.print(part)
        return "\n".join(line.rstrip() for line in paper.getvalue().splitlines())

    def __repr__(self) -> str:
        return f"<Standings of {len(self.agents)} agents after {self.matches} matches>"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lets Rich print it in English."""
        yield from self.renderables(options.max_width)

    def renderables(self, width: int, language: Language = "en") -> Iterator[RenderableType]:
        """For Rich: the table, the crosstable, and notes on the numbers."""
        if not self.agents:
            yield Text(translate(NOTHING, language))
            return
        yield self._ranking().rich(width, language)
        yield ""
        yield self._cross().rich(width, language)
        yield ""
        for note in self.notes():
            yield Text(translate(note, language))

    def _repr_html_(self) -> str:
        """For a notebook."""
        if not self.agents:
            return f"<p>{NOTHING}</p>"
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        return f"{self._ranking().html()}{ratings_chart(self.ratings).svg()}{self._cross().html()}{notes}"

    def _ranking(self) -> TextTable:
        several, faulty = len(self.ratings.groups) > 1, any(tally.total for tally in self.faults.values())
        headings = [
            NUMBER, AGENT, *([RETURN] if self.mean_returns else []),
            ELO, INTERVAL, MATCHES, say("W–D–L"), SCORE, say("Per action"), say("Longest"),
            *([say("Group")] if several else []), *([say("Faults")] if faulty else []),
        ]  # fmt: skip
        rows, names = [], short_names(self.agents)
        for place, name in enumerate(self.agents, start=1):
            rating, score, time = self.ratings.agents[name], self.score(name), self.times[name]
            rows.append([
                str(place), names[name], *([str(self.mean_returns[name])] if self.mean_returns else []),
                show_elo(rating.elo), rating.ends,
                str(score.matches), f"{score.wins}–{score.draws}–{score.losses}", percent(score.share),
                duration(time.mean) if time.actions else "", duration(time.max) if time.actions else "",
                *([str(rating.group + 1)] if several else []), *([str(self.faults[name].total)] if faulty else []),
            ])  # fmt: skip
        return TextTable(say("Standings"), headings, rows, words=frozenset({"Agent"}))

    def _cross(self) -> TextTable:
        names, shown = self.agents, short_names(self.agents)
        rows, shades = [], {}
        for y, name in enumerate(names):
            row = [str(y + 1), shown[name]]
            for x, other in enumerate(names):
                score = self.crosstable[name].get(other)
                row.append("" if score is None else percent(score.share))
                if score is not None:
                    shades[y, x + 2] = tint(score.share)
            rows.append(row)
        places = [str(place) for place in range(1, len(names) + 1)]
        return TextTable(
            say("Points against"), [NUMBER, AGENT, *places], rows, words=frozenset({"Agent"}), shades=shades
        )

    def notes(self) -> list[str]:
        """Notes on the numbers, sentence by sentence, and at the end the agents' faults."""
        ratings, shown = self.ratings, short_names(self.agents)
        first = [
            say(
                "Elo 0 is {zero}. The first seat is worth {worth} Elo.",
                zero=zero_of(ratings, shown), worth=str(ratings.first_seat),
            )
        ]  # fmt: skip
        if self.mean_returns:
            first.insert(0, say("The mean return per match comes first: this game is played for amounts."))
        if ratings.draw:
            first.append(say("Equally strong agents draw {share} of their matches.", share=percent(ratings.draw_rate)))
        notes: list[str] = [joined([distinct_note(self.matches, self.distinct), "."], ""), joined(first, " ")]
        if any(math.isinf(rating.margin) for rating in ratings.agents.values()):
            notes.append(say("∞: won or lost everything against the rest, so the interval is open on that side."))
        if len(ratings.groups) > 1:
            notes.append(say("No matches link agents of different groups, so their ratings cannot be compared."))
        return [*notes, *fault_lines((shown[name], tally) for name, tally in self.faults.items())]


NOTHING = say("No matches yet.")
RETURN = say("Return (95%)")


def distinct_note(matches: int, distinct: int) -> str:
    """How many matches there were, and how many different ones.

    >>> distinct_note(200, 12)
    '200 matches, 12 distinct: equal ones count once'
    """
    if distinct >= matches > 1:
        return say("{matches} matches, all distinct", matches=matches)
    if distinct >= matches:
        return say_count("{count} match", "{count} matches", matches)
    return say_count(
        "{count} match, {distinct} distinct: equal ones count once",
        "{count} matches, {distinct} distinct: equal ones count once",
        matches,
        distinct=distinct,
    )


def _crosstable(
    names: Iterable[Identity], counts: Mapping[tuple[Identity, Identity], tuple[int, int, int]]
) -> dict[Identity, dict[Identity, Score]]:
    table: dict[Identity, dict[Identity, Score]] = {name: {} for name in names}
    for (first, second), (won, drawn, lost) in counts.items():
        for one, other, score in ((first, second, Score(won, drawn, lost)), (second, first, Score(lost, drawn, won))):
            table[one][other] = table[one].get(other, Score()) + score
    return {name: {other: row[other] for other in table if other in row} for name, row in table.items()}


def _add_times(times: dict[Identity, list[float]], record: Record) -> None:
    """Add to each agent's number of actions, total and longest time; actions of the opening do not count."""
    spent: tuple[list[float], list[float]] = ([], [])
    for seat, seconds in zip(record.movers[record.opening :], record.seconds[record.opening :], strict=False):
        spent[seat].append(seconds)
    for agent, own in zip(record.agents, spent, strict=True):
        if own:
            sums = times.setdefault(agent, [0, 0.0, 0.0])
            sums[:] = sums[0] + len(own), sums[1] + sum(own), max(sums[2], *own)
