"""How a position set up by hand is written: ``line: 6-6 6-4; 0: 5-5 3-1; 1: 4; turn: 1``.

A part has a key and words. Parts may come in any order; each game defines its own keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludoteca.errors import InvalidPosition
from ludoteca.messages import Message, joined, say


def read_start(text: str, keys: Sequence[str]) -> dict[str, list[str]]:
    """The words of each part by key, in lower case; missing parts are left out. Raises InvalidPosition."""
    parts: dict[str, list[str]] = {}
    for part in filter(str.strip, text.lower().split(";")):
        key, colon, words = part.partition(":")
        key = key.strip()
        if not colon or key not in keys:
            wrong = say("{part!r} is no part of a start; these are: {keys}", part=part.strip()[:40], keys=[*keys])
            raise InvalidPosition(wrong)
        if key in parts:
            raise InvalidPosition("{key!r} is there twice in the start {start!r}", key=key, start=text[:80])
        parts[key] = words.split()
    return parts


def read_number(parts: Mapping[str, Sequence[str]], key: str, default: int, most: int, *, least: int = 0) -> int:
    """The whole number under a key, from `least` to `most`. Raises InvalidPosition."""
    words = parts.get(key)
    if words is None:
        return default
    word = " ".join(words)
    if not (word.isascii() and word.isdigit() and len(word) < 6 and least <= int(word) <= most):
        raise InvalidPosition(
            "{key}: {word!r} must be a whole number from {low} to {high}", key=key, word=word[:40], low=least, high=most
        )
    return int(word)


def write_start(parts: Mapping[str, Sequence[str]]) -> str:
    """The text that `read_start` reads back."""
    return "; ".join(f"{key}: {' '.join(words)}".rstrip() for key, words in parts.items())


def drawn_for_seats(counts: Sequence[int]) -> Message:
    """How many pieces the seats draw, in words: ``4 for seat 0 and 2 for seat 1``."""
    parts = [say("{number} for seat {seat}", number=count, seat=seat) for seat, count in enumerate(counts) if count]
    return joined(parts, say(" and "))
