"""The installed file formats: by name, by the ending of a file name, and by how a text begins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import PurePath

from ludoteca.adapters.formats.format import Format
from ludoteca.adapters.formats.hex_orientation import Orientation
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.play.match_tree import MatchTree


@cache
def formats() -> dict[str, Format]:
    """Every installed format by its name, in alphabetical order."""
    found = [point.load() for point in entry_points(group="ludoteca.formats")]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def named(name: str) -> Format:
    """The format of this name. Raises InvalidOption."""
    if (found := formats().get(name.lower())) is None:
        known = ", ".join(formats())
        raise InvalidOption("{name!r} is not a file format; the formats are {formats}", name=name, formats=known)
    return found


def format_of_name(name: str) -> Format:
    """The format of a file by the ending of its name. Raises InvalidOption.

    >>> format_of_name("games/final.sgf").name
    'sgf'
    """
    ending = PurePath(name).suffix.lower()
    for each in formats().values():
        if ending in each.endings:
            return each
    known = ", ".join(ending for each in formats().values() for ending in each.endings)
    raise InvalidOption(
        "the name {name!r} does not say which format to write; it should end in {endings}",
        name=name[:80],
        endings=known,
    )


def format_of_text(content: str) -> Format:
    """The format of a text by how it begins. Raises InvalidFile.

    >>> format_of_text("(;FF[4]GM[11]SZ[3];B[a1])").name
    'sgf'
    """
    begins = content.lstrip("\ufeff").lstrip()
    for each in formats().values():
        if each.looks_like(begins):
            return each
    raise InvalidFile.at(
        content, len(content) - len(begins), "this begins like none of the formats {formats}", formats=list(formats())
    )


def read(content: str, form: Format | None = None, orientation: Orientation = "standard") -> list[MatchTree]:
    """The matches of a text, by default in the format that it begins like; every one of them can be replayed.

    orientation: the one to give to Hex from SGF and HexWorld. Raises InvalidFile with the line and the reason.
    """
    content = content.removeprefix("\ufeff")
    return (form or format_of_text(content)).read(content, orientation)


def left_out(trees: Sequence[MatchTree], form: Format) -> tuple[int, int]:
    """How many variations and comments of these matches the format has no place for."""
    if form.variations:
        return 0, 0
    comments = sum(bool(tree.comment) + sum(bool(step.comment) for step in tree.steps) for tree in trees)
    if form.comments:  # comments on variations go with them
        comments -= sum(bool(tree.comment) + sum(bool(step.comment) for step in tree.main()) for tree in trees)
    return sum(tree.variations for tree in trees), comments
