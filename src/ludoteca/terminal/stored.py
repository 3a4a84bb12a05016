"""``ludoteca show``, ``ludoteca replay`` and ``ludoteca export``: commands that read what was played."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ludoteca.adapters import sgf
from ludoteca.arena.api import plan_of
from ludoteca.arena.results import TournamentResult, result_of
from ludoteca.arena.runs import review
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.games import game as game_of
from ludoteca.messages import say, translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Run, Store, default_path
from ludoteca.protocols import Drawable, Game
from ludoteca.terminal.reports import write_report
from ludoteca.terminal.tables import picture

__all__ = ["export", "replay", "show"]

StorePath = Annotated[Path | None, typer.Option("--store", help="The file that keeps every match.")]
RunName = Annotated[str, typer.Argument(help="Its number, as ludoteca show lists it, or last.")]


class Kind(StrEnum):
    """What export writes."""

    jsonl = "jsonl"
    sgf = "sgf"


def show(
    run: Annotated[str | None, typer.Argument(help="The number of a run, or last; without it all are listed.")] = None,
    store: StorePath = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="A folder for the tables and pictures of a tournament.")
    ] = None,
) -> None:
    """List what was played, or show how one run stands."""
    console, language = Console(emoji=False), preferred_language()
    with _opened(store) as opened:
        if run is None:
            _list(console, opened, language)
            return
        found = opened.find(run)
        progress = review(opened, found, plan_of(found))
        console.print(picture(progress, language))
        result = result_of(opened, progress)
        if isinstance(result, TournamentResult):
            console.print("", result.standings)
            if report is not None:
                write_report(report, result)
        elif report is not None:
            raise InvalidOption(say("run {run} is a series between two agents; --report is for tournaments", run=run))


def _list(console: Console, store: Store, language: Language) -> None:
    runs = store.runs()
    if not runs:
        nothing = say("No match has been played yet: see ludoteca match --help")
        console.print(translate(nothing, language), highlight=False)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    number, kept = say("run"), say("kept")
    for head in (number, say("started (UTC)"), say("what"), say("game"), say("agents"), say("limit"), kept):
        table.add_column(translate(head, language), justify="right" if head in (number, kept) else "left")
    for run in runs:
        what = str(run.key.get("format", run.key.get("kind")))
        agents = ", ".join(run.key.get("agents", []))
        table.add_row(
            str(run.id), run.created, what, run.key.get("game"), agents, run.key.get("limit"), str(store.count(run.id))
        )
    console.print(table)


def replay(
    run: RunName,
    index: Annotated[int, typer.Argument(min=0, help="Which match of the run, from 0 on.")],
    store: StorePath = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=1, help="Show what this seat saw; by default, who is on turn.")
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="A folder for a picture of every position.")] = None,
) -> None:
    """Show a stored match, board by board."""
    with _opened(store) as opened:
        record = opened.record(opened.find(run).id, index)
    game = game_of(record.game)
    if svg is not None and not isinstance(game, Drawable):
        raise InvalidOption(say("{game} does not draw itself, so there is nothing for --svg", game=record.game))
    _replay(Console(emoji=False), record, game, seat, preferred_language())
    if svg is not None:
        _draw(record, game, seat, svg)


def _replay(console: Console, record: Record, game: Game, seat: int | None, language: Language) -> None:
    def show(text: str) -> None:
        console.print(translate(text, language), markup=False, highlight=False)

    first, second = record.agents
    show(say("seat 0: {first}, seat 1: {second}, seed {seed}", first=first, second=second, seed=record.seed))
    match = Match(game, record.seed)
    for place, action in enumerate(record.actions, start=1):
        mover = match.turn
        assert mover is not None
        board = game.text(match.view(mover if seat is None else seat), language=language)
        console.print(board, markup=False, highlight=False)
        named = game.action_name(action) if seat in (None, mover) else game.public_name(action)
        console.print()
        who = record.agents[mover]
        show(say("{place}. {who} plays {action}", place=place, who=who, action=named))
        match.play(action)
    console.print(game.text(match.view(seat or 0), language=language), markup=False, highlight=False)
    if record.fault is not None:
        show(
            say(
                "{who} loses by {ending}: {message}",
                who=record.agents[record.fault],
                ending=record.ending.value,
                message=record.message,
            )
        )
    if record.score == 0.5:
        show(say("A draw."))
    else:
        winner = 0 if record.score == 1 else 1
        show(say("Seat {seat} wins: {who}.", seat=winner, who=record.agents[winner]))


def _draw(record: Record, game: Game, seat: int | None, folder: Path) -> None:
    assert isinstance(game, Drawable)
    folder.mkdir(parents=True, exist_ok=True)
    match = Match(game, record.seed)
    for place, action in enumerate([*record.actions, None]):
        shown = seat if seat is not None else match.turn or 0
        (folder / f"{place:03}.svg").write_text(game.svg(match.view(shown)), encoding="utf-8")
        if action is not None:
            match.play(action)


def export(
    run: RunName,
    to: Annotated[Kind, typer.Option(help="JSON Lines hold everything; SGF is for Hex.")] = Kind.jsonl,
    out: Annotated[Path | None, typer.Option(help="A file; by default the terminal.")] = None,
    store: StorePath = None,
) -> None:
    """Write the records of a run for other programs, in their order."""
    with _opened(store) as opened:
        found = opened.find(run)
        text = _text(opened, found, to)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")


def _text(store: Store, run: Run, to: Kind) -> str:
    counted = review(store, run, plan_of(run)).counted
    records = store.records(run.id, counted)
    if to is Kind.sgf:
        return sgf.write(records)
    return "".join(f"{record.to_json()}\n" for record in records)


@contextmanager
def _opened(path: Path | None) -> Iterator[Store]:
    """The store for reading. Raises InvalidStore where there is none, instead of making one."""
    chosen = default_path() if path is None else path
    if path is not None and not path.exists():
        raise InvalidStore(say("there is no store of matches at {path}", path=path))
    with Store(chosen) as store:
        yield store
