"""``ludoteca play``: a person at the terminal begins a match or goes on with one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca import agents, games, spec
from ludoteca.catalogues import Language, languages, preferred_language
from ludoteca.errors import InvalidGame, LudotecaError
from ludoteca.games.side_names import seat_called
from ludoteca.messages import say, say_count, translate
from ludoteca.play.store import Store, default_path
from ludoteca.terminal.playing.saved_match import MatchRequest, SavedMatch, new_match, unfinished_matches
from ludoteca.terminal.playing.session import play as play_in_terminal

__all__ = ["play"]

console = Console(emoji=False)


def play(
    game: Annotated[str | None, typer.Argument(help="What to play, such as hex:size=7; see: ludoteca games")] = None,
    against: Annotated[
        str,
        typer.Option(
            help="An agent (see: ludoteca agents), a player's file such as path/solution.py:SmartPlayer, "
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
        str | None,
        typer.Option(
            help="What the agent may use: 2s or 5000n (nodes) per action, 60s/match; it loses beyond. By default 2s, "
            "and for a file 5s."
        ),
    ] = None,
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
            kept = SavedMatch.resume(opened, match)
        else:
            assert game is not None
            seat = seat_called(games.game(game), own_side)
            asked = MatchRequest(game, against, seat, seed, start, limit or ("5s" if agents.is_file(against) else "2s"))
            kept = SavedMatch.begin(opened, new_match(asked))
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


def _choose_game(language: Language) -> str:
    """Asks until a game is named, by its number or as it is written; whoever leaves instead leaves the program."""
    names = games.names()
    if not sys.stdin.isatty():
        raise InvalidGame(say("which game? one of {names}", names=names))
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
