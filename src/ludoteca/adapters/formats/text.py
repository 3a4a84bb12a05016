"""Matches of any game as text that reads like chess's PGN: names in brackets, then numbered actions and the result.

::

    [Game "dominoes:pips=3"]
    [Seed "7"]
    [Seat0 "cases"]
    [Seat1 "person"]
    [Result "1-0"]

    1. 3-3@left 2... 3-1@left {a comment} 3. draw 4... pass 1-0

One dot after the number means that seat 0 played the action, three dots seat 1. The seed restores what was hidden. A
comment belongs to the action before it. Further headers hold the rest of a record: Start, Limit, Opening, SideSwaps,
Digest0, Seed0 and the like, and Ending, Fault and Message if the match did not end by the rules. Unknown headers are
ignored. Clocks and decisions are in JSON Lines only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ludoteca.adapters.formats.format import Format
from ludoteca.adapters.formats.text_reading import BETWEEN, RESULTS, read, read_trees
from ludoteca.errors import InvalidGame
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending
from ludoteca.protocols import Game

__all__ = ["FORMAT", "read", "read_trees", "write"]

WIDTH = 100
"""The length of a line of actions, in characters."""


def write(matches: Iterable[Record | MatchTree]) -> str:
    """The matches, a blank line between them. Variations are left out. Raises InvalidGame for names it cannot write.

    >>> from ludoteca import Match
    >>> print(write([Match.of_spec("dominoes:pips=3", 7, [18]).record()]), end="")
    [Game "dominoes:pips=3"]
    [Seed "7"]
    [Seat0 "person"]
    [Seat1 "person"]
    [Result "*"]
    <BLANKLINE>
    1. 3-3@left *
    """
    trees = (each if isinstance(each, MatchTree) else MatchTree.of(each) for each in matches)
    return "\n".join(_match(tree) for tree in trees)


def result_of(record: Record) -> str:
    """``1-0`` and the like; ``*`` for a match that is not over."""
    return RESULTS[record.score] if record.finished else "*"


def _match(tree: MatchTree) -> str:
    record, game = tree.record, game_of(tree.record.game)
    heads = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in _headers(record))
    words = [f"{{{_braced(tree.comment)}}}"] if tree.comment else []
    for ply, (step, seat) in enumerate(zip(tree.main(), record.movers, strict=True), start=1):
        words.append(f"{ply}{'.' if seat == 0 else '...'} {_name(game, step.action)}")
        if step.comment:
            words.append(f"{{{_braced(step.comment)}}}")
    return f"{heads}\n" + "\n".join(_lines([*words, result_of(record)])) + "\n"


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    yield "Game", record.game
    yield "Seed", str(record.seed)
    if record.start:
        yield "Start", record.start
    for seat, who in enumerate(record.seats):
        yield f"Seat{seat}", who.agent or "person"
        yield from _identity(seat, who)
    if record.limit:
        yield "Limit", record.limit
    if record.person_limit:
        yield "PersonLimit", record.person_limit
    if record.opening:
        yield "Opening", str(record.opening)
    if record.side_swaps:
        yield "SideSwaps", " ".join(map(str, record.side_swaps))
    yield "Result", result_of(record)
    if record.ending not in (Ending.finished, Ending.unfinished):
        yield "Ending", str(record.ending)
    if record.fault is not None:
        yield "Fault", str(record.fault)
    if record.message:
        yield "Message", str(record.message)


def _identity(seat: int, who: Who) -> Iterator[tuple[str, str]]:
    if who.nickname:
        yield f"Name{seat}", who.nickname
    if who.identity.digest:
        yield f"Digest{seat}", who.identity.digest
    if who.seed is not None:
        yield f"Seed{seat}", str(who.seed)


def _name(game: Game, action: int) -> str:
    name = str(game.action_name(action))
    if not name or name != " ".join(name.split()) or re.search(r"[{}\[\]]", name) or BETWEEN.search(f" {name} "):
        why = say("the action {name!r} of {game} is ambiguous as text; use JSON Lines", name=name, game=game.spec)
        raise InvalidGame(why)
    return name


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def _braced(comment: str) -> str:
    return comment.replace("\\", "\\\\").replace("}", "\\}")


def _lines(words: list[str]) -> Iterator[str]:
    """The words wrapped to WIDTH; no word is broken."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


FORMAT = Format(
    "text",
    (".txt", ".pgn"),
    looks_like=lambda text: re.match(r"\[\s*[A-Za-z]", text) is not None,
    read=lambda text, _: read_trees(text),
    write=lambda trees, _: write(trees),
    comments=True,
)
