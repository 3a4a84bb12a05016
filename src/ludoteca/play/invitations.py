"""Who is invited to which match: two people on two screens play one match of the store.

Whoever begins the match is its host; one other may take the free seat, by a token in a link or by a short code, and
once: taking it uses both up. A third token lets anybody look on. A guest is known, as a host is, by a digest.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from ludoteca.protocols import Seat

__all__ = ["Invitation", "Invitations", "plain_code"]

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: nothing that is easily taken for something else."""
CODE = 8


@dataclass(frozen=True)
class Invitation:
    """The free seat of one match, or who has taken it."""

    match: str
    """The match's name in the store."""
    host: str
    """Who began it."""
    seat: Seat
    """The seat that is, or was, free; the host has the other one."""
    token: str | None
    """What the link to the seat holds; None once it is taken."""
    code: str | None
    """What can be typed in place of it; None once it is taken."""
    watch: str
    """What the link for those who only look on holds."""
    guest: str | None = None
    """Who has taken the seat."""

    @classmethod
    def new(cls, match: str, host: str, seat: Seat, guest: str | None = None) -> Invitation:
        """An invitation that nobody can guess; with a guest the seat is taken already."""
        token = None if guest else secrets.token_urlsafe(16)
        code = None if guest else "".join(secrets.choice(LETTERS) for _ in range(CODE))
        return cls(match, host, seat, token, code, secrets.token_urlsafe(16), guest)


def plain_code(typed: str) -> str:
    """A code as it is kept, whatever its capitals, spaces and hyphens.

    >>> plain_code(" abcd-23 45")
    'ABCD2345'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


class Invitations:
    """Those of a store, by the run of their matches. Made by `Store.invitations`."""

    def __init__(self, base: sqlite3.Connection, transaction: Callable[[], AbstractContextManager[None]]) -> None:
        self._base, self._transaction = base, transaction

    def add(self, run: int, new: Invitation) -> None:
        """Keeps an invitation to a match that is kept already."""
        row = (run, new.match, new.host, new.seat, new.token, new.code, new.watch, new.guest)
        with self._transaction():
            self._base.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def of_match(self, run: int, name: str) -> Invitation | None:
        """The invitation to a match, taken or not; None for a match without one."""
        return self._one("name = ?", run, name)

    def by_token(self, run: int, token: str) -> Invitation | None:
        """That of a link to a free seat."""
        return self._one("token = ?", run, token)

    def by_code(self, run: int, code: str) -> Invitation | None:
        """That of a code for a free seat, as `plain_code` has it."""
        return self._one("code = ?", run, code)

    def by_watch(self, run: int, token: str) -> Invitation | None:
        """That of a link for those who look on."""
        return self._one("watch = ?", run, token)

    def take(self, run: int, token: str, guest: str) -> Invitation | None:
        """Gives the seat of an open invitation to a guest; None if it is not open any more, or the guest its host."""
        with self._transaction():
            found = self.by_token(run, token)
            if found is None or found.host == guest:
                return None
            self._base.execute(
                "UPDATE invitations SET guest = ?, token = NULL, code = NULL WHERE run = ? AND name = ?",
                (guest, run, found.match),
            )
        return self.of_match(run, found.match)

    def _one(self, where: str, run: int, value: str) -> Invitation | None:
        row = self._base.execute(
            f"SELECT name, host, seat, token, code, watch, guest FROM invitations WHERE run = ? AND {where}",
            (run, value),
        ).fetchone()
        return None if row is None else Invitation(*row)
