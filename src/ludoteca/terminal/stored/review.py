"""``ludoteca review``: a stored match with the engine's judgement of every action."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludoteca.adapters.formats.format import Dialect, Format
from ludoteca.adapters.formats.registry import format_of_name
from ludoteca.agents import strongest
from ludoteca.agents.identity import short_names
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game, Limit
from ludoteca.reports.annotations import annotated
from ludoteca.reports.closing import closing
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.plain_fields import reviewed_actions
from ludoteca.reports.review import Review, ReviewedAction
from ludoteca.reports.review import review as reviewed
from ludoteca.terminal.stored.convert import DialectOption, write_text
from ludoteca.terminal.stored.open_store import RunName, StorePath, opened_store


def review(
    run: RunName,
    index: Annotated[int, typer.Argument(min=0, help="The number of the match in the run; the first is 0.")],
    agent: Annotated[
        str | None, typer.Option(help="The agent that reviews; by default the strongest for the game.")
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(
            help="The first search of each position: 0.5s, or 20000n (nodes). By default nodes for about 0.2 seconds."
        ),
    ] = None,
    store: StorePath = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Also write the match with comments: to FILE.sgf for Hex, to FILE.txt for any game."),
    ] = None,
    dialect: DialectOption = "hexgui",
    as_json: JsonOption = False,
) -> None:
    """Review a stored match: what each move lost, and which move was better.

    ?? marks a turning point, ? a mistake, ! the only good move. In games with hidden cards each move is judged by what
    the player could know at the time. Where the engine is not sure, it searches deeper; if it is still not sure, there
    is no mark.
    """
    with opened_store(store) as opened:
        record = opened.record(opened.find(run).id, index)
    if not record.finished:
        raise InvalidOption("match {index} is not finished; only finished matches can be reviewed", index=index)
    looked = None if limit is None else MatchLimit.parse(limit).next(0.0, 0)
    form = None if out is None else _form(out, record, dialect)
    console = Console(emoji=False, highlight=False, stderr=as_json)
    found = reviewed_in_terminal(console, record, preferred_language(), agent=agent, limit=looked)
    if found is None:
        raise SystemExit(130)
    if out is not None and form is not None:
        write_text(form.write([annotated(found, preferred_language())], dialect), out)
    if as_json:
        print_json("review", _fields(found))


def _fields(found: Review) -> dict[str, Any]:
    seats = enumerate(found.record.seats)
    players = [{"player": str(who.name), "points_lost": found.points_lost(seat)} for seat, who in seats]
    return {"game": found.record.game, "agent": found.agent, "players": players, "actions": reviewed_actions(found)}


def _form(out: Path, record: Record, dialect: Dialect) -> Format:
    """The format of the file. Raises before the review starts, so that no one waits for one that cannot be written."""
    form = format_of_name(out.name)
    if not form.comments:
        raise InvalidOption("{name} cannot hold comments; write .sgf or .txt instead", name=out.name)
    form.write([MatchTree.of(record)], dialect)
    return form


def reviewed_in_terminal(
    console: Console,
    record: Record,
    language: Language,
    *,
    agent: str | None = None,
    limit: Limit | None = None,
    pool: Pool | None = None,
) -> Review | None:
    """Review a finished match and print the result. Returns None after Ctrl-C.

    agent: the reviewer, by default the strongest. limit: see `ludoteca.reports.review.review`. Raises InvalidAgent,
    InvalidOption and BrokenAgent.
    """
    speaker, game = Speaker(language), game_of(record.game)
    chosen = strongest(game) if agent is None else agent
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(speaker.say("{agent} reviews the match", agent=chosen), total=None)
            found = reviewed(
                record, chosen, limit, pool=pool,
                watch=lambda done, total: progress.update(task, completed=done, total=total),
            )  # fmt: skip
    except KeyboardInterrupt:
        console.print(speaker.say("Stopped; there is no review."), style="dim")
        return None
    _print(console, found, game, speaker)
    return found


def _print(console: Console, found: Review, game: Game, speaker: Speaker) -> None:
    table = found.table(speaker.language)
    console.print(table.rich(console.width, speaker.language))
    names = short_names(found.record.agents)
    for seat, who in enumerate(found.record.seats):
        lost, name = found.points_lost(seat), side(game, seat)
        played = speaker.say("a person") if who.person else names[who.identity]
        if lost is None:
            text = speaker.say("{side} ({who}): the engine gave no values", side=name, who=played)
        else:
            text = speaker.say(
                "{side} ({who}): lost {lost:.0f} points in 100 per move", side=name, who=played, lost=lost
            )
        _write(console, text[:1].upper() + text[1:])
    for each in found.turning_points:
        _write(console, _turning_point(each, game, speaker))
    people = [seat for seat, who in enumerate(found.record.seats) if who.person]
    called = [side(game, seat) if who.person else names[who.identity] for seat, who in enumerate(found.record.seats)]
    you = people[0] if len(people) == 1 else None
    for sentence in closing(Match.of_record(found.record), found.actions, called, you):
        _write(console, speaker.translate(sentence), style="bold")


def _turning_point(each: ReviewedAction, game: Game, speaker: Speaker) -> str:
    return speaker.say(
        "Turning point: {place}. {played} by {side}; {better} was better.",
        place=each.ply + 1, played=game.action_name(each.action), side=side(game, each.seat),
        better=game.action_name(each.best.action),
    )  # fmt: skip


def _write(console: Console, text: str, style: str | None = None) -> None:
    console.print(text, style=style, markup=False, highlight=False)
