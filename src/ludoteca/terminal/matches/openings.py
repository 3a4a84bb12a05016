"""``ludoteca openings``: make a suite of balanced openings."""

from __future__ import annotations

import datetime
import errno
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ludoteca.agents import agent as agent_of
from ludoteca.agents import canonical, is_ours, name_of, names
from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidAgent, InvalidFile, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import Speaker
from ludoteca.play.openings import Suite, make_suite, needs_openings
from ludoteca.play.openings.suite import Opening
from ludoteca.protocols import Game


def openings(
    game: Annotated[str, typer.Argument(help="A game in which all deals are the same, such as hex:size=7.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many openings; there may be fewer balanced ones.")] = 200,
    agent: Annotated[
        str, typer.Option(help="Which of our agents judges: by default zero, or mcts where zero has no network.")
    ] = "",
    nodes: Annotated[
        int | None, typer.Option(min=1, help="How many nodes it searches for each opening: by default 64, mcts 2,000.")
    ] = None,
    within: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How far from even an opening may be: 0 is even, 1 a win.")
    ] = 0.1,
) -> None:
    """Make a suite of openings for match and tournament: --openings FILE.

    One of our agents judges openings of one to three moves, distinct up to symmetry, and keeps the even ones. On a
    small board a search sees who wins; --nodes 1 asks for the network's first impression instead.

    Each opening is saved as soon as it is found: after Ctrl-C the same command goes on, and with a larger -n it adds
    more. A file of anything else is left alone.
    """
    rules = game_of(game)
    speaker, console = Speaker(preferred_language()), Console(emoji=False)
    if not needs_openings(rules):
        raise InvalidOption("{game} needs no openings, because its deals differ", game=rules.spec)
    spec = canonical(agent or _default_agent(rules))
    nodes = nodes or (2000 if name_of(spec) == "mcts" else 64)
    if not is_ours(spec):
        raise InvalidAgent("{agent} is not one of our agents; only they can judge openings", agent=agent)
    command = f"ludoteca openings {rules.spec} -n {{}} --agent {spec} --nodes {nodes} --within {within:g}"
    if not out.parent.is_dir():  # to say so before the search
        raise InvalidFile("{path} cannot be written: {reason}", path=out, reason=os.strerror(errno.ENOENT))
    earlier = _saved(out, command)
    saved = len(earlier)
    if saved >= n:
        _report(out, saved, console, speaker)
        return

    def save(suite: Suite, count: int) -> None:
        date = datetime.date.today().isoformat()
        try:
            replace(suite, command=command.format(count), date=date).write(out)
        except OSError as error:
            raise InvalidFile("{path} cannot be written: {reason}", path=out, reason=str(error)) from None

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("", total=n, completed=saved)

            def watch(tried: int, suite: Suite) -> None:
                nonlocal saved
                if (count := len(suite.openings)) > saved:
                    save(suite, count)
                    saved = count
                text = speaker.say_count("{count} opening tried", "{count} openings tried", tried)
                progress.update(task, completed=saved, description=text)

            suite = make_suite(rules, n, agent=spec, nodes=nodes, within=within, resume_from=earlier, watch=watch)
    except KeyboardInterrupt:
        console.print(speaker.say("Stopped. The same command goes on from here."), style="dim")
        raise SystemExit(130) from None
    save(suite, n)
    _report(out, len(suite.openings), console, speaker)


def _report(out: Path, count: int, console: Console, speaker: Speaker) -> None:
    text = speaker.say_count("{count} opening in {file}", "{count} openings in {file}", count, file=str(out))
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if not count:
        console.print(speaker.say("None is even enough; a larger --within accepts more."))


def _default_agent(rules: Game) -> str:
    """`zero` if it has a network for these rules, otherwise `mcts`."""
    if "zero" in names(rules.name):
        with suppress(InvalidOption):
            agent_of("zero")(rules, 0, 0)
            return "zero"
    return "mcts"


def _saved(out: Path, command: str) -> Sequence[Opening]:
    """The openings that the same command had found when it was stopped, or with another -n.

    command: with {} for the number. Raises InvalidFile for a file of anything else, which is left alone.
    """
    if not out.exists():
        return ()
    try:
        suite = Suite.from_json(out.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidFile(
            "{path} exists and is not a suite of openings: {reason}; choose another file", path=out, reason=str(error)
        ) from None
    if re.sub(r"(?<= -n )\d+", "{}", suite.command) != command:
        raise InvalidFile(
            "{path} holds what another command made: {command}; choose another file", path=out, command=suite.command
        )
    return suite.openings
