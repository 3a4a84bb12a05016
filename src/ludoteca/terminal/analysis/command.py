"""``ludoteca analyze`` and ``ludoteca solve``: search one position and show the result live."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ludoteca.agents import strongest
from ludoteca.agents.solvers.positions import all_actions_solver, solver
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption, InvalidPosition
from ludoteca.games import game as game_of
from ludoteca.games.display import position_svg
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, say, translate
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.positions import position
from ludoteca.players.analysis import analyze as thoughts_of
from ludoteca.protocols import Decision, Drawable, Limit, MarkableText, View
from ludoteca.reports.chance import outlook
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.plain_fields import decision_fields
from ludoteca.reports.text_table import whole_table
from ludoteca.terminal.analysis.starts import solve_starts
from ludoteca.terminal.colours import painted

REDRAWN = 8
"""Times a second."""

GameSpec = Annotated[str, typer.Argument(help="The game, such as hex:size=7; see: ludoteca games")]
Actions = Annotated[
    str,
    typer.Argument(
        metavar="[position]", help="The moves that lead to the position, such as 'f6 e5 d7'; by default none."
    ),
]
Start = Annotated[str, typer.Option(help="Start from a position set up by hand, as in: ludoteca play --start")]
Seed = Annotated[int, typer.Option(min=0, help="The seed of the deal.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Also show values and scores as numbers.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write a picture of the result to this file.")]


def analyze(
    game: GameSpec,
    actions: Actions = "",
    agent: Annotated[
        str | None, typer.Option(help="The agent that thinks; by default the strongest for the game.")
    ] = None,
    limit: Annotated[str, typer.Option(help="Thinking time: 10s, or 100000n (nodes).")] = "10s",
    start: Start = "",
    seed: Seed = 0,
    svg: Svg = None,
    verbose: Verbose = False,
    as_json: JsonOption = False,
) -> None:
    """Show what an agent thinks of a position, live. Ctrl-C stops it and shows the result so far."""
    match = _match(game, actions, start, seed)
    chosen = strongest(match.game) if agent is None else agent
    if agent is None and chosen.startswith("engine:"):  # without the network that it usually has
        text = say("{agent} thinks; for the engine itself: pip install 'ludoteca[nets]'", agent=chosen)
        Console(stderr=True, emoji=False, markup=False, highlight=False).print(translate(text, preferred_language()))
    each = MatchLimit.parse(limit).next(0.0, 0)
    view = _view(match)
    seen = match.views_seen(view.seat)
    thinking = thoughts_of(view, chosen, Limit(each.seconds, each.nodes), seen=seen)
    found = _show(view, thinking, svg, agent=chosen, verbose=verbose, as_json=as_json)
    if as_json:
        print_json("analysis", _fields(match, view, found, chosen) | {"agent": chosen})


def solve(
    game: GameSpec,
    actions: Actions = "",
    against: Annotated[str, typer.Option(help="Find the best play against this agent instead; for some games.")] = "",
    every: Annotated[
        bool, typer.Option("--every", help="Prove the value of every move, not only of the best; for some games.")
    ] = False,
    threads: Annotated[int, typer.Option(min=1, max=64, help="How many cores to use.")] = 1,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes for its tables.")] = 256,
    start: Start = "",
    seed: Seed = 0,
    all_openings: Annotated[
        bool, typer.Option("--all-openings", help="Solve every first move instead, one after another; needs --out.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=0, help="Solve the deals of so many seeds instead, from 0 on; needs --out.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="The file for the results of many starts; if it exists, the command goes on with it."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="The most positions for each start of --all-openings or --seeds.")
    ] = None,
    first_nodes: Annotated[
        int | None,
        typer.Option(min=1, help="The positions of a first attempt at each start; each round has four times as many."),
    ] = None,
    svg: Svg = None,
    verbose: Verbose = False,
    as_json: JsonOption = False,
) -> None:
    """Prove the value of a position, however long it takes. Ctrl-C stops it and shows the result so far.

    With --all-openings or --seeds it solves many starts, the easy ones first. Ctrl-C loses nothing: the same command
    goes on. The exit status is 0 if all that was asked for is proven, else 1.
    """
    if all_openings or seeds or out is not None or nodes is not None or first_nodes is not None:
        if out is None or all_openings == bool(seeds) or actions or start or every or against:
            raise InvalidOption(
                say("many starts are solved with --out FILE and either --all-openings or --seeds COUNT")
            )
        rules = game_of(game)
        words = [rules.spec, *(["--all-openings"] if all_openings else ["--seeds", str(seeds)])]
        words += [] if nodes is None else ["--nodes", str(nodes)]
        words += [] if first_nodes is None else ["--first-nodes", str(first_nodes)]
        speaker = Speaker(preferred_language())
        solutions = solve_starts(
            rules, out, f"ludoteca solve {' '.join(words)} --out {out.name}",
            Console(emoji=False, highlight=False, stderr=as_json), speaker, openings=all_openings, seeds=seeds,
            threads=threads, memory=memory, most_nodes=nodes, first_nodes=first_nodes,
        )  # fmt: skip
        done = len(solutions.settled) == len(solutions.starts)
        if as_json:
            print_json("solutions", asdict(solutions) | {"complete": done})
        raise typer.Exit(0 if done else 1)
    match = _match(game, actions, start, seed)
    view = _view(match)
    if every and against:
        raise InvalidOption(say("--every assumes best play by both sides, so it cannot be used with --against"))
    if every:
        thinking = all_actions_solver(match.game)(match.game, view, threads=threads, memory=memory)
    else:
        thinking = solver(match.game)(match.game, view, threads=threads, memory=memory, against=against)
    found = _show(view, thinking, svg, every=every, verbose=verbose, as_json=as_json)
    if as_json:
        print_json("solution", _fields(match, view, found) | {"against": against or None, "every": every})
    if found is None or not found.proven:
        raise typer.Exit(1)


def _match(game: str, actions: str, start: str, seed: int) -> Match:
    return position(game_of(game), actions, start=start, seed=seed, language=preferred_language())


def _view(match: Match) -> View:
    if match.turn is None:
        raise InvalidPosition(say("the match is over in this position, so there is no move to find"))
    return match.view(match.turn)


def _fields(match: Match, view: View, found: Decision | None, agent: str = "") -> dict[str, Any]:
    """The position and what was found about it; found: None if the search was stopped before it found anything."""
    return {
        "game": view.game.spec,
        "position": [str(view.game.action_name(action)) for action in match.actions],
        "seed": match.seed,
        "start": match.start,
        "seat": view.seat,
        "decision": None if found is None else decision_fields(view, found, agent),
    }


def _show(
    view: View,
    thinking: Iterator[Decision],
    svg: Path | None,
    *,
    agent: str = "",
    every: bool = False,
    verbose: bool = False,
    as_json: bool = False,
) -> Decision | None:
    """Show decisions as they come. Returns the last one, also after Ctrl-C.

    agent, every, verbose: as in `decision_view`. as_json: all goes to the standard error.
    """
    if svg is not None and not isinstance(view.game, Drawable):
        raise InvalidOption("{game} has no picture, so --svg does not work here", game=view.game.spec)
    console, language = Console(emoji=False, highlight=False, stderr=as_json), preferred_language()
    draw = partial(decision_view, agent=agent, every=every, verbose=verbose)
    started, last, interrupted = time.perf_counter(), None, False
    try:
        with Live(console=console, refresh_per_second=REDRAWN, auto_refresh=False) as live:
            drawn = 0.0
            try:
                for decision in thinking:
                    now = time.perf_counter()
                    last = decision
                    if now - drawn >= 1 / REDRAWN:
                        shown = draw(view, decision, now - started, language)
                        live.update(shown, refresh=console.is_terminal)
                        drawn = now
            except KeyboardInterrupt:
                interrupted = True
            if last is not None:
                seconds = time.perf_counter() - started
                live.update(draw(view, last, seconds, language), refresh=True)
    finally:
        if (close := getattr(thinking, "close", None)) is not None:
            close()
    if interrupted or last is None:
        console.print(Speaker(language).say("Stopped. This is the result so far."), style="dim")
    if svg is not None and last is not None:
        _draw(view, last, svg, language)
    return last


def _draw(view: View, decision: Decision, path: Path, language: Language) -> None:
    picture = position_svg([view], heat=decision.scores, line=decision.line, reasons_of=decision, language=language)
    assert picture is not None
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InvalidOption("{path} cannot be written: {error}", path=path, error=error) from error


SHOWN = 8
"""How many actions are listed with their scores."""
BAR = 20
"""Characters of the longest bar."""


def decision_view(
    view: View,
    decision: Decision,
    seconds: float,
    language: Language,
    *,
    agent: str = "",
    every: bool = False,
    verbose: bool = False,
) -> RenderableType:
    """A decision about a position after so many seconds of thinking.

    agent: the spec of the one that decides, which says what its value means. every: its scores are proven values, so
    each action wins, draws or loses. verbose: also its value and its scores as numbers.
    """
    speaker, game = Speaker(language), view.game
    parts: list[RenderableType] = [_board(view, decision, language, every), Text()]
    chosen = speaker.say("best: {action}", action=game.action_name(decision.action))
    if stands := speaker.translate(outlook(game, view.seat, agent, decision)):
        chosen += f"   {stands}"
    parts.append(Text(chosen, style="bold"))
    if verbose and decision.value is not None:
        whose = side(game, view.seat)
        parts.append(Text(speaker.say("value for {side}: {value:+z.3f}", side=whose, value=decision.value)))
    if decision.explanation:
        parts.append(Text(speaker.translate(decision.explanation)))
    if len(decision.line) > 1:
        line = " ".join(speaker.translate(game.action_name(action)) for action in decision.line)
        parts.append(Text(speaker.say("line: {line}", line=line)))
    if every:
        parts += [Text(line) for line in _verdicts(view, decision, speaker)]
    elif len(decision.scores) > 1:
        parts.append(_scores(view, decision, speaker, verbose))
    effort = [f"{speaker.number(seconds, '.1f')} s"]
    if decision.nodes:
        looked = speaker.say_count("looked at {nodes:,} position", "looked at {nodes:,} positions", decision.nodes,
                                   nodes=decision.nodes)  # fmt: skip
        depth = speaker.say_count("{count} move ahead", "{count} moves ahead", decision.depth)
        effort = [looked, *([depth] if decision.depth > 1 else []), *effort]
        effort.append(speaker.say("{rate:,} positions/s", rate=round(decision.nodes / max(seconds, 1e-6))))
    parts.append(Text(" · ".join(effort), style="dim"))
    return Group(*parts)


def _board(view: View, decision: Decision, language: Language, every: bool) -> Text:
    """The text board; with `every`, each action shows +, = or − at its place."""
    game = view.game
    if not (every and isinstance(game, MarkableText)):
        return painted(view, language)
    signs = {action: "+" if score > 0 else "−" if score < 0 else "=" for action, score in decision.scores.items()}
    return Text(game.text_with_marks(view, signs, language=language))


def _verdicts(view: View, decision: Decision, speaker: Speaker) -> list[str]:
    """The actions that win, draw and lose, and how many are not proven yet."""
    by_sign: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for action, score in sorted(decision.scores.items()):
        by_sign[(score > 0) - (score < 0)].append(speaker.translate(view.game.action_name(action)))
    lines = [speaker.say("win ({count}): {names}", count=len(by_sign[1]), names=" ".join(by_sign[1]))]
    if by_sign[0]:
        lines.append(speaker.say("draw ({count}): {names}", count=len(by_sign[0]), names=" ".join(by_sign[0])))
    lines.append(speaker.say("lose ({count}): {names}", count=len(by_sign[-1]), names=" ".join(by_sign[-1])))
    if left := len(view.legal()) - len(decision.scores):
        lines.append(speaker.say("not proven yet: {count}", count=left))
    return lines


def _scores(view: View, decision: Decision, speaker: Speaker, verbose: bool) -> Table:
    """The best actions with their scores as bars from the worst to the best; verbose: as numbers too."""
    ranked = sorted(decision.scores.items(), key=lambda each: (-each[1], each[0] != decision.action))
    worst, best = ranked[-1][1], ranked[0][1]
    table = whole_table(3 if verbose else 2, padding=(0, 2, 0, 0))
    for action, score in ranked[:SHOWN]:
        share = 1.0 if best == worst else (score - worst) / (best - worst)
        name = speaker.translate(view.game.action_name(action))
        table.add_row(name, *([speaker.number(score, "+z.3f")] if verbose else []), "█" * max(1, round(share * BAR)))
    if len(ranked) > SHOWN:
        table.add_row(speaker.say("and {number} more", number=len(ranked) - SHOWN))
    return table
