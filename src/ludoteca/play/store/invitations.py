"""Invitations: two people on two screens play one match of the store.

The host starts the match. One guest takes the free seat, by a token in a link or by a short code; both work once. A
third token lets anyone watch. Hosts and guests are known by digests.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ludoteca.play.store.file import StoreFile
from ludoteca.protocols import Seat

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of codes, without those that are easily confused."""
CODE = 8


@dataclass(frozen=True)
class Invitation:
    """The free seat of a match, or the guest who has taken it."""

    match: str
    """The match's name in the store."""
    host: str
    """Who started the match."""
    seat: Seat
    """The seat of the guest; the host has the other one."""
    token: str | None
    """In the link to the seat; None once the seat is taken."""
    code: str | None
    """Can be typed instead of the link; None once the seat is taken."""
    watch: str
    """In the link for people who only watch."""
    guest: str | None = None
    """The guest, once the seat is taken."""

    @classmethod
    def new(cls, match: str, host: str, seat: Seat, guest: str | None = None) -> Invitation:
        """An invitation with random tokens; with a guest the seat is taken already."""
        token = None if guest else secrets.token_urlsafe(16)
        code = None if guest else "".join(secrets.choice(LETTERS) for _ in range(CODE))
        return cls(match, host, seat, token, code, secrets.token_urlsafe(16), guest)


def plain_code(typed: str) -> str:
    """A typed code in stored form: upper case, without spaces and hyphens.

    >>> plain_code(" abcd-23 45")
    'ABCD2345'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


class Invitations:
    """The invitations of a store; see `Store.invitations`."""

    def __init__(self, file: StoreFile) -> None:
        self._base, self._transaction = file.base, file.transaction

    def add(self, run: int, new: Invitation) -> None:
        """Store an invitation to a stored match."""
        row = (run, new.match, new.host, new.seat, new.token, new.code, new.watch, new.guest)
        with self._transaction():
            self._base.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def of_match(self, run: int, name: str) -> Invitation | None:
        """The invitation to a match, taken or not; None for a match without one."""
        return self._one("name = ?", run, name)

    def by_token(self, run: int, token: str) -> Invitation | None:
        """The invitation whose seat link holds this token."""
        return self._one("token = ?", run, token)

    def by_code(self, run: int, code: str) -> Invitation | None:
        """The invitation with this code, in the form of `plain_code`."""
        return self._one("code = ?", run, code)

    def by_watch(self, run: int, token: str) -> Invitation | None:
        """The invitation whose watch link holds this token."""
        return self._one("watch = ?", run, token)

    def take(self, run: int, token: str, guest: str) -> Invitation | None:
        """Give the free seat to a guest; None if it is taken, or if the guest is the host."""
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
