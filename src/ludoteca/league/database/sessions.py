"""Who is signed in: sessions of students and teachers, each begun with a personal code.

The browser holds a random token, the file only its digest. A session belongs to the code that began it: when the code
is revoked or replaced, the session ends at once.
"""

from __future__ import annotations

import secrets
import time
from typing import NamedTuple

from ludoteca.league.database.people import CODE_BYTES, COLUMNS, People, Person, digest_of

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


class Sessions(People):
    """The teachers and the sessions in a league's file."""

    def new_teacher_code(self, name: str = TEACHER) -> str:
        """A new code for a teacher, shown once; an earlier one of the same name no longer works."""
        code = secrets.token_urlsafe(CODE_BYTES)
        with self.store.transaction() as base:
            base.execute(
                "INSERT INTO league_teachers (name, code) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET code = excluded.code",
                (name, digest_of(code)),
            )
        return code

    def revoke_teacher_code(self, name: str = TEACHER) -> None:
        """Make a teacher's code useless."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_teachers SET code = NULL WHERE name = ?", (name,))

    def viewer_with(self, code: str) -> Viewer | None:
        """The student or teacher with this code; None if there is none."""
        return self._viewer(digest_of(code))

    def sign_in(self, code: str) -> str | None:
        """Begin a session. Returns its token, for the browser; None for a wrong code."""
        digest, now = digest_of(code), time.time()
        with self.store.transaction() as base:
            if self._viewer(digest) is None:
                return None
            token = secrets.token_urlsafe(TOKEN_BYTES)
            base.execute("INSERT INTO league_sessions VALUES (?, ?, ?)", (digest_of(token), digest, now))
            base.execute("DELETE FROM league_sessions WHERE begun < ?", (now - LONGEST,))
            base.execute(
                "DELETE FROM league_sessions WHERE code = ? AND token NOT IN "
                "(SELECT token FROM league_sessions WHERE code = ? ORDER BY begun DESC, rowid DESC LIMIT ?)",
                (digest, digest, MOST_SESSIONS),
            )
        return token

    def viewer_of(self, token: str) -> Viewer | None:
        """Whose session it is; None once it has ended, or its code was revoked."""
        row = self.store.base.execute(
            "SELECT code FROM league_sessions WHERE token = ? AND begun > ?",
            (digest_of(token), time.time() - LONGEST),
        ).fetchone()
        return None if row is None else self._viewer(row[0])

    def sign_out(self, token: str) -> None:
        """End a session."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_sessions WHERE token = ?", (digest_of(token),))

    def _viewer(self, code: bytes) -> Viewer | None:
        row = self.store.base.execute(f"SELECT {COLUMNS} FROM league_people WHERE code = ?", (code,)).fetchone()
        if row is not None:
            return Person(*row)
        row = self.store.base.execute("SELECT id, name FROM league_teachers WHERE code = ?", (code,)).fetchone()
        return None if row is None else Teacher(*row)
