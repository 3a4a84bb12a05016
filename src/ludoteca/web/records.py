"""Matches that come from outside, through the address bar or as a file: read with care, refused with a reason."""

from __future__ import annotations

import json
import math

from ludoteca.adapters import sgf
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action
from ludoteca.web.asked import LONGEST_SPEC, asked_game
from ludoteca.web.table import InvalidTable

__all__ = ["MOST_BYTES", "read_address", "read_file", "write_actions"]

MOST_BYTES = 2_000_000
MOST_RECORDS = 500
MOST_ACTIONS = 20_000


def write_actions(actions: list[Action]) -> str:
    """Actions as they stand in an address: ``12.0.7``."""
    return ".".join(map(str, actions))


def read_address(game: str, seed: str, actions: str, start: str = "") -> Match:
    """The match of an address, replayed. Raises LudotecaError."""
    played = asked_game(game)
    if len(start) > LONGEST_SPEC:
        raise InvalidTable(say("a start is written in at most {most} characters", most=LONGEST_SPEC))
    if not (seed.isascii() and seed.isdigit() and len(seed) < 20 and int(seed) < 2**63):
        raise InvalidTable(f"the seed {seed[:40]!r} is not a whole number from 0 to {2**63 - 1}")
    numbers = actions.split(".") if actions else []
    if len(numbers) > MOST_ACTIONS or not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
        raise InvalidTable("the actions of an address are numbers with dots between them, as in 12.0.7")
    return Match(played, int(seed), [int(each) for each in numbers], start=start)


def read_file(data: bytes) -> list[Record]:
    """The matches of an uploaded file: Hex as SGF, or records as lines of JSON. Raises LudotecaError."""
    if len(data) > MOST_BYTES:
        raise InvalidTable(f"the file has {len(data):,} bytes, and {MOST_BYTES:,} is the limit")
    try:
        text = data.decode().lstrip("\ufeff").strip()
    except UnicodeDecodeError:
        raise InvalidTable("the file is no text in UTF-8, so neither SGF nor lines of JSON") from None
    if not text:
        raise InvalidTable("the file is empty")
    try:
        records = sgf.read(text, "course") if text.startswith("(") else _read_lines(text)
    except (LudotecaError, RecursionError) as error:
        raise InvalidTable(f"the file cannot be read: {str(error).splitlines()[0][:300]}") from error
    return [_checked(place, record) for place, record in enumerate(records[:MOST_RECORDS])]


def _read_lines(text: str) -> list[Record]:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_RECORDS:
        raise InvalidTable(f"it holds {len(lines)} records, and {MOST_RECORDS} is the limit")
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(Record.from_json(line))
        except (ValueError, json.JSONDecodeError) as error:
            raise InvalidTable(f"line {number} is no record: {str(error)[:120]}") from error
    return records


def _checked(place: int, record: Record) -> Record:
    """The record, if it can be replayed and holds nothing but what a record holds."""

    def wrong(why: str) -> InvalidTable:
        return InvalidTable(f"record {place} cannot be replayed: {why}")

    if not isinstance(record.game, str) or not _whole([record.seed, *record.actions]) or record.seed < 0:
        raise wrong("its game, seed or actions are of the wrong kind")
    if len(record.actions) > MOST_ACTIONS or len(record.game) > LONGEST_SPEC:
        raise wrong("it is too long")
    if len(record.agents) != 2 or not all(isinstance(who, str) for who in (*record.agents, record.message)):
        raise wrong("it must name two agents")
    numbers = [*record.seconds, *(value for value in record.values if value is not None), *record.returns]
    if not all(isinstance(each, (int, float)) and math.isfinite(each) for each in numbers):
        raise wrong("its values or times are no numbers")
    if not isinstance(record.ending, Ending) or len(record.returns) != 2:
        raise wrong("it has no result")
    try:
        Match(asked_game(record.game), record.seed, record.actions)
    except (LudotecaError, OverflowError) as error:
        raise wrong(str(error).splitlines()[0][:200]) from error
    return record


def _whole(numbers: list[object]) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) and abs(each) < 2**63 for each in numbers)
