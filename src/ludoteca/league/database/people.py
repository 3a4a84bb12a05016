"""The people of a league: its roster, their personal codes, pseudonyms and deadlines."""

from __future__ import annotations

import csv
import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ludoteca.errors import InvalidOption
from ludoteca.league.database.league_file import LeagueFile

CODE_BYTES = 16
"""128 bits."""
COLUMNS = "id, name, ident, pseudonym, standing, extension"


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


class People(LeagueFile):
    """The people in a league's file."""

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
        rows = self.store.base.execute(f"SELECT {COLUMNS} FROM league_people ORDER BY id")
        return [Person(*row) for row in rows]

    def new_code(self, person: int) -> str:
        """A new personal code, shown once and never again; an earlier one no longer works."""
        code = secrets.token_urlsafe(CODE_BYTES)
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET code = ? WHERE id = ?", (digest_of(code), person))
        return code

    def has_code(self, person: int) -> bool:
        """Whether this person has a code that works."""
        row = self.store.base.execute("SELECT code IS NOT NULL FROM league_people WHERE id = ?", (person,)).fetchone()
        return bool(row and row[0])

    def revoke_code(self, person: int) -> None:
        """Make this person's code useless."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET code = NULL WHERE id = ?", (person,))

    def extend(self, person: int, until: float | None) -> None:
        """Give one person their own deadline, in seconds since 1970."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_people SET extension = ? WHERE id = ?", (until, person))


def read_roster(path: Path) -> list[tuple[str, str]]:
    """The (name, ident) of everybody in a roster.csv. Raises InvalidOption, which names the line."""
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


def digest_of(code: str) -> bytes:
    """By what the file knows a code."""
    return hashlib.sha256(code.encode()).digest()


def _pseudonym(taken: set[str]) -> str:
    """An invented name, such as "amber-otter-17"."""
    while True:
        name = f"{secrets.choice(COLOURS)}-{secrets.choice(ANIMALS)}-{secrets.randbelow(90) + 10}"
        if name not in taken:
            return name


COLOURS = ("amber", "azure", "coral", "green", "indigo", "ivory", "jade", "olive", "pearl", "ruby", "silver", "violet")
ANIMALS = ("badger", "crane", "falcon", "gecko", "heron", "ibis", "lynx", "marten", "otter", "puffin", "robin", "toad")
