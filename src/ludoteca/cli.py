"""The command line: ``games``, ``agents``, ``play``, ``serve``, ``train``, and the arena's from `commands`."""

from __future__ import annotations

import inspect
import secrets
import sys
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer
import typer.core
from rich.console import Console
from rich.table import Table

from ludoteca import agents, games, spec
from ludoteca.errors import LudotecaError
from ludoteca.play.conditions import MEMORY
from ludoteca.protocols import Limit
from ludoteca.terminal import matches, stored
from ludoteca.terminal import play as terminal
from ludoteca.words import Language, preferred_language

__all__ = ["app", "main"]

app = typer.Typer(
    name="ludoteca",
    help="An arena for game-playing agents: Hex, Horses, Dominoes and Kittens.\n\n"
    "A game or an agent is written NAME or NAME:option=value,option=value, as in hex:size=7,swap=true.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
console = Console(emoji=False)
training = typer.Typer(help="Train agents.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(training, name="train")
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
"""A training reads its options itself: PyTorch takes seconds to import, and may not be installed."""


class OffersAgents(typer.core.TyperCommand):
    """A command whose --help ends with the agents that there are, their options and defaults."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Looked up only now: agents take their time to be imported."""
        with formatter.section("Agents"):
            formatter.write_dl([(name, self._options(name)) for name in agents.names()])

    @staticmethod
    def _options(name: str) -> str:
        known = spec.options(agents.agent_class(name), skip=agents.GIVEN)
        return ", ".join(f"{option.name}={spec.show(option.default)}" for option in known) or "no options"


class LanguageChoice(StrEnum):
    """The languages, as Typer wants them."""

    en = "en"
    es = "es"

    @property
    def language(self) -> Language:
        """The same as a plain word."""
        return "es" if self is LanguageChoice.es else "en"


@app.command("games")
def list_games(
    name: Annotated[str | None, typer.Argument(help="One game, to read its rules too.")] = None,
) -> None:
    """List the games with their options, or tell the rules of one."""
    for each in [name.lower()] if name else games.names():
        factory = games.game_class(each)
        description = inspect.getdoc(inspect.getmodule(factory)) or inspect.getdoc(factory) or ""
        _describe(each, description, spec.options(factory), whole=name is not None)


@app.command("agents", cls=OffersAgents)
def list_agents(
    game: Annotated[str | None, typer.Argument(help="Only the agents that play this game.")] = None,
) -> None:
    """List the agents with their options and the games they play."""
    if game is not None:
        game = games.game(game).name
    for name in agents.names(game):
        factory = agents.agent_class(name)
        plays = ", ".join(each for each in games.names() if agents.plays(factory, each))
        _describe(f"{name} ({plays})", inspect.getdoc(factory) or "", spec.options(factory, skip=agents.GIVEN))


@app.command(cls=OffersAgents)
def play(
    game: Annotated[str | None, typer.Argument(help="What to play, such as hex:size=7; see: ludoteca games")] = None,
    against: Annotated[
        str,
        typer.Option(
            help="An agent (see: ludoteca agents), a Hex player's file such as path/solution.py:SmartPlayer, "
            "or human for a second person at this terminal."
        ),
    ] = "random",
    seat: Annotated[int, typer.Option(min=0, max=1, help="Your seat; seat 0 is the one the rules name first.")] = 0,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal from this seed; by default a new one.")] = None,
    start: Annotated[
        str,
        typer.Option(
            help="Begin from a position instead of a deal: dominoes as in 'line: 6-6 6-4; 0: 5-5 3-1; 1: 4', "
            "kittens as in 'deck: safe bomb skip; 0: defuse; 1: attack'."
        ),
    ] = "",
    seconds: Annotated[float, typer.Option(min=0.001, help="Time that the agent may think about an action.")] = 2.0,
    language: Annotated[LanguageChoice | None, typer.Option(help="By default that of your environment.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the agent's value and reason.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match that was left unfinished.")] = False,
) -> None:
    """Play a game in the terminal.

    Type an action as it is listed, or ? for help. Ctrl-C keeps the match for --resume.
    """
    if resume:
        sitting = _unfinished()
    else:
        if game is None:
            game = _choose_game()
        chosen = games.game(game)
        dealt_from = secrets.randbits(32) if seed is None else seed
        sitting = terminal.Sitting(chosen.spec, against, seat, dealt_from, start=start)
    tongue = language.language if language else preferred_language()
    terminal.play(sitting, console, tongue, Limit(seconds=seconds), explain=explain)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8080,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A further name by which visitors reach this server, such as that of a proxy before it; may be given "
            "several times. Requests for any other name are refused.",
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Open the page in a browser.")] = False,
    thinkers: Annotated[
        int | None, typer.Option(min=1, help="Agents that think at once; by default one fewer than there are cores.")
    ] = None,
    queue: Annotated[int, typer.Option(min=1, help="Agents that may wait for their turn to think.")] = 256,
    memory: Annotated[int, typer.Option(min=64, help="MiB that an agent may take.")] = MEMORY,
) -> None:
    """Open the page: play, watch and understand in a browser."""
    from ludoteca.web import server  # here, so that the other commands start without it

    server.serve(host, port, names=allow_host or (), show=show, thinkers=thinkers, queue=queue, memory=memory)


@training.command("dqn", add_help_option=False, context_settings=PASSED_ON)
def train_dqn(context: typer.Context) -> None:
    """Train a Double DQN for Kittens; its options: ludoteca train dqn --help."""
    try:
        from ludoteca.learn.command import train_dqn
    except ImportError as error:
        _fail(f"training needs more packages ({error}): pip install 'ludoteca[learn]'")
    raise SystemExit(train_dqn(context.args))


for command in (matches.match, matches.tournament, stored.show, stored.replay, stored.export):
    app.command()(command)


def _unfinished() -> terminal.Sitting:
    try:
        sitting = terminal.Sitting.load()
    except (ValueError, TypeError, OSError) as error:
        _fail(f"the unfinished match in {terminal.unfinished_path()} cannot be read: {error}")
    if sitting is None:
        _fail("there is no unfinished match to go on with")
    return sitting


def _choose_game() -> str:
    names = games.names()
    if not sys.stdin.isatty():
        _fail(f"which game? one of {', '.join(names)}")
    console.print("  ".join(f"{index}: {name}" for index, name in enumerate(names, start=1)), highlight=False)
    answer = console.input("? ").strip()
    return names[int(answer) - 1] if answer.isdigit() and 0 < int(answer) <= len(names) else answer


def _describe(heading: str, description: str, known: list[spec.Option], *, whole: bool = False) -> None:
    first, *rest = (_flow(paragraph) for paragraph in description.split("\n\n"))
    console.print(f"[bold]{heading}[/bold]  {first}", highlight=False)
    for paragraph in rest if whole else []:
        console.print(f"\n{paragraph}", markup=False, highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    for option in known:
        values = "|".join(option.choices) or option.kind.__name__
        table.add_row(f"{option.name}=[cyan]{spec.show(option.default)}[/cyan]", values, option.help)
    if known:
        console.print(table)
    console.print()


def _flow(paragraph: str) -> str:
    """A paragraph as one line for the terminal to wrap; an indented one is a drawing and stays as it is."""
    return paragraph if paragraph.startswith(" ") else " ".join(paragraph.split())


def _fail(message: str) -> NoReturn:
    errors = Console(stderr=True, emoji=False, markup=False, highlight=False)
    errors.print(f"ludoteca: {message}", style="red", soft_wrap=True)
    raise SystemExit(2)


def _spelled_out(arguments: list[str]) -> list[str]:
    """``--ray`` alone means ``--ray auto``: its address may be left out, which Typer has no word for."""
    following = [*arguments[1:], "--"]
    return [
        f"{each}=auto" if each == "--ray" and after.startswith("-") else each
        for each, after in zip(arguments, following, strict=False)
    ]


def main() -> None:
    """Runs the command line; what a user got wrong is one line and exit status 2, never a traceback."""
    try:
        app(_spelled_out(sys.argv[1:]))
    except LudotecaError as error:
        _fail(str(error))


if __name__ == "__main__":
    main()
