"""The command line: the list of commands. Each is imported when it is called, so that ``--help`` is fast.

A command is a function for Typer in some module, and one line in `COMMANDS`.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Annotated, Any, Final, NamedTuple, NoReturn

import typer
import typer.core
import typer.main


class Command(NamedTuple):
    """Where a command is defined, and its line in ``--help``."""

    place: str
    """``module:name`` below ``ludoteca``: a function, or a Typer application with subcommands."""
    summary: str
    """The first sentence of its docstring."""
    offers_agents: bool = False
    """Whether its own ``--help`` ends with a list of agents."""


COMMANDS: Final = {
    "games": Command(
        "terminal.games_and_agents:list_games", "List the games with their options, or show the rules of one."
    ),
    "agents": Command(
        "terminal.games_and_agents:list_agents", "List the agents with their options and the games they play.", True
    ),
    "play": Command("terminal.playing.command:play", "Play a game in the terminal.", True),
    "advise": Command(
        "terminal.advising.command:advise",
        "Be advised at a real table: you enter what happens, an agent says what to play.",
        True,
    ),
    "serve": Command("web.command:serve", "Open the page: play, watch and understand in a browser."),
    "analyze": Command("terminal.analysis.command:analyze", "Show what an agent thinks of a position, live.", True),
    "solve": Command("terminal.analysis.command:solve", "Prove the value of a position, however long it takes."),
    "exploitability": Command(
        "terminal.analysis.exploitability:exploitability",
        "Say how much a best response gains against an agent, exactly, in a small game.",
    ),
    "puzzles": Command("terminal.analysis.puzzles:app", "Make puzzles with one proven answer, or check some."),
    "match": Command(
        "terminal.matches.command:match",
        "Play many matches between two agents and say which is stronger, and how sure that is.",
    ),
    "tournament": Command(
        "terminal.matches.command:tournament",
        "Play a tournament: round-robin, Swiss, gauntlet or knock-out.",
    ),
    "show": Command("terminal.stored.show:show", "List all runs, or show the results of one."),
    "replay": Command("terminal.stored.replay:replay", "Show a stored match, board by board."),
    "review": Command(
        "terminal.stored.review:review", "Review a stored match: what each move lost, and which move was better."
    ),
    "calibrate": Command(
        "terminal.stored.calibrate:calibrate_values",
        "Fit what the values of agents mean as chances to win, from all stored matches of a game.",
    ),
    "export": Command("terminal.stored.show:export", "Write the matches of a run in a format for other programs."),
    "openings": Command(
        "terminal.matches.openings:openings", "Make a suite of openings for match and tournament: --openings FILE."
    ),
    "convert": Command(
        "terminal.stored.convert:convert",
        "Convert matches between formats: JSON Lines, SGF, HexWorld addresses, text.",
    ),
    "rescue": Command(
        "terminal.stored.rescue:rescue", "Copy what can still be read of a damaged store into a new one."
    ),
    "check": Command("course.check.command:check", "Try a player's file before it is handed in."),
    "course": Command(
        "course.command:app", "A class's tournament: from a folder of submissions to a ranking, replays and grades."
    ),
    "league": Command(
        "league.command:app",
        "A class's leaderboard that never sleeps: students hand in versions, and the league plays on.",
    ),
    "doctor": Command(
        "terminal.doctor:doctor",
        "Check every layer of the sandbox in which other people's code runs, and say what is missing.",
    ),
    "htp": Command(
        "terminal.htp:htp",
        "Let HexGui, or any program that speaks HTP, play against an agent.",
    ),
    "train": Command("terminal.train:training", "Train agents."),
}  # fmt: skip
"""In the order of ``--help``."""


class LateCommands(typer.core.TyperGroup):
    """A group that imports a command only when it is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = dict.fromkeys(COMMANDS)  # for the order, and for suggestions after a mistyped name

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name; None if there is none."""
        found = COMMANDS.get(cmd_name)
        return None if found is None else _imported(cmd_name, found)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the summaries for ``--help`` without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])


def _imported(name: str, command: Command) -> Any:
    module, _, attribute = command.place.partition(":")
    found = getattr(import_module(f"ludoteca.{module}"), attribute)
    if isinstance(found, typer.Typer):
        group = typer.main.get_group(found)
        group.name = name
        return group
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    if command.offers_agents:
        from ludoteca.terminal.games_and_agents import OffersAgents

        alone.command(name, cls=OffersAgents)(found)
    else:
        alone.command(name)(found)
    return typer.main.get_command(alone)


app = typer.Typer(
    cls=LateCommands,
    name="ludoteca",
    help="An arena for game-playing agents: Hex, Horses, Dominoes and Kittens.\n\n"
    "Write a game or an agent as NAME or NAME:option=value,option=value, such as hex:size=7,swap=true.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # slow to import

        print(f"ludoteca {version('ludoteca')}")
        raise typer.Exit


@app.callback()
def ludoteca(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of all commands."""


def _fail(message: str) -> NoReturn:
    _print_error(message, "red")
    raise SystemExit(2)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the place in our code."""
    _print_error(message.args[0] if isinstance(message, Warning) and message.args else message, "yellow")


def _print_error(message: object, style: str) -> None:
    from rich.console import Console

    from ludoteca.catalogues import preferred_language
    from ludoteca.messages import translate

    errors = Console(stderr=True, emoji=False, markup=False, highlight=False)
    text = translate(message if isinstance(message, str) else str(message), preferred_language())
    errors.print(f"ludoteca: {text}", style=style, soft_wrap=True)


def _spelled_out(arguments: list[str]) -> list[str]:
    """``--ray`` alone means ``--ray auto``: Typer knows no options with an optional value."""
    following = [*arguments[1:], "--"]
    return [
        f"{each}=auto" if each == "--ray" and after.startswith("-") else each
        for each, after in zip(arguments, following, strict=False)
    ]


def main() -> None:
    """Run the command line. A user's mistake is one line and exit status 2, never a traceback."""
    warnings.showwarning = _warn
    try:
        app(_spelled_out(sys.argv[1:]))
    except Exception as error:
        from ludoteca.errors import LudotecaError  # only now: --help needs none

        if not isinstance(error, LudotecaError):
            raise
        _fail(error.message)


if __name__ == "__main__":
    main()
