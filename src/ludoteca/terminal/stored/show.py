"""``ludoteca show`` and ``ludoteca export``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ludoteca.adapters.formats.registry import named
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
from ludoteca.play.store import PEOPLE_RUNS, Run, Store
from ludoteca.reports import standings_of
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.plain_fields import run_fields
from ludoteca.reports.text_table import TextTable
from ludoteca.terminal.matches.progress import ProgressView
from ludoteca.terminal.matches.report import print_standings, write_report
from ludoteca.terminal.stored.convert import DialectOption, write_text
from ludoteca.terminal.stored.open_store import StorePath, opened_store


def show(
    run: Annotated[
        str | None,
        typer.Argument(
            help="The number of a run; last: the last one that was started in this folder; page or terminal. By "
            "default all runs are listed."
        ),
    ] = None,
    store: StorePath = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write tables and pictures of a tournament to this folder.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List all runs, or show the results of one."""
    console, language = Console(emoji=False), preferred_language()
    with opened_store(store) as opened:
        if run is None:
            if as_json:
                print_json("runs", {"runs": [run_fields(opened, each) for each in opened.runs()]})
            else:
                _list_runs(console, opened, language)
            return
        found = opened.find(run)
        if found.key.get("kind") in PEOPLE_RUNS:
            if as_json:
                print_json("matches", {"matches": [_match_fields(*row) for row in opened.people.latest(found.id)]})
            else:
                _list_matches(console, opened, found, language)
            return
        progress = stored_progress(opened, found, plan_of(found))
        if not as_json:
            console.print(ProgressView(progress, language))
        result = result_of(opened, progress)
        if isinstance(result, TournamentResult):
            standings = standings_of(result)
            if as_json:
                print_json("tournament", result.summary() | {"standings": standings.table()})
            else:
                print_standings(console, standings, language)
            if report is not None:
                write_report(report, result, standings)
        elif report is not None:
            raise InvalidOption("run {run} is a series of two agents; --report works for tournaments", run=run)
        elif as_json:
            print_json("series", result.summary())


def _match_fields(place: int, record: Record, updated: float) -> dict[str, Any]:
    agents = [None if who.person else str(who.identity) for who in record.seats]
    return {"match": place, "played": updated, "game": record.game, "agents": agents,
            "actions": len(record.actions), "returns": record.returns if record.finished else None}  # fmt: skip


def _list_runs(console: Console, store: Store, language: Language) -> None:
    speaker, runs = Speaker(language), store.runs()
    if not runs:
        text = speaker.say("No match was played yet; see: ludoteca match --help and ludoteca play --help")
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
        # Translators: columns of runs (series and tournaments); "what" is the kind of run
        say("run"), say("started (UTC)"), say("what"), say("game"), say("agents"), say("limit"), say("matches saved"),
    ]  # fmt: skip
    table = TextTable(
        "", headings, rows, words=frozenset(headings[1:6]), name="agents",
    )  # fmt: skip
    console.print(table.rich(console.width, language))


def _list_matches(console: Console, store: Store, run: Run, language: Language) -> None:
    """The matches of people, the last played first."""
    speaker = Speaker(language)
    rows = []
    for place, record, updated in store.people.latest(run.id):
        who = [speaker.translate(each) for each in _who_played(record)]
        day = datetime.fromtimestamp(updated, UTC).strftime("%Y-%m-%d %H:%M")
        result = speaker.say("unfinished") if not record.finished else _score(record)
        rows.append([str(place), day, record.game, ", ".join(who), str(len(record.actions)), result])
    headings = [
        say("match"), say("played (UTC)"), say("game"), say("who played"), say("actions"), say("result"),
    ]  # fmt: skip
    table = TextTable(
        "", headings, rows, words=frozenset([*headings[1:4], headings[5]]), name="who played",
    )  # fmt: skip
    console.print(table.rich(console.width, language))


def _who_played(record: Record) -> list[str]:
    """Who played which side: ``red: astar``; without sides if the game is not installed."""
    known = short_names(record.agents)
    names = [say("a person") if each.person else known[each.identity] for each in record.seats]
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
        str, typer.Option(help="jsonl holds everything, text is for people; sgf and hexworld are for Hex.")
    ] = "jsonl",
    out: Annotated[
        Path | None, typer.Option(help="The file to write; by default, and for -, the standard output.")
    ] = None,
    dialect: DialectOption = "hexgui",
    store: StorePath = None,
    schema: Annotated[bool, typer.Option("--schema", help="Write the JSON Schema of a line instead.")] = False,
) -> None:
    """Write the matches of a run in a format for other programs."""
    form = named(to)
    if schema:
        text = resources.files("ludoteca.play").joinpath("record.schema.json").read_text(encoding="utf-8")
    elif run is None:
        raise InvalidOption(say("which run? Give a number, last, page or terminal; see: ludoteca show"))
    else:
        with opened_store(store) as opened:
            trees = [MatchTree.of(record) for record in _records(opened, opened.find(run))]
            text = form.write(trees, dialect)
    write_text(text, out or "-")


def _records(store: Store, run: Run) -> Iterator[Record]:
    """The matches that count; of people's matches the finished ones."""
    if run.key.get("kind") in PEOPLE_RUNS:
        return (record for record in store.records(run.id) if record.finished)
    return store.records(run.id, stored_progress(store, run, plan_of(run)).counted)
