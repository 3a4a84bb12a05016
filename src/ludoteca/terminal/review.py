"""``ludoteca review``: a stored match with what an engine thinks of every action."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludoteca.agents import strongest
from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import Speaker, say
from ludoteca.play.clock import MatchLimit
from ludoteca.protocols import Game
from ludoteca.reports.review import Review, ReviewedAction
from ludoteca.reports.review import review as reviewed
from ludoteca.reports.tables import Table
from ludoteca.terminal.opened import RunName, StorePath, opened_store

__all__ = ["review"]


def review(
    run: RunName,
    index: Annotated[int, typer.Argument(min=0, help="Which match of the run, from 0 on.")],
    agent: Annotated[
        str | None, typer.Option(help="Who judges; by default the strongest that there is for the game.")
    ] = None,
    limit: Annotated[str, typer.Option(help="How long it looks at each position: 0.5s, or 20000n (nodes).")] = "0.5s",
    store: StorePath = None,
) -> None:
    """Tell for each action of a stored match what it gave away and what was better.

    With hidden hands each action is judged by what its seat could know then, not by the truth.
    """
    with opened_store(store) as opened:
        record = opened.record(opened.find(run).id, index)
    if not record.finished:
        raise InvalidOption(say("match {index} is not finished; only finished ones are reviewed", index=index))
    console, language = Console(emoji=False, highlight=False), preferred_language()
    speaker, game = Speaker(language), game_of(record.game)
    chosen = strongest(game) if agent is None else agent
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(speaker.say("{agent} looks at every position", agent=chosen), total=None)
        found = reviewed(
            record, chosen, MatchLimit.parse(limit).next(0.0, 0),
            watch=lambda done, total: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    _print(console, found, game, speaker)


def _print(console: Console, found: Review, game: Game, speaker: Speaker) -> None:
    headings = [say("action"), say("seat"), say("played"), say("value"), say("lost"), say("better"), say("line")]
    rows = [_row(each, game, speaker) for each in found.actions]
    table = Table("", headings, rows, words=frozenset([headings[2], *headings[5:]]), name="played", spare=("line",))
    console.print(table.rich(console.width, speaker.language))
    for seat, who in enumerate(found.record.seats):
        lost = found.mean_lost(seat)
        name = speaker.say("a person") if who.person else who.agent
        if lost is None:
            console.print(speaker.say("seat {seat}, {who}: nothing is known of its actions", seat=seat, who=name))
        else:
            text = speaker.say(
                "seat {seat}, {who}: gave away {lost:.3f} per action on average", seat=seat, who=name, lost=lost
            )
            console.print(text)
    points = [f"{each.ply + 1}. {speaker.translate(game.action_name(each.action))}" for each in found.turning_points]
    if points:
        console.print(speaker.say("Turning points: {points}", points=", ".join(points)), style="bold")
    elif any(each.lost is not None for each in found.actions if each.action != each.best.action):
        console.print(speaker.say("No single action turned the match."))


def _row(each: ReviewedAction, game: Game, speaker: Speaker) -> list[str]:
    def name(action: int) -> str:
        return speaker.translate(game.action_name(action))

    best = each.best
    differs = each.action != best.action
    mark = " ‼" if each.is_turning_point else ""
    proven = "*" if best.proven else ""
    return [
        str(each.ply + 1),
        str(each.seat),
        name(each.action) + mark,
        "" if best.value is None else f"{best.value:+z.2f}{proven}",
        "" if each.lost is None else f"{each.lost:.2f}" if each.lost else "",
        name(best.action) if differs else "",
        " ".join(name(action) for action in best.line[:6]) if differs else "",
    ]
