"""``ludoteca openings``: makes a suite of balanced openings."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca.agents import canonical, is_ours
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
        str, typer.Option(help="The agent of ours whose matches against itself measure how balanced an opening is.")
    ] = "astar:depth=1",
    matches: Annotated[int, typer.Option(min=2, help="Matches from every opening.")] = 24,
    seed: Annotated[int, typer.Option(min=0, help="Decides the agent's chances.")] = 1,
) -> None:
    """Make a suite of openings for match and tournament: --openings FILE.

    Short random openings, distinct up to symmetry, are played out by an agent of ours against itself, a fifth of its
    actions being random; those are kept from which seat 0 makes from a quarter to three quarters of the points.
    """
    rules = game_of(game)
    speaker, console = Speaker(preferred_language()), Console(emoji=False)
    if not needs_openings(rules):
        raise InvalidOption(say("{game} needs no openings: its deals are not all the same", game=rules.spec))
    spec = canonical(agent)
    if not is_ours(spec):
        raise InvalidAgent(say("{agent} is not ours; openings are measured by agents that come with us", agent=agent))
    with console.status("") as status:

        def watch(done: int) -> None:
            status.update(speaker.say_count("{count} opening tried", "{count} openings tried", done))

        suite = make_suite(rules, n, agent=spec, matches=matches, seed=seed, watch=watch)
    command = f"ludoteca openings {rules.spec} -n {n} --agent {spec} --matches {matches} --seed {seed}"
    made = replace(suite, command=command, date=datetime.date.today().isoformat())
    out.write_text(made.to_json(), encoding="utf-8")
    count, file = len(made.openings), str(out)
    told = speaker.say_count("{count} opening in {file}", "{count} openings in {file}", count, file=file)
    console.print(told, markup=False, highlight=False, soft_wrap=True)
