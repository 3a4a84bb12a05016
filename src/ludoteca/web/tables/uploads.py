"""Matches from outside, through the address bar or as a file: checked, and refused with a reason."""

from __future__ import annotations

import math
from dataclasses import replace

from ludoteca.adapters.formats import jsonl
from ludoteca.adapters.formats.registry import format_of_text, read
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.decisions import to_decision
from ludoteca.players.faults import Fault
from ludoteca.protocols import Action
from ludoteca.web.errors import InvalidTable
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC, allowed_game

MOST_BYTES = 2_000_000
MOST_RECORDS = 500
MOST_ACTIONS = 20_000


def write_actions(actions: list[Action]) -> str:
    """Actions as an address holds them: ``12.0.7``."""
    return ".".join(map(str, actions))


def read_address(game: str, seed: str, actions: str, start: str = "") -> Match:
    """The match of an address, replayed. Raises LudotecaError."""
    played = allowed_game(game)
    if len(start) > LONGEST_SPEC:
        raise InvalidTable("a start may be written in at most {most} characters", most=LONGEST_SPEC)
    return Match(played, read_seed(seed), read_actions(actions), start=start)


def read_seed(seed: str) -> int:
    """The seed of an address. Raises InvalidTable."""
    if not (seed.isascii() and seed.isdigit() and len(seed) < 20 and int(seed) < 2**63):
        raise InvalidTable("the seed {seed!r} is not a whole number from 0 to {most}", seed=seed[:40], most=2**63 - 1)
    return int(seed)


def read_actions(actions: str) -> list[Action]:
    """What `write_actions` wrote. Raises InvalidTable."""
    numbers = actions.split(".") if actions else []
    if len(numbers) > MOST_ACTIONS or not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
        raise InvalidTable(say("the actions of an address are numbers with dots between them, as in 12.0.7"))
    return [int(each) for each in numbers]


def read_file(data: bytes) -> list[Record]:
    """The matches of an uploaded file: JSON lines, text, or Hex as SGF or HexWorld addresses.

    Hex keeps the coordinates of the file. Raises LudotecaError. A file can be made to take any time and memory, so the
    page calls this in another process: see `upload_process`.
    """
    if len(data) > MOST_BYTES:
        raise InvalidTable("the file has {bytes:,} bytes; the limit is {most:,}", bytes=len(data), most=MOST_BYTES)
    try:
        text = data.decode().lstrip("\ufeff").strip()
    except UnicodeDecodeError:
        raise InvalidTable(say("the file is not UTF-8 text, so it is neither SGF nor JSON lines")) from None
    if not text:
        raise InvalidTable(say("the file is empty"))
    try:
        records = _read(text)
    except (LudotecaError, RecursionError) as error:
        why = error if isinstance(error, InvalidTable) else str(error).splitlines()[0][:300]
        raise InvalidTable("the file cannot be read: {why}", why=why) from error
    return [_checked(place, record) for place, record in enumerate(records[:MOST_RECORDS])]


def _read(text: str) -> list[Record]:
    """Reads any format; JSON records are replayed in `_checked`, which allows only installed games."""
    if (form := format_of_text(text)) is not jsonl.FORMAT:
        return [tree.record for tree in read(text, form)]
    if (count := sum(bool(line.strip()) for line in text.split("\n"))) > MOST_RECORDS:
        raise InvalidTable("it holds {count} records; the limit is {most}", count=count, most=MOST_RECORDS)
    return jsonl.read(text, replay=False)


def _is_text(text: str) -> bool:
    """Whether a text has no lone surrogates, which JSON can hold but no page can show."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(place: int, record: Record) -> Record:
    """The record, if it can be replayed and all its values are sound."""

    def wrong(why: str) -> InvalidTable:
        return InvalidTable("record {place} cannot be replayed: {why}", place=place, why=why)

    if len(record.actions) > MOST_ACTIONS or max(len(record.game), len(record.start)) > LONGEST_SPEC:
        raise wrong(say("it is too long"))
    if not all(math.isfinite(each) for each in (*record.seconds, *record.returns)):
        raise wrong(say("its values or times are not numbers"))
    if not _is_text(record.to_json()):
        raise wrong(say("it holds characters that are no text"))
    try:
        game = allowed_game(record.game)
        known = [None if each is None else to_decision(each, game.num_actions) for each in record.decisions]
        record = replace(record, decisions=tuple(known))
        Match.of_record(record)
    except (LudotecaError, Fault, OverflowError) as error:
        raise wrong(str(error).splitlines()[0][:200]) from error
    return record
