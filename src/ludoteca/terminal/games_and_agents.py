"""``ludoteca games`` and ``ludoteca agents``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

import typer
import typer.core
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludoteca import agents, games, spec
from ludoteca.catalogues import preferred_language
from ludoteca.errors import BrokenAgent
from ludoteca.messages import say, translate
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.ladder import ladders
from ludoteca.reports.text_table import whole_table

console = Console(emoji=False)


class OffersAgents(typer.core.TyperCommand):
    """A command whose --help ends with a list of the agents, their options and defaults."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Imports the agents only now, because that takes time."""
        with formatter.section("Agents"):
            formatter.write_dl([(name, self._options(name)) for name in agents.names()])

    @staticmethod
    def _options(name: str) -> str:
        try:
            known = agents.describe(name).options
        except BrokenAgent:
            return "cannot be imported"
        return ", ".join(f"{option.name}={spec.show(option.default)}" for option in known) or "no options"


def list_games(
    name: Annotated[str | None, typer.Argument(help="One game, to read its rules.")] = None,
    details: Annotated[
        bool,
        typer.Option(
            "--details", help="With the rules to the letter, and how actions, positions and tensors are written."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the games with their options, or show the rules of one."""
    if as_json:
        found = [name.lower()] if name else [*games.names(), *games.unlisted()]
        listed = [{"name": each, "options": _options(spec.options(games.game_class(each)))} for each in found]
        print_json("games", {"games": listed})
        return
    for each in [name.lower()] if name else [*games.names(), *games.unlisted()]:
        factory = games.game_class(each)
        _describe(each, _description(each, details), spec.options(factory), whole=name is not None or details)
        if name:
            _list_opponents(each)


def _description(game: str, details: bool) -> str:
    """The rules for people, in the language of the environment; or, in English, all that a programmer needs."""
    texts = [text for text in (games.summary(game), games.rules_text(game)) if text]
    if texts and not details:
        return "\n\n".join(translate(text, preferred_language()) for text in texts)
    factory = games.game_class(game)
    return inspect.getdoc(inspect.getmodule(factory)) or inspect.getdoc(factory) or ""


def list_agents(
    game: Annotated[str | None, typer.Argument(help="Only agents that play this game.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the agents with their options and the games they play."""
    if game is not None:
        game = games.game(game).name
    unlisted = [each for each in agents.unlisted() if game is None or agents.plays_game(each, game)]
    if as_json:
        print_json("agents", {"agents": [_agent_fields(name) for name in [*agents.names(game), *unlisted]]})
        return
    for name in [*agents.names(game), *unlisted]:
        try:
            about = agents.describe(name)
        except BrokenAgent as error:
            _describe(name, str(error), [], whole=True)
            continue
        plays = ", ".join(each for each in games.names() if about.plays(each))
        _describe(f"{name} ({plays})", translate(about.summary, preferred_language()), about.options)


def _agent_fields(name: str) -> dict[str, Any]:
    try:
        about = agents.describe(name)
    except BrokenAgent as error:
        return {"name": name, "error": str(error), "games": [], "options": []}
    plays = [each for each in games.names() if about.plays(each)]
    return {"name": name, "error": None, "games": plays, "options": _options(about.options)}


def _options(known: Sequence[spec.Option]) -> list[dict[str, Any]]:
    return [
        {"name": option.name, "default": spec.show(option.default), "kind": option.kind.__name__,
         "choices": option.choices, "help": str(option.help)}
        for option in known
    ]  # fmt: skip


def _describe(heading: str, description: str, known: Sequence[spec.Option], *, whole: bool = False) -> None:
    first, *rest = description.split("\n\n")
    console.print(f"[bold]{heading}[/bold]  {escape(_flow(first))}", highlight=False)
    for paragraph in rest if whole else []:
        console.print()
        console.print(
            _table(paragraph) if paragraph.startswith("==") else _flow(paragraph), markup=False, highlight=False
        )
    if known and whole:
        console.print()
    if known:
        console.print(_option_table(known))
    console.print()


NARROW = 80
"""Characters; in a narrower terminal, what an option means stands below it."""


def _option_table(known: Sequence[spec.Option]) -> Table:
    narrow, language = console.width < NARROW, preferred_language()
    table = whole_table(1 if narrow else 3)
    for option in known:
        values = "|".join(option.choices) or option.kind.__name__
        about = translate(option.help or option.title, language)
        name = f"{option.name}=[cyan]{escape(spec.show(option.default))}[/cyan]"
        if narrow:
            table.add_row(f"{name}  {values}")
            table.add_row(Padding(Text(about), (0, 0, 0, 4)))
        else:
            table.add_row(name, values, escape(about))
    return table


def _list_opponents(game: str) -> None:
    """The opponents that the page offers, too, the weakest first; nothing for a game without a ladder."""
    for ladder in ladders(game)[:1]:
        ratings = {agents.canonical(rung.agent): rung.elo for rung in ladder.rungs if not rung.chance}
        table = whole_table(2)
        for elo, opponent in sorted((ratings[agents.canonical(each)], each) for each in ladder.opponents):
            table.add_row(opponent, f"{elo:+.0f}")
        heading = say("Opponents (--against), and their Elo points above random play:")
        console.print(translate(heading, preferred_language()), markup=False, highlight=False)
        console.print(table)
        console.print()


def _table(paragraph: str) -> Table:
    """A table of a docstring, in which a line of equals signs marks the columns, as one of the terminal."""
    ruler, *rows = paragraph.splitlines()
    starts = [found.start() for found in re.finditer("=+", ruler)]
    table = whole_table(len(starts))
    for row in rows:
        if not row.startswith("="):
            cells = (row[start:end] for start, end in pairwise([*starts, len(row)]))
            table.add_row(*(Text(cell.strip()) for cell in cells))
    return table


def _flow(paragraph: str) -> str:
    """A paragraph as one line, which the terminal wraps; an indented one is a drawing and stays as it is."""
    return paragraph if paragraph.startswith(" ") else " ".join(paragraph.split())
