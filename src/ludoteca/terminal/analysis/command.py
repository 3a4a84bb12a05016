"""``ludoteca analyze`` and ``ludoteca solve``: what is thought of a position, while it is being thought."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from ludoteca.agents import strongest
from ludoteca.agents.solvers import all_actions_solver, solver
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption, InvalidPosition
from ludoteca.games import game as game_of
from ludoteca.messages import Speaker, say, translate
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.positions import position
from ludoteca.players.analysis import analyze as thoughts_of
from ludoteca.protocols import Decision, Drawable, Limit, View
from ludoteca.terminal.analysis.decision_view import decision_view

__all__ = ["analyze", "solve"]

REDRAWN = 8
"""Times a second."""

GameSpec = Annotated[str, typer.Argument(help="What is played, such as hex:size=7; see: ludoteca games")]
Actions = Annotated[
    str,
    typer.Argument(
        metavar="[position]", help="The actions that led there, such as 'f6 e5 d7'; without them the first position."
    ),
]
Start = Annotated[
    str, typer.Option(help="Begin from a position set up by hand instead of a deal, as in: ludoteca play --start")
]
Seed = Annotated[int, typer.Option(min=0, help="The deal, where there is one.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="A file for a picture of the decision_view.")]


def analyze(
    game: GameSpec,
    actions: Actions = "",
    agent: Annotated[
        str | None, typer.Option(help="Who thinks; by default the strongest that there is for the game.")
    ] = None,
    limit: Annotated[str, typer.Option(help="How long: 10s, or 100000n (nodes).")] = "10s",
    start: Start = "",
    seed: Seed = 0,
    svg: Svg = None,
) -> None:
    """Show what an agent thinks of a position, live. Ctrl-C ends it with what is known by then."""
    match = _match(game, actions, start, seed)
    chosen = strongest(match.game) if agent is None else agent
    if agent is None and chosen.startswith("engine:"):  # without the network that it usually has
        told = say("{agent} thinks; the engine itself needs more: pip install 'ludoteca[nets]'", agent=chosen)
        Console(stderr=True, emoji=False, markup=False, highlight=False).print(translate(told, preferred_language()))
    each = MatchLimit.parse(limit).next(0.0, 0)
    view = _view(match)
    seen = match.views_seen(view.seat)
    thinking = thoughts_of(view, chosen, Limit(each.seconds, each.nodes), seen=seen)
    _show(view, thinking, svg)


def solve(
    game: GameSpec,
    actions: Actions = "",
    against: Annotated[
        str, typer.Option(help="Find the best answer to this agent, instead of best play by both; for some games.")
    ] = "",
    every: Annotated[
        bool, typer.Option("--every", help="Prove the value of every action, not only of the best; for some games.")
    ] = False,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Cores to use at once.")] = 1,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes that its tables may take.")] = 256,
    start: Start = "",
    seed: Seed = 0,
    svg: Svg = None,
) -> None:
    """Prove the value of a position, however long it takes. Ctrl-C ends it with what is known by then.

    The exit status is 0 when it is proven, 1 when it is not.
    """
    match = _match(game, actions, start, seed)
    view = _view(match)
    if every and against:
        raise InvalidOption(say("--every is about best play by both sides: it does not go with --against"))
    if every:
        thinking = all_actions_solver(match.game)(match.game, view, threads=threads, memory=memory)
    else:
        thinking = solver(match.game)(match.game, view, threads=threads, memory=memory, against=against)
    found = _show(view, thinking, svg, every=every)
    if found is None or not found.proven:
        raise typer.Exit(1)


def _match(game: str, actions: str, start: str, seed: int) -> Match:
    return position(game_of(game), actions, start=start, seed=seed, language=preferred_language())


def _view(match: Match) -> View:
    if match.turn is None:
        raise InvalidPosition(say("the match is over there, so there is nothing to decide"))
    return match.view(match.turn)


def _show(view: View, thinking: Iterator[Decision], svg: Path | None, *, every: bool = False) -> Decision | None:
    """Shows decisions while they come; the last one. Ctrl-C is a way to end it, not an error.

    every: their scores are proven values.
    """
    if svg is not None and not isinstance(view.game, Drawable):
        raise InvalidOption(say("{game} does not draw itself, so there is nothing for --svg", game=view.game.spec))
    console, language = Console(emoji=False, highlight=False), preferred_language()
    started, last, interrupted = time.perf_counter(), None, False
    try:
        with Live(console=console, refresh_per_second=REDRAWN, auto_refresh=False) as live:
            drawn = 0.0
            try:
                for decision in thinking:
                    now = time.perf_counter()
                    last = decision
                    if now - drawn >= 1 / REDRAWN:
                        shown = decision_view(view, decision, now - started, language, every=every)
                        live.update(shown, refresh=console.is_terminal)
                        drawn = now
            except KeyboardInterrupt:
                interrupted = True
            if last is not None:
                seconds = time.perf_counter() - started
                live.update(decision_view(view, last, seconds, language, every=every), refresh=True)
    finally:
        if (close := getattr(thinking, "close", None)) is not None:
            close()
    if interrupted or last is None:
        console.print(Speaker(language).say("Stopped: this is what is known so far."), style="dim")
    if svg is not None and last is not None:
        _draw(view, last, svg, language)
    return last


def _draw(view: View, decision: Decision, path: Path, language: Language) -> None:
    assert isinstance(view.game, Drawable)
    picture = view.game.svg(view, heat=decision.scores, line=decision.line, language=language)
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InvalidOption(say("{path} cannot be written: {error}", path=path, error=error)) from error
