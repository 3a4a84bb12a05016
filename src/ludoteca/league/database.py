"""The league in its file: people, codes, versions and pairs of matches, beside the records of a store.

::

    league_people     id, name, ident, pseudonym, code, standing, extension
    league_versions   id, person, number, digest, spec, identity, status, reason, handed_in
    league_findings   version, place, title, verdict, text
    league_pairs      id, first, second, opening, counted
    league_final      frozen, entrants, played

The league's matches are one run of the store: pair n is at the places 2n and 2n + 1. A pair is written before it is
played, so after a crash exactly the matches without a record are played again, from the same deals. A code is kept only
as a digest: who reads the file cannot sign in.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

from ludoteca.agents.identity import Identity
from ludoteca.course.check.report import Finding, Verdict
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.messages import Message, from_json, say, to_json
from ludoteca.play.store import Run, Store

FILE = "league.sqlite"
TABLES = """
CREATE TABLE IF NOT EXISTS league_people (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, ident TEXT NOT NULL UNIQUE, pseudonym TEXT NOT NULL UNIQUE,
    code BLOB UNIQUE, standing INTEGER REFERENCES league_versions, extension REAL);
CREATE TABLE IF NOT EXISTS league_versions (
    id INTEGER PRIMARY KEY, person INTEGER REFERENCES league_people, number INTEGER NOT NULL, digest TEXT NOT NULL,
    spec TEXT NOT NULL, identity TEXT, status TEXT NOT NULL, reason TEXT NOT NULL, handed_in REAL NOT NULL,
    UNIQUE (person, number));
CREATE TABLE IF NOT EXISTS league_findings (
    version INTEGER NOT NULL REFERENCES league_versions, place INTEGER NOT NULL, title TEXT NOT NULL,
    verdict TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (version, place));
