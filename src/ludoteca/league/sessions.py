"""Who is signed in: sessions of students and teachers, each begun with a personal code.

::

    league_teachers   id, name, code
    league_sessions   token, code, begun

The browser holds a random token, the file only its digest. A session belongs to the code that began it: when the code
is revoked or replaced, the session ends at once.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import NamedTuple

from ludoteca.league.database import CODE_BYTES, Database, Person
from ludoteca.play.store.schema import execute_all

TABLES = """
CREATE TABLE IF NOT EXISTS league_teachers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, code BLOB UNIQUE);
CREATE TABLE IF NOT EXISTS league_sessions (token BLOB PRIMARY KEY, code BLOB NOT NULL, begun REAL NOT NULL);
"""
TEACHER = "teacher"
"""The name of a teacher if no other is given."""
TOKEN_BYTES = 32
LONGEST = 200 * 86_400.0
"""Seconds after which one must sign in again: a term."""
MOST_SESSIONS = 20
"""Browsers signed in with one code; the oldest sessions end first."""


class Teacher(NamedTuple):
    """Somebody who may see and change everything."""

    id: int
    name: str


Viewer = Person | Teacher
"""Somebody who is signed in."""


def prepare(database: Database) -> None:
    """Make the tables of this module, if they are not there."""
    if database.store.base.execute("SELECT 1 FROM sqlite_master WHERE name = 'league_sessions'").fetchone() is None:
        with database.store.transaction() as base:
            execute_all(base, TABLES)


def new_teacher_code(database: Database, name: str = TEACHER) -> str:
    """A new code for a teacher, shown once; an earlier one of the same name no longer works."""
    code = secrets.token_urlsafe(CODE_BYTES)
    with database.store.transaction() as base:
        base.execute(
            "INSERT INTO league_teachers (name, code) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET code = excluded.code",
            (name, _digest(code)),
        )
    return code


def revoke_teacher_code(database: Database, name: str = TEACHER) -> bool:
    """Make a teacher's code useless. Returns whether there was one."""
    with database.store.transaction() as base:
        cursor = base.execute("UPDATE league_teachers SET code = NULL WHERE name = ? AND code NOTNULL", (name,))
    return cursor.rowcount > 0


def viewer_with(database: Database, code: str) -> Viewer | None:
    """The student or teacher with this code; None if there is none."""
    return _viewer(database, _digest(code))


def sign_in(database: Database, code: str) -> str | None:
    """Begin a session. Returns its token, for the browser; None if no code is so."""
    digest, now = _digest(code), time.time()
    with database.store.transaction() as base:
        if _viewer(database, digest) is None:
            return None
        token = secrets.token_urlsafe(TOKEN_BYTES)
        base.execute("INSERT INTO league_sessions VALUES (?, ?, ?)", (_digest(token), digest, now))
        base.execute("DELETE FROM league_sessions WHERE begun < ?", (now - LONGEST,))
        base.execute(
            "DELETE FROM league_sessions WHERE code = ? AND token NOT IN "
            "(SELECT token FROM league_sessions WHERE code = ? ORDER BY begun DESC, rowid DESC LIMIT ?)",
            (digest, digest, MOST_SESSIONS),
        )
    return token


def viewer_of(database: Database, token: str) -> Viewer | None:
    """Whose session it is; None once it has ended, or its code was revoked."""
    row = database.store.base.execute(
        "SELECT code FROM league_sessions WHERE token = ? AND begun > ?", (_digest(token), time.time() - LONGEST)
    ).fetchone()
    return None if row is None else _viewer(database, row[0])


def sign_out(database: Database, token: str) -> None:
    """End a session."""
    with database.store.transaction() as base:
        base.execute("DELETE FROM league_sessions WHERE token = ?", (_digest(token),))


def _viewer(database: Database, code: bytes) -> Viewer | None:
    base = database.store.base
    row = base.execute(
        "SELECT id, name, ident, pseudonym, standing, extension FROM league_people WHERE code = ?", (code,)
    ).fetchone()
    if row is not None:
        return Person(*row)
    row = base.execute("SELECT id, name FROM league_teachers WHERE code = ?", (code,)).fetchone()
    return None if row is None else Teacher(*row)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
