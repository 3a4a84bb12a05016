"""Records as JSON Lines: one on each line, whole, as ``ludoteca export --schema`` describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace

from ludoteca.adapters.formats.format import Format
from ludoteca.errors import InvalidFile, LudotecaError
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.play.record import VERSION, Record
from ludoteca.players.faults import Ending

NEEDED = ("version", "game", "seed", "actions")
"""The fields that a record must have."""


def write(records: Iterable[Record]) -> str:
    """One line for each record."""
    return "".join(f"{record.to_json()}\n" for record in records)


def read(text: str, *, replay: bool = True) -> list[Record]:
    """The records of the lines; blank lines are skipped.

    replay: also check actions, movers and results by the rules. Raises InvalidFile, with the line and the reason.
    """
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            record = _parsed(number, line)
            records.append(_replayed(number, record) if replay else record)
    return records


def _wrong(number: int, why: object, /, **fields: object) -> InvalidFile:
    reason = Message.of(str(why), fields) if fields else why
    return InvalidFile("line {number} is no record: {why}", number=number, why=reason)


def _parsed(number: int, line: str) -> Record:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        at = error.colno if isinstance(error, json.JSONDecodeError) else 1
        raise _wrong(number, "it is no JSON; the first odd character is number {at}", at=at) from error
    if not isinstance(fields, dict):
        raise _wrong(number, say("it is JSON, but no object in braces"))
    if missing := [name for name in NEEDED if name not in fields]:
        raise _wrong(number, "it lacks {fields}", fields=", ".join(missing))
    if (version := fields["version"]) != VERSION:
        raise _wrong(
            number,
            "another version of Ludoteca wrote it (its format is {version}, this one reads {ours})",
            version=str(version)[:40],
            ours=VERSION,
        )
    try:
        return Record.from_json(line)
    except ValueError as error:
        raise _wrong(number, str(error)[:200]) from error


def _replayed(number: int, record: Record) -> Record:
    """The record, if its actions are legal and lead to its movers and result."""
    try:
        match = Match.of_record(record)
    except (LudotecaError, OverflowError) as error:
        raise _wrong(number, "its match cannot be replayed: {why}", why=error) from error
    if record.movers and tuple(match.movers) != record.movers:
        raise _wrong(
            number, "its movers are {given}, and by the rules {right}", given=record.movers, right=match.movers
        )
    over = match.view(0).turn is None
    if over != (record.ending is Ending.finished) and not (over and record.fault is not None):
        why = say("it says {ending!r}", ending=str(record.ending))
        state = say("by the rules the match is over") if over else say("by the rules the match is not over")
        raise _wrong(number, "{why}, and {state}", why=why, state=state)
    if record.finished and match.returns() != record.returns:
        given, right = record.returns, match.returns()
        raise _wrong(number, "its returns are {given}, and by the rules {right}", given=given, right=right)
    return replace(record, movers=tuple(match.movers))


FORMAT = Format(
    "jsonl",
    (".jsonl", ".json", ".ndjson"),
    looks_like=lambda text: re.match(r"\{|\[\s*[^\sA-Za-z]", text) is not None,
    read=lambda text, _: [MatchTree.of(record) for record in read(text)],
    write=lambda trees, _: write(tree.record for tree in trees),
)
