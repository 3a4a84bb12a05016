"""``ludoteca openings``: makes a suite of balanced openings."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca.agents import canonical, is_ours, names
from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import Speaker, say
from ludoteca.play.openings import make_suite, needs_openings

__all__ = ["openings"]


def openings(
    game: Annotated[str, typer.Argument(help="A game whose deals are all the same, such as hex:size=7.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    n: Annotated[int, typer.Option("-n", min=1, help="Openings; there may be fewer balanced ones.")] = 200,
    agent: Annotated[
        str, typer.Option(help="The agent of ours that judges an opening: zero, or mcts where there is no network.")
    ] = "",
    nodes: Annotated[int, typer.Option(min=1, help="How many it may search for each opening.")] = 64,
    within: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How far from even a value may be: a sure win is 1.")
    ] = 0.1,
) -> None:
    """Make a suite of openings for match and tournament: --openings FILE.

    Openings of one to three actions, distinct up to symmetry, are judged by an agent of ours; those are kept that it
    finds even. On a small board a search sees who wins: --nodes 1 asks for the network's first thought instead.
    """
    rules = game_of(game)
    speaker, console = Speaker(preferred_language()), Console(emoji=False)
    if not needs_openings(rules):
        raise InvalidOption(say("{game} needs no openings: its deals are not all the same", game=rules.spec))
    spec = canonical(agent or ("zero" if "zero" in names(rules.name) else "mcts"))
    if not is_ours(spec):
        raise InvalidAgent(say("{agent} is not ours; openings are measured by agents that come with us", agent=agent))
    with console.status("") as status:

        def watch(done: int) -> None:
            status.update(speaker.say_count("{count} opening tried", "{count} openings tried", done))

        suite = make_suite(rules, n, agent=spec, nodes=nodes, within=within, watch=watch)
    command = f"ludoteca openings {rules.spec} -n {n} --agent {spec} --nodes {nodes} --within {within:g}"
    made = replace(suite, command=command, date=datetime.date.today().isoformat())
    out.write_text(made.to_json(), encoding="utf-8")
    count, file = len(made.openings), str(out)
    told = speaker.say_count("{count} opening in {file}", "{count} openings in {file}", count, file=file)
    console.print(told, markup=False, highlight=False, soft_wrap=True)
