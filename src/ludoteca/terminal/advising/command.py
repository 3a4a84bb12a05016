"""``ludoteca advise``: enter what happens at a real table and be advised."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca import games, spec
from ludoteca.agents import agent as agent_of
from ludoteca.agents import strongest
from ludoteca.errors import InvalidFile, InvalidGame
from ludoteca.games.observed import observer_of
from ludoteca.games.side_names import seat_called
from ludoteca.play.clock import MatchLimit
from ludoteca.play.observed import ObservedMatch
from ludoteca.play.store import default_path
from ludoteca.protocols import Game, Seat
from ludoteca.terminal.advising.session import AdviceSession, SavedEvents
from ludoteca.terminal.playing.command import choose_game

console = Console(emoji=False)


def advise(
    game: Annotated[str | None, typer.Argument(help="The game, such as dominoes; see: ludoteca games")] = None,
    agent: Annotated[
        str | None, typer.Option(help="The agent that advises you; by default the strongest for the game.")
    ] = None,
    own_side: Annotated[
        str,
        typer.Option(
            "--seat", "--side", help="Your side: 0 is the side that moves first, or red, blue, in Horses white, black."
        ),
    ] = "0",
    start: Annotated[
        str,
        typer.Option(
            help="How the match began, instead of the questions: dominoes as in 'hand: 6-4 3-1 …; begins: me', or "
            "'line: 6-6 6-4; hand: 5-5 3-1; other: 4; turn: me' if it has already begun, "
            "horses as in 'layout: W@b1 B@g8 +10@c3'."
        ),
    ] = "",
    begun: Annotated[
        bool,
        typer.Option(
            "--begun",
            help="The match has already begun: Dominoes asks for the table; elsewhere enter all that happened.",
        ),
    ] = False,
    limit: Annotated[str, typer.Option(help="Thinking time for an advice: 2s or 5000n (nodes).")] = "1s",
    language: Annotated[str | None, typer.Option(help=spec.language_help())] = None,
    continued: Annotated[
        Path | None, typer.Option("--from", help="Continue the list of events in this file, and save it there.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Save the list of events in this file; by default next to the store.")
    ] = None,
) -> None:
    """Be advised at a real table: you enter what happens, an agent says what to play.

    Enter each play, draw and pass, yours and the other player's, or ? for help. You see the best action with its
    reasons, your chance to win and what the other player probably holds. Everything is saved at once: Ctrl-C loses
    nothing.
    """
    read_in = spec.language_of("advise", language)
    thinking = MatchLimit.parse(limit).next(0.0, 0)
    match: ObservedMatch | None = None
    if continued is not None:
        match = _read(continued)
        rules: Game = match.game
        seat: Seat = match.seat
    else:
        rules = games.game(choose_game(read_in) if game is None else game)
        seat = seat_called(rules, own_side)
        if observer_of(rules) is None:
            raise InvalidGame("{game} cannot be followed from one seat", game=rules.spec)
        if start:
            match = ObservedMatch(rules, seat, start)
    name = strongest(rules) if agent is None else agent
    agent_of(name)  # raises before the first question if there is no such agent
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = save or continued or default_path().parent / f"advice-{rules.name}-{stamp}.json"
    AdviceSession(rules, seat, match, name, thinking, SavedEvents(path), console, read_in, begun=begun).run()


def _read(path: Path) -> ObservedMatch:
    """The events of a file. Raises InvalidFile and what an ObservedMatch raises."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidFile("{path} cannot be read: {reason}", path=path, reason=str(error)) from None
    return ObservedMatch.from_json(fields if isinstance(fields, dict) else {})
