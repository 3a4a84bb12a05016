"""The command line: ``games``, ``agents``, ``play``, ``serve``, ``train``, and the arena's from `commands`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
import typer.core
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ludoteca import agents, games, spec
from ludoteca.catalogues import Language, languages, preferred_language
from ludoteca.errors import BrokenAgent, LudotecaError
from ludoteca.games.lessons import GAMES
from ludoteca.games.sides import seat_called
from ludoteca.messages import say, say_count, translate
from ludoteca.play.conditions import MEMORY
from ludoteca.play.store import Store, default_path
from ludoteca.terminal import analysis, matches, openings, review, stored
from ludoteca.terminal.htp import htp
from ludoteca.terminal.kept import Asked, KeptMatch, new_match, unfinished_matches
from ludoteca.terminal.play import play as play_in_terminal
from ludoteca.terminal.replay import replay

__all__ = ["app", "main"]

__version__ = version("ludoteca")

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
        try:
            known = agents.describe(name).options
        except BrokenAgent:
            return "cannot be imported"
        return ", ".join(f"{option.name}={spec.show(option.default)}" for option in known) or "no options"


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"ludoteca {__version__}")
        raise typer.Exit


@app.callback()
def ludoteca(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """What all commands share; its help is the application's."""


@app.command("games")
def list_games(
    name: Annotated[str | None, typer.Argument(help="One game, to read its rules too.")] = None,
) -> None:
    """List the games with their options, or tell the rules of one."""
    for each in [name.lower()] if name else [*games.names(), *games.BRIDGES]:
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
    bridges = [each for each in agents.BRIDGES if game is None or agents.plays_game(each, game)]
    for name in [*agents.names(game), *bridges]:
        try:
            about = agents.describe(name)
        except BrokenAgent as error:
            _describe(name, str(error), [], whole=True)
            continue
        plays = ", ".join(each for each in games.names() if about.plays(each))
        _describe(f"{name} ({plays})", about.text, about.options)


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
    own_side: Annotated[
        str,
        typer.Option(
            "--side", "--seat", help="Yours: red or blue, in Horses white or black; 0 is the one named first."
        ),
    ] = "0",
    seed: Annotated[int | None, typer.Option(min=0, help="Deal from this seed; by default a new one.")] = None,
    start: Annotated[
        str,
        typer.Option(
            help="Begin from a position instead of a deal: dominoes as in 'line: 6-6 6-4; 0: 5-5 3-1; 1: 4', "
            "kittens as in 'deck: safe bomb skip; 0: defuse; 1: attack'."
        ),
    ] = "",
    limit: Annotated[
        str, typer.Option(help="What the agent may use: 2s or 5000n (nodes) per action, 60s/match; it loses beyond.")
    ] = "2s",
    language: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(languages())}; by default that of your environment.")
    ] = None,
    explain: Annotated[
        bool, typer.Option(help="Show why the agent moved; with hidden hands, when the match is over.")
    ] = True,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run an agent that is not ours in this very process, with your rights.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the unfinished match played at last.")] = False,
    match: Annotated[
        int | None, typer.Option(min=0, help="With --resume: another unfinished match; see: ludoteca show terminal")
    ] = None,
    store: Annotated[Path | None, typer.Option("--store", help="The file that keeps every match.")] = None,
) -> None:
    """Play a game in the terminal.

    Type a move as it is listed, or ? for help: hint, rules, undo, resign. Ctrl-C keeps the match for --resume.
    """
    read_in = preferred_language() if language is None else spec.one_of("play", "language", language, languages())
    if not resume and game is None:
        game = _choose_game(read_in)
    with Store(default_path() if store is None else store) as opened:
        if resume:
            kept = KeptMatch.resume(opened, match)
        else:
            assert game is not None
            seat = seat_called(games.game(game), own_side)
            asked = Asked(game, against, seat, seed, start, limit)
            kept = KeptMatch.begin(opened, new_match(asked))
            _say_unfinished(opened, read_in)
        play_in_terminal(kept, console, read_in, explain=explain, trust=trust)


def _say_unfinished(store: Store, language: Language) -> None:
    """Whoever begins a new match is told of those that wait."""
    waiting = len(unfinished_matches(store)) - 1
    if waiting > 0:
        text = say_count(
            "{count} unfinished match waits: ludoteca play --resume",
            "{count} unfinished matches wait: ludoteca play --resume",
            waiting,
        )
        console.print(translate(text, language), style="dim", markup=False, highlight=False)


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
        _fail(say("training needs more packages ({error}): pip install 'ludoteca[learn]'", error=error))
    raise SystemExit(train_dqn(context.args))


@training.command("zero", add_help_option=False, context_settings=PASSED_ON)
def train_zero(context: typer.Context) -> None:
    """Train a network for Hex or Horses by self-play; its options: ludoteca train zero --help."""
    try:
        from ludoteca.learn.zero_command import train_zero
    except ImportError as error:
        _fail(say("training needs more packages ({error}): pip install 'ludoteca[learn]'", error=error))
    raise SystemExit(train_zero(context.args))


app.command(cls=OffersAgents)(analysis.analyze)
for command in (
    analysis.solve, matches.match, matches.tournament, stored.show, replay, review.review, stored.export,
    openings.openings, htp,
):  # fmt: skip
    app.command()(command)


def _choose_game(language: Language) -> str:
    """Asks until a game is named, by its number or as it is written; whoever leaves instead leaves the program."""
    names = games.names()
    if not sys.stdin.isatty():
        _fail(say("which game? one of {names}", names=names))
    for number, name in enumerate(names, start=1):
        line = translate(GAMES[name].line, language) if name in GAMES else ""
        console.print(f"  {number}  {name:<10} {line}".rstrip(), markup=False, highlight=False)
    while True:
        try:
            answer = console.input(translate(say("Which game? Its number or name: "), language)).strip()
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise typer.Exit from None
        if answer.isdecimal() and 0 < int(answer) <= len(names):
            return names[int(answer) - 1]
        try:
            return games.game(answer).spec
        except LudotecaError as error:
            console.print(translate(error.message, language), markup=False, highlight=False)


def _describe(heading: str, description: str, known: Sequence[spec.Option], *, whole: bool = False) -> None:
    first, *rest = (_flow(paragraph) for paragraph in description.split("\n\n"))
    console.print(f"[bold]{heading}[/bold]  {escape(first)}", highlight=False)
    for paragraph in rest if whole else []:
        console.print(f"\n{paragraph}", markup=False, highlight=False)
    table, language = Table(box=None, padding=(0, 2, 0, 2), show_header=False), preferred_language()
    for option in known:
        values = "|".join(option.choices) or option.kind.__name__
        about = ": ".join(translate(text, language) for text in (option.title, option.help) if text)
        table.add_row(f"{option.name}=[cyan]{escape(spec.show(option.default))}[/cyan]", values, escape(about))
    if known:
        console.print(table)
    console.print()


def _flow(paragraph: str) -> str:
    """A paragraph as one line for the terminal to wrap; an indented one is a drawing and stays as it is."""
    return paragraph if paragraph.startswith(" ") else " ".join(paragraph.split())


def _fail(message: str) -> NoReturn:
    errors = Console(stderr=True, emoji=False, markup=False, highlight=False)
    errors.print(f"ludoteca: {translate(message, preferred_language())}", style="red", soft_wrap=True)
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
        _fail(error.message)


if __name__ == "__main__":
    main()
