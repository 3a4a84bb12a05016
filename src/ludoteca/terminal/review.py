"""``ludoteca review``: a stored match with what an engine thinks of every action."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludoteca.adapters.formats.format import Dialect, Format
from ludoteca.adapters.formats.registry import format_of_name, write
from ludoteca.agents import short_name, strongest
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game, Limit
from ludoteca.reports.comments import commented
from ludoteca.reports.review import Review, ReviewedAction
from ludoteca.reports.review import review as reviewed
from ludoteca.reports.review_table import review_table
from ludoteca.terminal.convert import DialectOption, write_text
from ludoteca.terminal.opened import RunName, StorePath, opened_store

__all__ = ["review", "reviewed_in_terminal"]

LIMIT = Limit(seconds=0.5)
"""How long each position is looked at unless somebody says otherwise."""


def review(
    run: RunName,
    index: Annotated[int, typer.Argument(min=0, help="Which match of the run, from 0 on.")],
    agent: Annotated[
        str | None, typer.Option(help="Who judges; by default the strongest that there is for the game.")
    ] = None,
    limit: Annotated[str, typer.Option(help="How long it looks at each position: 0.5s, or 20000n (nodes).")] = "0.5s",
    store: StorePath = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Also write the match with all that as comments: to FILE.sgf for Hex, FILE.txt for any game."
        ),
    ] = None,
    dialect: DialectOption = "hexgui",
) -> None:
    """Tell for each action of a stored match what it gave away and what was better.

    With hidden hands each action is judged by what its seat could know then, not by the truth.
    """
    with opened_store(store) as opened:
        record = opened.record(opened.find(run).id, index)
    if not record.finished:
        raise InvalidOption(say("match {index} is not finished; only finished ones are reviewed", index=index))
    looked = MatchLimit.parse(limit).next(0.0, 0)
    form = None if out is None else _form(out, record, dialect)
    console = Console(emoji=False, highlight=False)
    found = reviewed_in_terminal(console, record, preferred_language(), agent=agent, limit=looked)
    if found is not None and out is not None and form is not None:
        write_text(write([commented(found, preferred_language())], form, dialect), out)


def _form(out: Path, record: Record, dialect: Dialect) -> Format:
    """What the file is to be written in. Raises before anybody has waited for a review that cannot be written."""
    form = format_of_name(out.name)
    if not form.comments:
        raise InvalidOption(say("{name} has no place for comments; write .sgf or .txt instead", name=out.name))
    write([MatchTree.of(record)], form, dialect)
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
    """Reviews a finished match and prints what came of it. Ctrl-C ends it without a word of blame, and gives None.

    agent: who judges; by default the strongest there is. limit: for each position, by default `LIMIT`. Raises
    InvalidAgent, InvalidOption and BrokenAgent.
    """
    speaker, game = Speaker(language), game_of(record.game)
    chosen = strongest(game) if agent is None else agent
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(speaker.say("{agent} looks at every position", agent=chosen), total=None)
            found = reviewed(
                record, chosen, limit or LIMIT, pool=pool,
                watch=lambda done, total: progress.update(task, completed=done, total=total),
            )  # fmt: skip
    except KeyboardInterrupt:
        console.print(speaker.say("Stopped: there is no review."), style="dim")
        return None
    _print(console, found, game, speaker)
    return found


def _print(console: Console, found: Review, game: Game, speaker: Speaker) -> None:
    table = review_table(found, speaker.language)
    console.print(table.rich(console.width, speaker.language))
    for seat, who in enumerate(found.record.seats):
        lost, name = found.mean_lost(seat), side(game, seat)
        played = speaker.say("a person") if who.person else short_name(who.agent)
        if lost is None:
            text = speaker.say("{side} ({who}): nothing is known of its moves", side=name, who=played)
        else:
            text = speaker.say(
                "{side} ({who}): gave away {lost:.3f} per move on average", side=name, who=played, lost=lost
            )
        _write(console, text[:1].upper() + text[1:])
    for each in found.turning_points:
        _write(console, _turning_point(each, game, speaker), style="bold")
    if found.turning_points:
        return
    if any(each.lost is not None for each in found.actions if each.action != each.best.action):
        _write(console, speaker.say("No single move turned the match."))


def _turning_point(each: ReviewedAction, game: Game, speaker: Speaker) -> str:
    return speaker.say(
        "Turning point: {place}. {played} by {side}; {better} was better.",
        place=each.ply + 1, played=game.action_name(each.action), side=side(game, each.seat),
        better=game.action_name(each.best.action),
    )  # fmt: skip


def _write(console: Console, text: str, style: str | None = None) -> None:
    console.print(text, style=style, markup=False, highlight=False)
