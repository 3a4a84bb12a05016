"""What a series or a tournament comes to, as values that print, draw and turn into data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ludoteca.arena.runs import Progress
from ludoteca.arena.series import SeriesPlan, SeriesTally
from ludoteca.arena.tournament import TournamentPlan, TournamentTally
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from ludoteca.ratings.bradley_terry import Ratings, rate_counts
from ludoteca.ratings.elo import Estimate, elo_difference
from ludoteca.ratings.sprt import Verdict
from ludoteca.reports.standings import Standings

__all__ = ["SeriesResult", "TournamentResult", "html_table", "result_of"]


@dataclass(frozen=True)
class SeriesResult:
    """A series between two agents, as the first of them sees it."""

    game: str
    agents: tuple[str, str]
    limit: str
    seed: int | None
    """The explicit one of an experiment; None where deals came from a random secret."""
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]
    """Pairs of matches on one deal, by what the first agent scored in both: 0, ½, 1, 1½ and 2 points."""
    faults: tuple[Mapping[Ending, int], Mapping[Ending, int]]
    """Per agent, by kind."""
    verdict: Verdict | None
    """What the sequential test says, if there was one."""
    complete: bool
    """Whether all that was asked for is played."""
    run: int
    """The run's number in the store."""
    records: Sequence[Record] = field(repr=False)

    @property
    def count(self) -> int:
        """Matches played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first agent's share of the points."""
        return (self.wins + self.draws / 2) / self.count if self.count else 0.5

    @property
    def difference(self) -> Estimate:
        """How much stronger the first agent is, in Elo, from the pairs."""
        return elo_difference(self.pairs)

    def table(self) -> list[dict[str, Any]]:
        """A row per agent, ready for pandas or Polars."""
        rows = []
        for seat, (wins, losses) in enumerate([(self.wins, self.losses), (self.losses, self.wins)]):
            sign, estimate = 1 - 2 * seat, self.difference
            rows.append(
                {
                    "agent": self.agents[seat],
                    "wins": wins,
                    "draws": self.draws,
                    "losses": losses,
                    "faults": sum(self.faults[seat].values()),
                    "score": self.score if seat == 0 else 1 - self.score,
                    "elo": sign * estimate.elo,
                    "low": estimate.low if seat == 0 else -estimate.high,
                    "high": estimate.high if seat == 0 else -estimate.low,
                    "superiority": estimate.superiority if seat == 0 else 1 - estimate.superiority,
                }
            )
        return rows

    def __str__(self) -> str:
        first, second = self.agents
        test = f"; SPRT {self.verdict}" if self.verdict else ""
        return (
            f"{first} against {second} in {self.game}: +{self.wins} ={self.draws} -{self.losses}, "
            f"Elo {self.difference}{test}"
        )

    def _repr_html_(self) -> str:
        return html_table(self.table(), str(self))


@dataclass(frozen=True)
class TournamentResult:
    """A tournament: its ranking by points, its ratings, and everything else about it in `standings`."""

    game: str
    agents: tuple[str, ...]
    format: str
    limit: str
    seed: int | None
    """The explicit one of an experiment; None where deals came from a random secret."""
    ranking: tuple[str, ...]
    points: Mapping[str, float]
    counts: Mapping[tuple[str, str], tuple[int, int, int]] = field(repr=False)
    """By the agents in seats 0 and 1: matches that seat 0 won, drew and lost."""
    complete: bool
    run: int
    records: Sequence[Record] = field(repr=False)

    @cached_property
    def ratings(self) -> Ratings:
        """How strong each agent is, in Elo."""
        return rate_counts(self.counts)

    @cached_property
    def standings(self) -> Standings:
        """Crosstable, faults and time use, from all the records."""
        return Standings.of(self.records)

    def table(self) -> list[dict[str, Any]]:
        """A row per agent from first to last, ready for pandas or Polars."""
        known = {row["agent"]: row for row in self.standings.table()}
        return [
            {"place": place, "agent": agent, "points": self.points[agent]} | known.get(agent, {})
            for place, agent in enumerate(self.ranking, start=1)
        ]

    def __str__(self) -> str:
        done = "" if self.complete else " so far"
        return f"{self.format} of {len(self.agents)} in {self.game}{done}: " + ", ".join(self.ranking)

    def _repr_html_(self) -> str:
        places = [{name: row[name] for name in ("place", "agent", "points")} for row in self.table()]
        return html_table(places, str(self)) + self.standings._repr_html_()


def html_table(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
    """Rows of equal keys as an HTML table."""
    heads = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


class _Stored(Sequence[Record]):
    """The records of a run, read when they are asked for: a long run's need not all be in memory."""

    def __init__(self, path: Path | str, run: int, count: int) -> None:
        self._path, self._run, self._count = path, run, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Any:
        with Store(self._path) as store:
            yield from store.records(self._run, self._count)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(f"record {index} of {self._count}")
        with Store(self._path) as store:
            return store.record(self._run, place)


def result_of(store: Store, progress: Progress) -> SeriesResult | TournamentResult:
    """What a run comes to as it stands."""
    run = progress.run.id
    if str(store.path) == ":memory:":
        records: Sequence[Record] = list(store.records(run, progress.counted))
    else:
        records = _Stored(store.path, run, progress.counted)
    plan, tally = progress.plan, progress.tally
    if isinstance(plan, SeriesPlan):
        assert isinstance(tally, SeriesTally)
        return SeriesResult(
            game=plan.conditions.game, agents=plan.agents, limit=plan.conditions.limit, seed=plan.seed,
            wins=tally.wins, draws=tally.draws, losses=tally.losses, pairs=tuple(tally.pairs), faults=tally.faults,
            verdict=tally.verdict, complete=progress.complete, run=run, records=records,
        )  # fmt: skip
    assert isinstance(plan, TournamentPlan) and isinstance(tally, TournamentTally)
    return TournamentResult(
        game=plan.conditions.game, agents=plan.agents, format=plan.format, limit=plan.conditions.limit,
        seed=plan.seed, ranking=tuple(tally.ranking()),
        points={agent: tally.points[agent] + tally.rest.get(agent, 0.0) for agent in plan.agents},
        counts=tally.counts, complete=progress.complete, run=run, records=records,
    )  # fmt: skip
