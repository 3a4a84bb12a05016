"""All tables of all visitors: records of the store's standing run ``page``, and in memory while they are in use.

A visitor is known by a signed cookie, a table by an unguessable key in its address. Looking a table up takes both, so
that nobody finds another visitor's match, not even with its address: only whoever has taken a seat there by an
invitation. The store keeps only a digest of the cookie.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from weakref import WeakValueDictionary

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.invitations import Invitation, plain_code
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Store, StoredMatch
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat
from ludoteca.web.errors import InvalidTable, TableNotFound
from ludoteca.web.tables.code_rate_limit import CodeRateLimit
from ludoteca.web.tables.store_writer import StoreWriter
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import MARGIN

__all__ = ["TableRegistry", "owner_of"]

KEY = re.compile(r"[A-Za-z0-9_-]{22}")
OPEN_AT_ONCE = 2000
"""TableRegistry kept in memory; the rest is read again when somebody comes back."""
MOST_TABLES, MOST_BYTES = 20_000, 2**30
"""Of all visitors together: so much, and no more, can a crowd of newcomers make the server keep."""
FORGOTTEN, OLD = 3600.0, 30 * 86_400.0
"""Seconds after which a table on which nobody has played, and a finished one, make room when there is none left."""
MOST_FORGOTTEN = 500
COUNTED = 60.0
"""Seconds for which a count of all tables is good enough."""
NOT_OPEN = say(
    "this invitation is not open: the seat is taken, the match is gone, or the code was mistyped; "
    "if you took the seat yourself, the match is on the start page"
)


def owner_of(visitor: str) -> str:
    """What the store knows a visitor by."""
    return hashlib.sha256(visitor.encode()).hexdigest()[:32]


class TableRegistry:
    """Makes, finds and clears tables. A visitor has at most `limit`; finished ones make room first.

    Reads in the event loop's thread, to which it belongs; writes in another.
    """

    def __init__(
        self, path: Path | str, limit: int = 40, most_tables: int = MOST_TABLES, most_bytes: int = MOST_BYTES
    ) -> None:
        self.limit = limit
        self._most_tables, self._most_bytes = most_tables, most_bytes
        self._store = Store(path)
        self._run = self._store.standing("page").id
        self._writer = StoreWriter(path, self._found_gone)
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._used: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that anybody holds, by its key: there are never two of the same."""
        self._code_limit = CodeRateLimit()
        self._extent = (0, 0)
        self._counted = -COUNTED

    async def make(
        self, visitor: str, match: Match, free: Seat | None = None, guest: str | None = None
    ) -> tuple[str, Table]:
        """A new table and its key. Raises InvalidTable when there is no room, and InvalidStore.

        free: the seat for somebody at another screen, who is invited, or sits there already as `guest`, by the digest.
        """
        key, owner, record = secrets.token_urlsafe(16), owner_of(visitor), match.record()
        invitation = None if free is None else Invitation.new(key, owner, free, guest)

        def add(store: Store, run: int) -> None:
            self._make_room(store, run, owner)
            store.open_match(run, record, key, owner)
            if invitation is not None:
                store.invitations.add(run, invitation)

        await asyncio.wrap_future(self._writer.do(add))
        return key, self._remember(key, match, owner, invitation)

    def find(self, visitor: str, key: str) -> Table:
        """The table of this key at which the visitor sits. Raises TableNotFound and InvalidTable."""
        owner = owner_of(visitor)
        table = self._table(key, owner)
        if table is None or not (owner == table.owner or table.seats_of(owner)) or table.cleared:
            raise TableNotFound(say("no table of yours has this address"))
        self._recent[key] = table
        self._recent.move_to_end(key)
        return table

    def _table(self, key: str, visitor: str | None = None) -> Table | None:
        """The table of this key, read for whoever is known so, or for anybody. Raises InvalidTable."""
        if not KEY.fullmatch(key):
            return None
        table = self._used.get(key)
        return self._read(key, visitor) if table is None else table

    def _read(self, key: str, visitor: str | None) -> Table | None:
        try:
            owner, invitation = self._store.owner_of(self._run, key), self._store.invitations.of_match(self._run, key)
            if visitor is not None and visitor not in (owner, invitation and invitation.guest):
                return None
            found = None if owner is None else self._store.find_match(self._run, key, owner)
            if owner is None or found is None:
                return None
            return self._remember(key, Match.of_record(found[1], margin=MARGIN), owner, invitation)
        except (LudotecaError, ValueError) as error:
            raise InvalidTable(say("this table cannot be read: {why}", why=str(error).split("\n")[0][:200])) from error

    # Invitations

    def invited(self, *, token: str = "", code: str = "") -> Table:
        """The table with a free seat to which a link's token, or a code that was typed, invites. Raises InvalidTable.

        Wrong codes are counted: they are short, and nobody is to find one by trying.
        """
        if token:
            found = self._store.invitations.by_token(self._run, token) if KEY.fullmatch(token) else None
        else:
            self._code_limit.check()
            found = self._store.invitations.by_code(self._run, plain_code(code))
            if found is None:
                self._code_limit.wrong()
        table = None if found is None else self._table(found.match)
        if table is None or table.cleared:
            raise InvalidTable(NOT_OPEN)
        return table

    async def take(self, visitor: str, token: str) -> tuple[str, Table]:
        """Seats a visitor at the table to which the token invites: its key, and itself. Raises InvalidTable."""
        guest = owner_of(visitor)
        if not KEY.fullmatch(token):
            raise InvalidTable(NOT_OPEN)
        taken = await asyncio.wrap_future(self._writer.do(lambda store, run: store.invitations.take(run, token, guest)))
        table = None if taken is None else self._table(taken.match)
        if taken is None or table is None or table.cleared:
            raise InvalidTable(NOT_OPEN)
        table.invitation = taken
        return taken.match, table

    def spectated(self, token: str) -> tuple[str, Table]:
        """The table, with its key, that the token of a link lets anybody look at. Raises InvalidTable."""
        found = self._store.invitations.by_watch(self._run, token) if KEY.fullmatch(token) else None
        table = None if found is None else self._table(found.match)
        if found is None or table is None or table.cleared:
            raise InvalidTable(say("nobody plays at this address any more"))
        return found.match, table

    def of_visitor(self, visitor: str) -> list[StoredMatch]:
        """The visitor's tables as the store lists them, the one played at last first."""
        return self._store.matches_of(self._run, owner_of(visitor), guest=True)

    async def clear(self, visitor: str, key: str) -> None:
        """Takes a table away for good, if it is there and this visitor's: whoever has it open cannot bring it back."""
        owner = owner_of(visitor)
        if (table := self._used.get(key)) is not None and table.owner == owner:
            table.cleared = True
            self._recent.pop(key, None)
        await asyncio.wrap_future(self._writer.do(lambda store, run: store.remove_match(run, key, owner)))

    def close(self) -> None:
        """Writes what is not written yet."""
        self._writer.close()
        self._store.close()

    def _remember(self, key: str, match: Match, owner: str, invitation: Invitation | None) -> Table:
        def keep(record: Record) -> None:
            self._writer.save(key, record)

        table = Table(match, keep, owner, invitation)
        self._used[key] = self._recent[key] = table
        while len(self._recent) > OPEN_AT_ONCE:
            self._recent.popitem(last=False)
        return table

    def _found_gone(self, key: str) -> None:
        """A table was to be saved that another process has taken away."""
        if (table := self._used.get(key)) is not None:
            table.cleared = True

    def _make_room(self, store: Store, run: int, owner: str) -> None:
        """Clears the oldest finished tables of a visitor who has too many. Raises InvalidTable if none is."""
        kept = store.matches_of(run, owner)
        for each in reversed(kept):
            if len(kept) < self.limit:
                break
            if each.ending is not Ending.unfinished:
                store.remove_match(run, each.name, owner)
                kept.remove(each)
        if len(kept) >= self.limit:
            raise InvalidTable(
                say(
                    "you have {count} unfinished matches, and {limit} is the limit: clear some first",
                    count=len(kept),
                    limit=self.limit,
                )
            )
        if self._is_full(store, run):
            self._forget(store, run)
            self._counted = -COUNTED
        if self._is_full(store, run):
            raise InvalidTable(say("this server keeps as many matches as it can; please come back later"))
        self._extent = (self._extent[0] + 1, self._extent[1])

    def _is_full(self, store: Store, run: int) -> bool:
        if time.monotonic() - self._counted > COUNTED:
            self._extent, self._counted = store.extent(run), time.monotonic()
        count, size = self._extent
        return count >= self._most_tables or size >= self._most_bytes

    def _forget(self, store: Store, run: int) -> None:
        """Takes away what nobody will miss: tables on which nobody has played, and finished ones that are old."""
        now = time.time()
        for name, owner, updated, record in store.oldest_matches(run, MOST_FORGOTTEN):
            untouched = len(record.actions) == record.opening and now - updated > FORGOTTEN
            if untouched or (record.finished and now - updated > OLD):
                store.remove_match(run, name, owner)
