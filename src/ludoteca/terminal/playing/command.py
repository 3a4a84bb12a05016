"""``ludoteca play``: start a match in the terminal or continue one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca import agents, games, spec
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidGame, LudotecaError
from ludoteca.games.side_names import seat_called
from ludoteca.messages import say, say_count, translate
from ludoteca.play.store import Store, default_path
from ludoteca.terminal.playing.saved_match import MatchRequest, SavedMatch, new_match, unfinished_matches
from ludoteca.terminal.playing.session import play as play_in_terminal

console = Console(emoji=False)


def play(
    game: Annotated[str | None, typer.Argument(help="The game, such as hex:size=7; see: ludoteca games")] = None,
    against: Annotated[
        str,
        typer.Option(
            help="The opponent: an agent (see: ludoteca agents), a player's file such as "
            "path/solution.py:SmartPlayer, or human for a second person at this terminal."
        ),
    ] = "random",
    own_side: Annotated[
        str | None,
        typer.Option(
            "--side",
            "--seat",
            help="Your side: red or blue, in Horses white or black; 0 is the side that moves first. By default 0, "
            "unless the agent was trained for that side alone.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal from this seed; by default at random.")] = None,
    start: Annotated[
        str,
        typer.Option(
            help="Start from a position instead of a deal: dominoes as in 'line: 6-6 6-4; 0: 5-5 3-1; 1: 4', "
            "kittens as in 'deck: safe bomb skip; 0: defuse; 1: attack'."
        ),
    ] = "",
    limit: Annotated[
        str | None,
        typer.Option(
            help="Thinking time of the agent: 2s or 5000n (nodes) per move, or 60s/match; beyond it the agent loses. "
            "By default 2s, and 5s for a file."
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help=spec.language_help())] = None,
    explain: Annotated[bool, typer.Option(help="Show why the agent moved; with hidden cards, after the match.")] = True,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run an agent that is not ours in this process, with your rights.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the unfinished match that you played last.")
    ] = False,
    match: Annotated[
        int | None,
        typer.Option(min=0, help="With --resume: the number of another unfinished match; see: ludoteca show terminal"),
    ] = None,
    store: Annotated[Path | None, typer.Option("--store", help="The file that holds all matches.")] = None,
) -> None:
    """Play a game in the terminal.

    Type a move as it is listed, or ? for help: hint, rules, undo, resign. Ctrl-C saves the match for --resume.
    """
    read_in = spec.language_of("play", language)
    if not resume and game is None:
        game = choose_game(read_in)
    with Store(default_path() if store is None else store) as opened:
        if resume:
            saved = SavedMatch.resume(opened, match)
        else:
            assert game is not None
            seat = None if own_side is None else seat_called(games.game(game), own_side)
            request = MatchRequest(
                game, against, seat, seed, start, limit or ("5s" if agents.is_file(against) else "2s")
            )
            saved = SavedMatch.begin(opened, new_match(request))
            _say_unfinished(opened, read_in)
        play_in_terminal(saved, console, read_in, explain=explain, trust=trust)


def _say_unfinished(store: Store, language: Language) -> None:
    """Mention the other unfinished matches."""
    waiting = len(unfinished_matches(store)) - 1
    if waiting > 0:
        text = say_count(
            "You have {count} unfinished match: ludoteca play --resume",
            "You have {count} unfinished matches: ludoteca play --resume",
            waiting,
        )
        console.print(translate(text, language), style="dim", markup=False, highlight=False)


def choose_game(language: Language) -> str:
    """Ask for a game, by number or name, until there is one; leaving ends the program."""
    names = games.names()
    if not sys.stdin.isatty():
        raise InvalidGame("which game? one of {names}", names=names)
    for number, name in enumerate(names, start=1):
        line = translate(games.summary(name), language)
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
