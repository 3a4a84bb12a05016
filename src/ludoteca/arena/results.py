"""Results of series and tournaments: values that print, draw themselves and become data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ludoteca.agents.identity import Identity, short_names
from ludoteca.arena.runs import Progress
from ludoteca.arena.series import SeriesPlan, SeriesTally
from ludoteca.arena.tournament import TournamentPlan, TournamentTally
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.players.faults import FaultTally
from ludoteca.ratings.bradley_terry import Ratings, count_seats, rate
from ludoteca.ratings.chart import ChartRow, interval_chart
from ludoteca.ratings.elo import Estimate, elo_difference
from ludoteca.ratings.pairs import DistinctPairs, Pair, Result, Score
from ludoteca.ratings.returns import MeanReturn
from ludoteca.ratings.sprt import SprtVerdict


@dataclass(frozen=True)
class SeriesResult:
    """The result of a series, from the first agent's side. Pairs of equal matches count once."""

    game: str
    agents: tuple[Identity, Identity]
    limit: str
    seed: int | None
    """The explicit seed; None if the deals came from a random secret."""
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]
    """Pairs of matches, by what the first agent scored in both: 0, ½, 1, 1½ and 2 points."""
    faults: tuple[FaultTally, FaultTally]
    """The faults of each agent, in all matches."""
    matches: int
    """How many were played, including equal ones."""
    distinct: int
    """How many different ones."""
    verdict: SprtVerdict | None
    """The verdict of the sequential test, if there was one."""
    complete: bool
    """Whether all matches are played."""
    run: int
    """The run's number in the store."""
    records: Sequence[Record] = field(repr=False)
    mean_returns: tuple[MeanReturn, MeanReturn] | None = None
    """Each agent's mean return per match, in the game's amounts; None in a game without stakes."""

    @property
    def count(self) -> int:
        """How many matches count."""
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
        rows, names = [], short_names(self.agents)
        for seat, (wins, losses) in enumerate([(self.wins, self.losses), (self.losses, self.wins)]):
            sign, estimate = 1 - 2 * seat, self.difference
            rows.append(
                {
                    "agent": names[self.agents[seat]],
                    **({} if self.mean_returns is None else self.mean_returns[seat].columns()),
                    "wins": wins,
                    "draws": self.draws,
                    "losses": losses,
                    "faults": self.faults[seat].total,
                    "score": self.score if seat == 0 else 1 - self.score,
                    "elo": sign * estimate.elo,
                    "low": estimate.low if seat == 0 else -estimate.high,
                    "high": estimate.high if seat == 0 else -estimate.low,
                    "superiority": estimate.superiority if seat == 0 else 1 - estimate.superiority,
                    "identity": str(self.agents[seat]),
                }
            )
        return rows

    def summary(self) -> dict[str, Any]:
        """Everything but the matches, as plain values by name."""
        verdict = self.verdict
        return {
            **{name: getattr(self, name) for name in ("game", "limit", "seed", "matches", "distinct")},
            **{name: getattr(self, name) for name in ("complete", "run")},
            "pairs": list(self.pairs),
            "sprt": None if verdict is None else {"llr": verdict.llr, "lower": verdict.lower, "upper": verdict.upper,
                                                  "decision": verdict.decision},
            "agents": self.table(),
        }  # fmt: skip

    def __str__(self) -> str:
        names = short_names(self.agents)
        first, second = (names[agent] for agent in self.agents)
        test = f"; SPRT {self.verdict}" if self.verdict else ""
        earned = "" if self.mean_returns is None else f"mean return {self.mean_returns[0]}, "
        return (
            f"{first} against {second} in {self.game}: {earned}+{self.wins} ={self.draws} -{self.losses}, "
            f"Elo {self.difference}{test}"
        )

    def __repr__(self) -> str:
        return f"<SeriesResult: {self}>"

    def _repr_html_(self) -> str:
        names = short_names(self.agents)
        title = f"{names[self.agents[0]]} − {names[self.agents[1]]}"
        chart = interval_chart([ChartRow(title, self.difference)])
        return f"{html_table(self.table(), str(self))}{chart.svg()}"


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament: ranking by points, and ratings. `ludoteca.standings` has the rest.

    Points are given for all matches; in ratings and counts, pairs of equal matches count once.
    """

    game: str
    agents: tuple[Identity, ...]
    format: str
    limit: str
    seed: int | None
    """The explicit seed; None if the deals came from a random secret."""
    ranking: tuple[Identity, ...]
    points: Mapping[Identity, float]
    """1 for a win, a half for a draw; in a Swiss tournament a bye gives the points of won matches."""
    out_of: Mapping[Identity, int]
    """The matches that its points are out of: those played, and those that byes count as."""
    scores: Mapping[Identity, Score] = field(repr=False)
    """Wins, draws and losses in all matches, equal ones too."""
    byes: Mapping[Identity, int]
    """The rounds in which an agent had no opponent; only of those that had one."""
    pairs: tuple[Pair[Identity], ...] = field(repr=False)
    faults: Mapping[Identity, FaultTally] = field(repr=False)
    matches: int
    """How many were played, including equal ones."""
    distinct: int
    """How many different ones."""
    complete: bool
    run: int
    records: Sequence[Record] = field(repr=False)
    excluded: tuple[tuple[str, str], ...] = ()
    """Agents that could not be built, each with the reason."""
    mean_returns: Mapping[Identity, MeanReturn] = field(default_factory=dict)
    """Each agent's mean return per match, in the game's amounts; empty in a game without stakes."""

    @cached_property
    def counts(self) -> Mapping[tuple[Identity, Identity], tuple[int, int, int]]:
        """By the agents in seats 0 and 1: how often seat 0 won, drew and lost, of the matches that count."""
        return count_seats(self.pairs)

    @cached_property
    def ratings(self) -> Ratings[Identity]:
        """The ratings of the agents, in Elo."""
        return rate(self.pairs)

    def table(self) -> list[dict[str, Any]]:
        """A row per agent from first to last, ready for pandas or Polars."""
        known = dict(zip(self.ratings.agents, self.ratings.table(), strict=True))
        names = short_names(self.agents)
        return [
            {"place": place, "agent": names[agent]}
            | (self.mean_returns[agent].columns() if self.mean_returns else {})
            | {"points": self.points[agent], "byes": self.byes.get(agent, 0)}
            | {name: known[agent][name] if agent in known else None for name in ("elo", "low", "high", "score")}
            | {"matches": known[agent]["matches"] if agent in known else 0, "faults": self.faults[agent].total}
            | {"identity": str(agent)}
            for place, agent in enumerate(self.ranking, start=1)
        ]

    def summary(self) -> dict[str, Any]:
        """Everything but the matches, as plain values by name."""
        kept = ("game", "format", "limit", "seed", "matches", "distinct", "complete", "run")
        return {
            **{name: getattr(self, name) for name in kept},
            "excluded": [{"agent": agent, "reason": reason} for agent, reason in self.excluded],
            "agents": self.table(),
        }

    def __str__(self) -> str:
        done, names = "" if self.complete else " so far", short_names(self.agents)
        ranking = ", ".join(names[agent] for agent in self.ranking)
        return f"{self.format} of {len(self.agents)} in {self.game}{done}: {ranking}"

    def __repr__(self) -> str:
        return f"<TournamentResult: {self}>"

    def _repr_html_(self) -> str:
        names = short_names(self.agents)
        rows = [ChartRow(names[name], each) for name, each in self.ratings.agents.items()]
        return f"{html_table(self.table(), str(self))}{interval_chart(rows).svg() if rows else ''}"


def html_table(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
    """Rows with equal keys as an HTML table, without the long identities."""
    rows = [{name: value for name, value in row.items() if name != "identity"} for row in rows]
    heads = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def pairs_of(records: Iterable[Record]) -> DistinctPairs[Identity]:
    """Count records, in the order of their run, by pairs: two in a row from the same start are a pair.

    Unfinished matches do not count.
    """
    return DistinctPairs.of(
        Result(record.agents, record.score, _beginning(record), record.digest, record.returns)
        for record in records
        if record.finished
    )


def _beginning(record: Record) -> str:
    return f"{record.game}|{record.seed}|{record.start}|{record.actions[: record.opening]}"


class _Stored(Sequence[Record]):
    """The records of a run, read when needed: a long run need not fit into memory."""

    def __init__(self, path: Path | str, run: int, count: int) -> None:
        self._path, self._run, self._count = path, run, count

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<{self._count} records of run {self._run}>"

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
    """The result of a run so far."""
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
            matches=tally.played.matches, distinct=tally.played.distinct, verdict=tally.verdict,
            complete=progress.complete, run=run, records=records, mean_returns=tally.mean_returns,
        )  # fmt: skip
    assert isinstance(plan, TournamentPlan) and isinstance(tally, TournamentTally)
    return TournamentResult(
        game=plan.conditions.game, agents=plan.agents, format=plan.format, limit=plan.conditions.limit,
        seed=plan.seed, ranking=tuple(tally.ranking()),
        points=tally.points, out_of=tally.matches, scores=tally.scores, byes=tally.byes,
        pairs=tuple(tally.pairs.pairs()), faults=tally.faults, matches=tally.pairs.matches,
        distinct=tally.pairs.distinct, complete=progress.complete, run=run, records=records, excluded=plan.excluded,
        mean_returns=tally.mean_returns,
    )  # fmt: skip
