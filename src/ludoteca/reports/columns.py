"""Results, records, reviews and stores as plain columns, which become a data frame of pandas or Polars as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ludoteca.arena.results import SeriesResult, TournamentResult
from ludoteca.errors import InvalidOption, InvalidStore, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.reports.plain_fields import reviewed_actions, run_fields
from ludoteca.reports.review import Review
from ludoteca.reports.standings import Standings

Source: TypeAlias = SeriesResult | TournamentResult | Standings | Review | Iterable[Record] | Store | Path | str


def columns(source: Source, rows: str | None = None, *, run: int | str | None = None) -> dict[str, list[Any]]:
    """A result as plain columns by name: ``pandas.DataFrame(columns(result))``, and the same with Polars.

    source: the result of `series` or `tournament`, `standings`, a `review`, records, or the path of a store.
    rows: what a row is, by default the first of these that the source has: ``agents`` (results and standings),
    ``runs`` (a store without `run`), ``matches`` (results, records, and a store with `run`), ``actions`` (the same, and
    a review). run: of a store, as in ``ludoteca show RUN``. All values of a column have one type, or are None.

    Raises InvalidOption for rows that the source does not have, and InvalidStore.

    >>> import ludoteca
    >>> result = ludoteca.series("hex:size=3", "beam", "random", 4, seed=1, store=":memory:", workers=1)
    >>> table = ludoteca.columns(result)
    >>> table["agent"], len(table["elo"])
    (['beam', 'random'], 2)
    >>> ludoteca.columns(result, "matches")["match"]
    [0, 1, 2, 3]
    """
    if isinstance(source, Path | str):
        if not Path(source).exists():
            raise InvalidStore("there is no store of matches at {path}", path=source)
        with Store(source) as opened:
            opened.check()
            return columns(opened, rows, run=run)
    if run is not None and not isinstance(source, Store):
        raise InvalidOption("run={run}: only a store has runs", run=run)
    kinds = _rows_of(source, run)
    if rows is not None and rows not in kinds:
        raise InvalidOption("columns: rows={rows} is none of {known}", rows=rows, known=", ".join(kinds))
    return _turned(kinds[rows or next(iter(kinds))])


def _rows_of(source: Any, run: int | str | None) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """What the rows may be, by name; only what is asked for is read."""
    if isinstance(source, Standings):
        return {"agents": source.table()}
    if isinstance(source, Review):
        return {"actions": (row | {"line": " ".join(row["line"])} for row in reviewed_actions(source))}
    if isinstance(source, Store):
        if run is None:
            each = (run_fields(source, found) for found in source.runs())
            return {"runs": (row | {"agents": ", ".join(row["agents"])} for row in each)}
        records: Iterable[Record] = source.records(source.find(str(run)).id)
    elif isinstance(source, SeriesResult | TournamentResult):
        return {"agents": source.table(), "matches": _matches(source.records), "actions": _actions(source.records)}
    else:
        records = source
    return {"matches": _matches(records), "actions": _actions(records)}


def _turned(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns. Where some numbers of a column are floats, all are: Polars would refuse a mixture."""
    found: dict[str, list[Any]] = {}
    for count, row in enumerate(rows):
        for name, value in row.items():
            found.setdefault(name, [None] * count).append(value)
        for values in found.values():
            values += [None] * (count + 1 - len(values))
    return {
        name: [None if each is None else float(each) for each in values]
        if any(isinstance(each, float) for each in values)
        else values
        for name, values in found.items()
    }


def _matches(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    for number, record in enumerate(records):
        spent = [0.0, 0.0]
        for seat, seconds in zip(record.movers, record.seconds, strict=False):
            spent[seat] += seconds
        first, second = record.seats
        yield {
            "match": number,
            "game": record.game,
            "seed": record.seed,
            "start": record.start,
            "agent0": str(first.name),
            "agent1": str(second.name),
            "return0": float(record.returns[0]) if record.finished else None,
            "return1": float(record.returns[1]) if record.finished else None,
            "score0": record.score if record.finished else None,
            "ending": record.ending.value,
            "fault": record.fault,
            "actions": len(record.actions),
            "opening": record.opening,
            "seconds0": spent[0],
            "seconds1": spent[1],
            "limit": record.limit,
            "digest": record.digest,
        }


def _actions(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    for number, record in enumerate(records):
        try:
            name: Callable[[int], str] = game_of(record.game).action_name
        except LudotecaError:  # a game that is not installed here
            name = str
        for ply, action in enumerate(record.actions):
            decision = record.decision(ply)
            opening = ply < record.opening
            yield {
                "match": number,
                "ply": ply,
                "seat": record.movers[ply],
                "agent": None if opening else str(record.who(ply).name),
                "action": str(name(action)),
                "seconds": float(record.seconds[ply]) if ply < len(record.seconds) else None,
                "value": None if decision is None or decision.value is None else float(decision.value),
                "proven": None if decision is None else decision.proven,
                "nodes": None if decision is None else decision.nodes,
                "depth": None if decision is None else decision.depth,
                "note": None if decision is None else str(decision.explanation),
            }
