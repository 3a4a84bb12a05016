"""The formats in which matches come and go, by name, by the ending of a file, and by how a text begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePath

from ludoteca.adapters.formats import hexworld, jsonl, sgf, text
from ludoteca.adapters.formats.hex_cells import Orientation
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.messages import say
from ludoteca.play.match_tree import MatchTree

__all__ = ["Format", "format_of_name", "format_of_text", "left_out", "read", "write"]


class Format(StrEnum):
    """What a file of matches is written in."""

    jsonl = "jsonl"
    """JSON Lines, which hold everything of every game."""
    sgf = "sgf"
    """Hex with variations and comments, for other Hex programs."""
    hexworld = "hexworld"
    """Addresses of HexWorld's board, for Hex."""
    text = "text"
    """Numbered actions of any game with comments, for people."""


ENDINGS = {
    ".jsonl": Format.jsonl, ".json": Format.jsonl, ".ndjson": Format.jsonl, ".sgf": Format.sgf,
    ".hexworld": Format.hexworld, ".url": Format.hexworld, ".txt": Format.text, ".pgn": Format.text,
}  # fmt: skip
BEGINNINGS = {
    Format.text: re.compile(r"\[\s*[A-Za-z]"), Format.jsonl: re.compile(r"[{\[]"), Format.sgf: re.compile(r"\("),
}  # fmt: skip


def format_of_name(name: str) -> Format:
    """The format of a file by the ending of its name. Raises InvalidOption.

    >>> format_of_name("games/final.sgf")
    <Format.sgf: 'sgf'>
    """
    if (found := ENDINGS.get(PurePath(name).suffix.lower())) is None:
        raise InvalidOption(
            say(
                "what is {name!r} to be written in? Its name should end in {endings}",
                name=name[:80],
                endings=", ".join(ENDINGS),
            )
        )
    return found


def format_of_text(content: str) -> Format:
    """The format of a text by how it begins. Raises InvalidFile.

    >>> format_of_text("(;FF[4]GM[11]SZ[3];B[a1])")
    <Format.sgf: 'sgf'>
    """
    begins = content.lstrip("\ufeff").lstrip()
    for form, first in BEGINNINGS.items():
        if first.match(begins):
            return form
    if hexworld.looks_like(begins):
        return Format.hexworld
    raise InvalidFile.at(
        content,
        len(content) - len(begins),
        say("this is neither SGF, which begins with (, nor JSON with {{, nor text with [, nor a HexWorld address"),
    )


def read(content: str, form: Format | None = None, orientation: Orientation = "standard") -> list[MatchTree]:
    """The matches of a text in a format, by default the one in which it begins; every one of them can be replayed.

    orientation: that of Hex from SGF and HexWorld. Raises InvalidFile, with the line and the reason.
    """
    content = content.removeprefix("\ufeff")
    match form or format_of_text(content):
        case Format.sgf:
            return sgf.read_trees(content, orientation)
        case Format.text:
            return text.read_trees(content)
        case Format.hexworld:
            return [MatchTree.of(record) for record in hexworld.read(content, orientation)]
        case Format.jsonl:
            return [MatchTree.of(record) for record in jsonl.read(content)]


def write(trees: Sequence[MatchTree], form: Format, dialect: sgf.Dialect = "hexgui") -> str:
    """The matches in a format; what it has no place for is left out. Raises InvalidGame for what it cannot say."""
    match form:
        case Format.sgf:
            return sgf.write(trees, dialect)
        case Format.text:
            return text.write(trees)
        case Format.hexworld:
            return hexworld.write(tree.record for tree in trees)
        case Format.jsonl:
            return jsonl.write(tree.record for tree in trees)


def left_out(trees: Sequence[MatchTree], form: Format) -> tuple[int, int]:
    """How many variations and comments of these matches the format has no place for."""
    variations = sum(tree.variations for tree in trees)
    comments = sum(bool(tree.comment) + sum(bool(step.comment) for step in tree.steps) for tree in trees)
    if form is Format.sgf:
        return 0, 0
    if form is Format.text:  # those of variations go with them
        kept = sum(bool(tree.comment) + sum(bool(step.comment) for step in tree.main()) for tree in trees)
        return variations, comments - kept
    return variations, comments
