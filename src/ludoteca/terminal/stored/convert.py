"""``ludoteca convert``: matches from one file format to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ludoteca.adapters.formats import hexworld
from ludoteca.adapters.formats.format import Dialect
from ludoteca.adapters.formats.hex_orientation import Orientation
from ludoteca.adapters.formats.registry import format_of_name, format_of_text, left_out, named, read
from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidFile, InvalidGame, InvalidOption
from ludoteca.messages import say, say_count, translate

DialectOption = Annotated[
    Dialect,
    typer.Option(
        help="The dialect of SGF: hexgui (black first, a1, swap-pieces) or littlegolem (white first, aa, swap)."
    ),
]
STANDARD = "-"
"""Instead of a file: the standard input or output."""


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file of matches, - for the standard input, or a HexWorld address.")
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="The file to write, whose ending gives the format; - for the standard output."
        ),
    ] = STANDARD,
    from_: Annotated[str | None, typer.Option("--from", help="The format of IN; by default it is recognised.")] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="The format of OUT: jsonl, sgf, hexworld or text; by default from its ending, or jsonl."
        ),
    ] = None,
    dialect: DialectOption = "hexgui",
    orientation: Annotated[
        Orientation,
        typer.Option(
            help="Which sides the first player connects in Hex from SGF or HexWorld; left-right mirrors the board."
        ),
    ] = "standard",
) -> None:
    """Convert matches between formats: JSON Lines, SGF, HexWorld addresses, text.

    If a file cannot be read, the error names the line and the reason, and nothing is written. What the new format
    cannot hold, such as variations, is left out with a warning.
    """
    wanted = named(to or "jsonl") if to or target == STANDARD else format_of_name(target)
    given = named(from_) if from_ else None
    content = _content(source)
    try:
        trees = read(content, given or format_of_text(content), orientation)
    except InvalidFile as error:
        raise InvalidFile("{name}: {why}", name=_shown(source), why=error) from error
    try:
        text = wanted.write(trees, dialect)
    except InvalidGame as error:
        raise InvalidGame("{name}: {why}", name=_shown(source), why=error) from error
    variations, comments = left_out(trees, wanted)
    write_text(text, target)
    for count, message in (
        (variations, say_count("{count} variation left out", "{count} variations left out", variations)),
        (comments, say_count("{count} comment left out", "{count} comments left out", comments)),
    ):
        if count:
            print(f"ludoteca: {translate(message, preferred_language())}", file=sys.stderr)


def _content(source: str) -> str:
    if source == STANDARD:
        data = sys.stdin.buffer.read()
    elif hexworld.looks_like(source) and not Path(source).exists():
        return source
    else:
        try:
            data = Path(source).read_bytes()
        except OSError as error:
            raise InvalidOption("{name}: {why}", name=source, why=error.strerror or error) from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = say("byte {number} is not UTF-8", number=error.start + 1)
        raise InvalidFile("{name}: line {line}: {why}", name=_shown(source), line=line, why=why) from None


def _shown(source: str) -> str:
    return "standard input" if source == STANDARD else source if len(source) < 60 else f"{source[:59]}…"


def write_text(text: str, target: str | Path) -> None:
    """Write a file, or the standard output for ``-``. Raises InvalidOption."""
    if str(target) == STANDARD:
        sys.stdout.write(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidOption("{name}: {why}", name=target, why=error.strerror or error) from None
