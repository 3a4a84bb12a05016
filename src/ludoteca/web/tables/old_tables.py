"""Tables as earlier versions kept them, each a file of events, brought into the store once.

::

    tables/<digest of the visitor>/<key>.jsonl      the head, then one event per line
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.play.seeds import agent_seed, new_secret
from ludoteca.play.store import Store
from ludoteca.players.answers import understand
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision

__all__ = ["migrate", "read_journal"]

PERSON = "person"
DONE = ".migrated"
"""What is put behind the name of a file that the store has taken over."""


def migrate(folder: Path, path: Path) -> int:
    """Brings every table in the folder into the store, with its key and its owner; how many there were.

    The files stay, under another name. One that cannot be read stays as it is. Raises InvalidStore.
    """
    files = [(file.stat().st_mtime, file) for file in folder.glob("*/*.jsonl")] if folder.is_dir() else []
    if not files:
        return 0
    taken = 0
    with Store(path) as store:
        run = store.standing("page").id
        for _, file in sorted(files):  # the store remembers in which order they were played
            owner, key = file.parent.name, file.stem
            try:
                record = read_journal(file.read_text(encoding="utf-8")).record()
            except (OSError, UnicodeDecodeError, ValueError) as error:
                logging.getLogger(__name__).warning("%s cannot be read: %s", file, error)
                continue
            if store.find_match(run, key, owner) is None:  # else this was done before, and broken off
                store.open_match(run, record, key, owner)
            file.rename(file.with_name(file.name + DONE))
            taken += 1
    return taken


def read_journal(text: str) -> Match:
    """The match of such a file; a last line that was cut off is forgotten. Raises ValueError."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        match = _begun(json.loads(lines[0]))
        for at, line in enumerate(lines[1:], start=1):
            try:
                event = json.loads(line)
            except ValueError:
                if at == len(lines) - 1:
                    break
                raise
            match = _after(match, event)
    except (LudotecaError, Fault, TypeError, KeyError, IndexError, AttributeError) as error:
        raise ValueError(f"this is no journal of a table: {error}") from error
    return match


def _begun(head: dict[str, Any]) -> Match:
    secret = new_secret()
    first, second = head["seats"]
    seats = [Who() if who == PERSON else Who(Identity(str(who)), agent_seed(secret, 0, seat))
             for seat, who in enumerate((first, second))]  # fmt: skip
    limit = MatchLimit.parse(str(head.get("limit", "1s")), stored=True)
    match = Match.of_spec(str(head["game"]), int(head["seed"]), start=str(head.get("start", "")))
    return Match(match.game, match.seed, start=match.start, seats=(seats[0], seats[1]), limit=limit)


def _after(match: Match, event: dict[str, Any]) -> Match:
    """The match after an event."""
    if "play" in event:
        action, thought = int(event["play"]), event.get("thought")
        if thought is None:
            match.play(action)
        else:
            match.answer(_decision(match, action, thought), float(thought.get("seconds", 0.0)))
    elif "back" in event:
        return match.before(int(event["back"]))
    elif "resign" in event:
        match.resign(int(event["resign"]))
    elif "seats" in event:
        if [who.agent or PERSON for who in match.seats] != list(event["seats"]):
            match.exchange_seats()
    else:
        raise ValueError(f"unknown event {list(event)[:3]}")
    return match


def _decision(match: Match, action: int, thought: dict[str, Any]) -> Decision:
    scores = {int(each): float(score) for each, score in thought.get("scores", {}).items()}
    said = Decision(action, thought.get("value"), scores, tuple(thought.get("line", ())), str(thought.get("note", "")),
                    int(thought.get("nodes", 0)), int(thought.get("depth", 0)))  # fmt: skip
    return understand(said, match.game.num_actions)
