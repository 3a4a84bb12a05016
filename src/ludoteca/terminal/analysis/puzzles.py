"""``ludoteca puzzles``: makes puzzles with one proven answer, and proves those of a file again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ludoteca.agents.puzzles.makers import maker_of
from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidFile
from ludoteca.games import game as game_of
from ludoteca.games.lesson import Position
from ludoteca.messages import Speaker
from ludoteca.play.record import Record
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.puzzles.make import is_proven, make_puzzles
from ludoteca.reports.puzzles.puzzle import FOLDER, LEVELS, read_puzzles
from ludoteca.terminal.stored.open_store import StorePath, opened_store

app = typer.Typer(
    help="Make puzzles with one proven answer, or check some.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)


@app.command()
def make(
    game: Annotated[str, typer.Argument(help="The name of the game: dominoes, hex, horses or kittens.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write, one puzzle on each line.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many puzzles.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes other puzzles.")] = 1,
    run: Annotated[
        str, typer.Option(help="Take the positions from the matches of this stored run, not from new matches.")
    ] = "",
    least: Annotated[int, typer.Option(min=1, max=LEVELS + 1, help="Only puzzles of at least this grade.")] = 1,
    store: StorePath = None,
) -> None:
    """Make puzzles of a game: positions in which exactly one action wins, or saves the match; or what the other holds.

    Every answer is proven, and graded by which levels of the engine find it. In games with hidden information an
    action wins if it does so in every world that fits what the player has seen.
    """
    maker_of(game)
    speaker, console = Speaker(preferred_language()), Console(emoji=False)
    positions = None
    if run:
        with opened_store(store) as opened:
            records = list(opened.records(opened.find(run).id))
        positions = _stored([record for record in records if game_of(record.game).name == game])
    made = 0
    try:
        with console.status("") as status, out.open("w", encoding="utf-8") as file:
            for puzzle in make_puzzles(game, n, seed, positions=positions, least=least):
                file.write(f"{puzzle.to_json()}\n")
                file.flush()
                made += 1
                status.update(speaker.say_count("{count} puzzle", "{count} puzzles", made))
    except OSError as error:
        raise InvalidFile("{path} cannot be written: {reason}", path=out, reason=str(error)) from None
    text = speaker.say_count("{count} puzzle in {file}", "{count} puzzles in {file}", made, file=str(out))
    console.print(text, markup=False, highlight=False, soft_wrap=True)


@app.command()
def check(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Files of puzzles; by default those of the package.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Prove every puzzle again. The exit status is 1 if one does not have exactly one answer."""
    speaker = Speaker(preferred_language())
    console = Console(emoji=False, highlight=False, markup=False, stderr=as_json)
    wrong: list[dict[str, Any]] = []
    count = 0
    for path in files or sorted(FOLDER.glob("*.jsonl")):
        for number, puzzle in enumerate(read_puzzles(path), 1):
            count += 1
            if not is_proven(puzzle):
                wrong.append({"file": str(path), "line": number})
                text = speaker.say("{path}, line {number}: the answer is not proven", path=str(path), number=number)
                console.print(text, soft_wrap=True)
    console.print(speaker.say("{wrong} of {count} puzzles are wrong", wrong=len(wrong), count=count))
    if as_json:
        print_json("puzzles", {"puzzles": count, "wrong": wrong})
    raise typer.Exit(1 if wrong else 0)


def _stored(records: list[Record]) -> Iterator[Iterator[Position]]:
    for record in records:
        names = [str(game_of(record.game).action_name(action)) for action in record.actions]
        yield (
            Position(record.game, tuple(names[:ply]), record.seed, record.start) for ply in reversed(range(len(names)))
        )