CREATE TABLE IF NOT EXISTS league_pairs (
    id INTEGER PRIMARY KEY, first INTEGER NOT NULL REFERENCES league_versions,
    second INTEGER NOT NULL REFERENCES league_versions, opening INTEGER NOT NULL, counted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS league_final (
    id INTEGER PRIMARY KEY CHECK (id = 0), frozen REAL NOT NULL, entrants TEXT, played REAL);
CREATE INDEX IF NOT EXISTS league_pairs_by_first ON league_pairs (first);
CREATE INDEX IF NOT EXISTS league_pairs_by_second ON league_pairs (second);
"""
RUN = {"kind": "league"}
"""The key of the run that holds the league's matches."""
CODE_BYTES = 16
"""128 bits."""


class Status(StrEnum):
    """What a version does now."""

    checking = "checking"
    """Its check is running or waits."""
    refused = "refused"
    """The check found a problem."""
    playing = "playing"
    """It is the version that stands for its student, or a baseline."""
    resting = "resting"
    """Another version stands for its student; its matches still count for the ratings."""
    banned = "banned"
    """The teacher took it out; its matches do not count."""


class Person(NamedTuple):
    """Somebody on the roster."""

    id: int
    name: str
    ident: str
    """The teacher's key for them, such as a user name; exported with the grades."""
    pseudonym: str
    standing: int | None
    """The version that stands for them."""
    extension: float | None
    """Their own deadline, in seconds since 1970."""


@dataclass(frozen=True)
class Version:
    """A version that was handed in, or a baseline."""

    id: int
    person: int | None
    """None for a baseline."""
    number: int
    """Counted from 1 for each student."""
    digest: str
    """Of all its files."""
    spec: str
    """From what its agent is made."""
    identity: Identity | None
    """What results know it by; None until it was built."""
    status: Status
    reason: str
    """Why it was refused or banned."""
    handed_in: float
    """In seconds since 1970."""


class Pair(NamedTuple):
    """Two matches between two versions from one deal or opening, with sides swapped."""

    id: int
    first: int
    second: int
    opening: int
    """Which meeting of the two it is, from 0: each has another opening, so that no match repeats."""
    counted: bool
    """Whether it counts for the ratings; a challenge does not."""

    @property
    def places(self) -> tuple[int, int]:
        """Where its records are in the run."""
        return 2 * self.id, 2 * self.id + 1


class Final(NamedTuple):
    """How far the end of a league is."""

    frozen: float
    """When hand-ins ended, in seconds since 1970."""
    entrants: dict[int, int | None] | None
    """By person, the version that plays the final, or None; None altogether until the last check is done."""
    baselines: tuple[int, ...]
    """The baselines that play it; empty until the last check is done."""
    played: float | None
    """When the final was over; None until then."""


class Database:
    """An open league. Any number of processes may read and write it; one plays."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, Store(folder / FILE)
        with self.store.transaction() as base:
            for statement in TABLES.split(";"):
                if statement.strip():
                    base.execute(statement)
        self.run: Run = self.store.run(RUN, {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    # --- people

    def add_people(self, roster: Sequence[tuple[str, str]]) -> int:
        """Add those of a roster, (name, ident) each, who are not there yet. Returns how many.

        Raises InvalidOption if a known ident has another name now: then rename the person instead.
        """
        known = {person.ident: person for person in self.people()}
        fresh = [(name, ident) for name, ident in roster if ident not in known]
        for name, ident in roster:
            if ident in known and known[ident].name != name:
                raise InvalidOption(
                    "roster.csv calls {ident} {name}, but the league knows them as {known}",
                    ident=ident, name=name, known=known[ident].name,
                )  # fmt: skip
        taken = {person.pseudonym for person in known.values()}
        with self.store.transaction() as base:
            for name, ident in fresh:
                pseudonym = _pseudonym(taken)
                taken.add(pseudonym)
                base.execute(
                    "INSERT INTO league_people (name, ident, pseudonym) VALUES (?, ?, ?)", (name, ident, pseudonym)
                )
        return len(fresh)

    def people(self) -> list[Person]:
        """Everybody, in the order of the roster."""
        rows = self.store.base.execute(
            "SELECT id, name, ident, pseudonym, standing, extension FROM league_people ORDER BY id"
        )
        return [Person(*row) for row in rows]

    def new_code(self, person: int) -> str:
        """A new personal code, shown once and never again; an earlier one no longer works."""
        code = secrets.token_urlsafe(CODE_BYTES)
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET code = ? WHERE id = ?", (_digest(code), person))
        return code

    def has_code(self, person: int) -> bool:
        """Whether this person has a code that works."""
        row = self.store.base.execute("SELECT code IS NOT NULL FROM league_people WHERE id = ?", (person,)).fetchone()
        return bool(row and row[0])

    def revoke_code(self, person: int) -> None:
        """Make this person's code useless."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET code = NULL WHERE id = ?", (person,))

    def by_code(self, code: str) -> Person | None:
        """The person with this code; None if there is none. A code is 128 random bits, so looking it up is safe."""
        row = self.store.base.execute(
            "SELECT id, name, ident, pseudonym, standing, extension FROM league_people WHERE code = ?",
            (_digest(code),),
        ).fetchone()
        return None if row is None else Person(*row)

    def extend(self, person: int, until: float | None) -> None:
        """Give one person their own deadline, in seconds since 1970."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET extension = ? WHERE id = ?", (until, person))

    # --- versions

    def add_version(self, person: int | None, digest: str, spec: str, status: Status = Status.checking) -> Version:
        """Take a version; from here on it is never lost. The next number of its student, or of the baselines.

        Raises InvalidAgent once the league is frozen.
        """
        now = time.time()
        with self.store.transaction() as base:
            if base.execute("SELECT 1 FROM league_final").fetchone():
                raise InvalidAgent(say("the league is over; no version is taken any more"))
            (number,) = base.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM league_versions WHERE person IS ?", (person,)
            ).fetchone()
            cursor = base.execute(
                "INSERT INTO league_versions (person, number, digest, spec, status, reason, handed_in) "
                "VALUES (?, ?, ?, ?, ?, '', ?)",
                (person, number, digest, spec, status.value, now),
            )
        assert cursor.lastrowid is not None
        return Version(cursor.lastrowid, person, number, digest, spec, None, status, "", now)

    def versions(self, person: int | None = None) -> list[Version]:
        """All versions, or those of one person, the oldest first."""
        where, values = ("", ()) if person is None else ("WHERE person = ?", (person,))
        rows = self.store.base.execute(
            "SELECT id, person, number, digest, spec, identity, status, reason, handed_in FROM league_versions "
            f"{where} ORDER BY id",
            values,
        )
        return [_version(*row) for row in rows]

    def handed_in_since(self, person: int, since: float) -> int:
        """How many versions a person handed in after a moment."""
        row = self.store.base.execute(
            "SELECT count(*) FROM league_versions WHERE person = ? AND handed_in > ?", (person, since)
        ).fetchone()
        return int(row[0])

    def admit(self, version: Version, identity: Identity) -> None:
        """Let a checked version play: it stands for its student now, and their last one rests."""
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_versions SET identity = ? WHERE id = ?", (json.dumps(identity.to_json()), version.id)
            )
            self._stand(version.id, version.person)

    def note_finding(self, version: Version, finding: Finding) -> None:
        """Keep a step of a version's check, as soon as it is done."""
        texts = (json.dumps(to_json(finding.title)), finding.verdict.value, json.dumps(to_json(finding.text)))
        with self.store.transaction() as base:
            base.execute(
                "INSERT INTO league_findings SELECT ?, count(*), ?, ?, ? FROM league_findings WHERE version = ?",
                (version.id, *texts, version.id),
            )

    def forget_findings(self, version: Version) -> None:
        """Before a check that begins again."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_findings WHERE version = ?", (version.id,))

    def findings(self, version: int) -> list[Finding]:
        """The steps of a version's check so far."""
        rows = self.store.base.execute(
            "SELECT title, verdict, text FROM league_findings WHERE version = ? ORDER BY place", (version,)
        )
        return [
            Finding(from_json(json.loads(title)), Verdict(verdict), from_json(json.loads(text)))
            for title, verdict, text in rows
        ]

    def refuse(self, version: Version, reason: Message | str) -> None:
        """Keep a version out, with the reason that its student reads."""
        self._set_status(version.id, Status.refused, reason)

    def ban(self, version: Version, reason: Message | str) -> None:
        """Take a version out of the league; its matches no longer count."""
        self._set_status(version.id, Status.banned, reason)
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET standing = NULL WHERE standing = ?", (version.id,))

    def choose(self, person: int, version: int) -> None:
        """Let one of a person's own versions stand for them. Raises InvalidOption."""
        own = {each.id: each for each in self.versions(person)}
        if version not in own or own[version].status not in (Status.playing, Status.resting):
            raise InvalidOption(say("this is not a version of yours that may play"))
        with self.store.transaction() as base:
            if base.execute("SELECT 1 FROM league_final").fetchone():
                raise InvalidOption(say("the league is over: the versions of the final are fixed"))
            self._stand(version, person)

    def _stand(self, version: int, person: int | None) -> None:
        base = self.store.base
        base.execute(
            "UPDATE league_versions SET status = ? WHERE person = ? AND status = ?",
            (Status.resting.value, person, Status.playing.value),
        )
        base.execute("UPDATE league_versions SET status = ? WHERE id = ?", (Status.playing.value, version))
        base.execute("UPDATE league_people SET standing = ? WHERE id = ?", (version, person))

    def _set_status(self, version: int, status: Status, reason: Message | str) -> None:
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_versions SET status = ?, reason = ? WHERE id = ?",
                (status.value, json.dumps(to_json(reason)), version),
            )

    # --- pairs

    def add_pair(self, first: int, second: int, opening: int, *, counted: bool = True) -> Pair:
        """Write down that two versions are to meet."""
        with self.store.transaction() as base:
            (number,) = base.execute("SELECT coalesce(max(id), -1) + 1 FROM league_pairs").fetchone()
            base.execute("INSERT INTO league_pairs VALUES (?, ?, ?, ?, ?)", (number, first, second, opening, counted))
        return Pair(number, first, second, opening, counted)

    def pairs(self) -> Iterator[Pair]:
        """All pairs in their order."""
        for number, first, second, opening, counted in self.store.base.execute(
            "SELECT id, first, second, opening, counted FROM league_pairs ORDER BY id"
        ):
            yield Pair(number, first, second, opening, bool(counted))

    # --- the final

    def final(self) -> Final | None:
        """How far the end of the league is; None while it goes on."""
        row = self.store.base.execute("SELECT frozen, entrants, played FROM league_final").fetchone()
        if row is None:
            return None
        if row[1] is None:
            return Final(row[0], None, (), row[2])
        fixed = json.loads(row[1])
        entrants = {int(person): version for person, version in fixed["people"].items()}
        return Final(row[0], entrants, tuple(fixed["baselines"]), row[2])

    def freeze(self) -> None:
        """End the hand-ins, for good."""
        with self.store.transaction() as base:
            base.execute("INSERT OR IGNORE INTO league_final (id, frozen) VALUES (0, ?)", (time.time(),))

    def enter_final(self) -> None:
        """Fix who plays the final: what stands for each person now, and the baselines. Only the first call decides."""
        with self.store.transaction() as base:
            people = {person.id: person.standing for person in self.people()}
            playing = [each.id for each in self.versions() if each.person is None and each.status is Status.playing]
            text = json.dumps({"people": people, "baselines": playing})
            base.execute("UPDATE league_final SET entrants = ? WHERE entrants IS NULL", (text,))

    def end_final(self) -> None:
        """Write down that the final is over."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_final SET played = ? WHERE played IS NULL", (time.time(),))


def read_roster(path: Path) -> list[tuple[str, str]]:
    """The (name, ident) of everybody in a roster.csv. Raises InvalidOption, which names the line."""
    import csv

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidOption("{path} cannot be read: {why}", path=path, why=str(error)) from error
    found: list[tuple[str, str]] = []
    for line, row in enumerate(rows, start=2):
        name, ident = (str(row.get(key) or "").strip() for key in ("name", "id"))
        if not name or not ident:
            raise InvalidOption("{path}, line {line}: there must be a name and an id", path=path, line=line)
        if "/" in ident or ident.startswith(".") or not ident.isprintable() or len(ident) > 60:  # it names a folder
            raise InvalidOption(
                "{path}, line {line}: {ident} is no id: at most 60 characters, no / and no dot at its beginning",
                path=path, line=line, ident=ident,
            )  # fmt: skip
        if any(name == other or ident == same for other, same in found):
            raise InvalidOption(
                "{path}, line {line}: {name} ({ident}) is there twice", path=path, line=line, name=name, ident=ident
            )
        found.append((name, ident))
    if not found:
        raise InvalidOption("{path} names nobody; it needs the columns name and id", path=path)
    return found


def _version(
    number: int, person: int | None, count: int, digest: str, spec: str,
    identity: str | None, status: str, reason: str, handed_in: float,
) -> Version:  # fmt: skip
    """The version of a row."""
    known = None if identity is None else Identity.from_json(json.loads(identity))
    why = from_json(json.loads(reason)) if reason else ""
    return Version(number, person, count, digest, spec, known, Status(status), why, handed_in)


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()


def _pseudonym(taken: set[str]) -> str:
    """An invented name, such as "amber-otter-17"."""
    while True:
        name = f"{secrets.choice(COLOURS)}-{secrets.choice(ANIMALS)}-{secrets.randbelow(90) + 10}"
        if name not in taken:
            return name


COLOURS = ("amber", "azure", "coral", "green", "indigo", "ivory", "jade", "olive", "pearl", "ruby", "silver", "violet")
ANIMALS = ("badger", "crane", "falcon", "gecko", "heron", "ibis", "lynx", "marten", "otter", "puffin", "robin", "toad")
