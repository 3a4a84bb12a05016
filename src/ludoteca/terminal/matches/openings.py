"""``ludoteca openings``: make a suite of balanced openings."""

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
from ludoteca.messages import Speaker
from ludoteca.play.openings import make_suite, needs_openings


def openings(
    game: Annotated[str, typer.Argument(help="A game in which all deals are the same, such as hex:size=7.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many openings; there may be fewer balanced ones.")] = 200,
    agent: Annotated[
        str, typer.Option(help="Which of our agents judges: by default zero, or mcts for games without a network.")
    ] = "",
    nodes: Annotated[int, typer.Option(min=1, help="How many nodes it searches for each opening.")] = 64,
    within: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How far from even an opening may be: 0 is even, 1 a win.")
    ] = 0.1,
) -> None:
    """Make a suite of openings for match and tournament: --openings FILE.

    One of our agents judges openings of one to three moves, distinct up to symmetry, and keeps the even ones. On a
    small board a search sees who wins; --nodes 1 asks for the network's first impression instead.
    """
    rules = game_of(game)
    speaker, console = Speaker(preferred_language()), Console(emoji=False)
    if not needs_openings(rules):
        raise InvalidOption("{game} needs no openings, because its deals differ", game=rules.spec)
    spec = canonical(agent or ("zero" if "zero" in names(rules.name) else "mcts"))
    if not is_ours(spec):
        raise InvalidAgent("{agent} is not one of our agents; only they can judge openings", agent=agent)
    with console.status("") as status:

        def watch(done: int) -> None:
            status.update(speaker.say_count("{count} opening tried", "{count} openings tried", done))

        suite = make_suite(rules, n, agent=spec, nodes=nodes, within=within, watch=watch)
    command = f"ludoteca openings {rules.spec} -n {n} --agent {spec} --nodes {nodes} --within {within:g}"
    made = replace(suite, command=command, date=datetime.date.today().isoformat())
    out.write_text(made.to_json(), encoding="utf-8")
    count, file = len(made.openings), str(out)
    text = speaker.say_count("{count} opening in {file}", "{count} openings in {file}", count, file=file)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
