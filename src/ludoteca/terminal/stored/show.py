"""``ludoteca show`` and ``ludoteca export``: commands that read what was played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca.adapters.formats.registry import named, write
from ludoteca.agents import short_spec
from ludoteca.agents.identity import Identity, short_names
from ludoteca.arena.api import plan_of
from ludoteca.arena.results import TournamentResult, result_of
from ludoteca.arena.runs import stored_progress
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, joined, say
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record
from ludoteca.play.store import STANDING, Run, Store
from ludoteca.reports import standings_of
from ludoteca.reports.text_table import TextTable
from ludoteca.terminal.matches.progress import ProgressView
from ludoteca.terminal.matches.report import print_standings, write_report
from ludoteca.terminal.stored.convert import DialectOption, write_text
from ludoteca.terminal.stored.open_store import StorePath, opened_store

__all__ = ["export", "show"]


def show(
    run: Annotated[
        str | None,
        typer.Argument(help="The number of a run, last, page or terminal; without it all runs are listed."),
    ] = None,
    store: StorePath = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="A folder for the tables and pictures of a tournament.")
    ] = None,
) -> None:
    """List what was played, or show how one run stands."""
    console, language = Console(emoji=False), preferred_language()
    with opened_store(store) as opened:
        if run is None:
            _list_runs(console, opened, language)
            return
        found = opened.find(run)
        if found.key.get("kind") in STANDING:
            _list_matches(console, opened, found, language)
            return
        progress = stored_progress(opened, found, plan_of(found))
        console.print(ProgressView(progress, language))
        result = result_of(opened, progress)
        if isinstance(result, TournamentResult):
            standings = standings_of(result)
            print_standings(console, standings, language)
            if report is not None:
                write_report(report, result, standings)
        elif report is not None:
            raise InvalidOption(say("run {run} is a series of two agents; --report is for tournaments", run=run))


def _list_runs(console: Console, store: Store, language: Language) -> None:
    speaker, runs = Speaker(language), store.runs()
    if not runs:
        text = speaker.say("No match has been played yet: see ludoteca match --help and ludoteca play --help")
        console.print(text, markup=False, highlight=False)
        return
    entered = {run.id: [*map(Identity.from_json, run.key.get("agents", ()))] for run in runs}
    names = short_names(agent for agents in entered.values() for agent in agents)
    rows = []
    for run in runs:
        what = str(run.key.get("format", run.key.get("kind")))
        agents = ", ".join(names[agent] for agent in entered[run.id])
        game, limit = str(run.key.get("game", "")), str(run.key.get("limit", ""))
        rows.append([str(run.id), run.created, what, game, agents, limit, str(store.count(run.id))])
    headings = [
        say("run"), say("started (UTC)"), say("what"), say("game"), say("agents"), say("limit"), say("matches kept"),
    ]  # fmt: skip
    table = TextTable(
        "", headings, rows, words=frozenset(headings[1:6]), name="agents",
        spare=("limit", "what", "started (UTC)", "matches kept"),
    )  # fmt: skip
    console.print(table.rich(console.width, language))


def _list_matches(console: Console, store: Store, run: Run, language: Language) -> None:
    """The matches of people, those played at last first."""
    speaker = Speaker(language)
    rows = []
    for place, record, updated in store.people_matches(run.id):
        who = [speaker.translate(each) for each in _who_played(record)]
        day = datetime.fromtimestamp(updated, UTC).strftime("%Y-%m-%d %H:%M")
        result = speaker.say("unfinished") if not record.finished else _score(record)
        rows.append([str(place), day, record.game, ", ".join(who), str(len(record.actions)), result])
    headings = [
        say("match"), say("played (UTC)"), say("game"), say("who played"), say("actions"), say("result"),
    ]  # fmt: skip
    table = TextTable(
        "", headings, rows, words=frozenset([*headings[1:4], headings[5]]), name="who played",
        spare=("actions", "played (UTC)"),
    )  # fmt: skip
    console.print(table.rich(console.width, language))


def _who_played(record: Record) -> list[str]:
    """Who sat where: ``red: astar``; without sides for a game that is not installed any more."""
    names = [say("a person") if each.person else short_spec(each.agent) for each in record.seats]
    try:
        game = game_of(record.game)
    except LudotecaError:
        return names
    return [joined([side(game, seat), name], ": ") for seat, name in enumerate(names)]


def _score(record: Record) -> str:
    return {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}[record.score]


def export(
    run: Annotated[str | None, typer.Argument(help="As in: ludoteca show RUN.")] = None,
    to: Annotated[
        str, typer.Option(help="jsonl holds everything; sgf and hexworld are for Hex, text is for people.")
    ] = "jsonl",
    out: Annotated[Path | None, typer.Option(help="A file; by default, and for -, the terminal.")] = None,
    dialect: DialectOption = "hexgui",
    store: StorePath = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Write the JSON Schema of a line instead, whatever the run.")
    ] = False,
) -> None:
    """Write the records of a run for other programs, in their order."""
    form = named(to)
    if schema:
        text = resources.files("ludoteca.play").joinpath("record.schema.json").read_text(encoding="utf-8")
    elif run is None:
        raise InvalidOption(say("which run? A number, last, page or terminal; see: ludoteca show"))
    else:
        with opened_store(store) as opened:
            trees = [MatchTree.of(record) for record in _records(opened, opened.find(run))]
            text = write(trees, form, dialect)
    write_text(text, out or "-")


def _records(store: Store, run: Run) -> Iterator[Record]:
    """The matches that count; of people's all but those with hidden hands that are not over."""
    if run.key.get("kind") in STANDING:
        return (record for record in store.records(run.id) if record.finished)
    return store.records(run.id, stored_progress(store, run, plan_of(run)).counted)
