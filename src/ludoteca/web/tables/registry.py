"""All tables of all visitors: records of the store's standing run ``page``, and in memory while they are in use.

A signed cookie identifies a visitor, an unguessable key in the address identifies a table. A lookup takes both, so
the address alone does not show another visitor's match. An invited guest counts as a visitor of the table. The store
keeps only a digest of the cookie.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from math import inf
from pathlib import Path
from weakref import WeakValueDictionary

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Store, StoredMatch
from ludoteca.play.store.invitations import Invitation, plain_code
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat
from ludoteca.web.errors import InvalidTable, TableNotFound
from ludoteca.web.serving.addresses import AddressRateLimit
from ludoteca.web.tables.store_writer import StoreWriter
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import MARGIN

KEY = re.compile(r"[A-Za-z0-9_-]{22}")
OPEN_AT_ONCE = 2000
"""Tables kept in memory; others are read again when somebody comes back."""
MOST_TABLES, MOST_BYTES = 20_000, 2**30
"""The most that all visitors together can make the server keep."""
UNPLAYED, UNFINISHED = 3600.0, 12 * 3600.0
"""Seconds without a move after which an unplayed and an unfinished table make room when the server is full."""
OLD = 30 * 86_400.0
"""Seconds after which a finished table does, when unfinished ones are not enough."""
MOST_OPENED, WITHIN = 1500, 3600.0
"""Tables that visitors of one address may open, in so many seconds. So one address cannot fill the server: its tables
make room sooner than it can open that many."""
MOST_WRONG_CODES, CODES_WITHIN = 60, 60.0
"""Wrong codes of one address in so many seconds: guessing one of 31⁸ codes takes many lifetimes, from a thousand
addresses too. And no one visitor keeps others from entering theirs."""
MOST_DELETED = 500
RECOUNT = 60.0
"""Seconds for which a count of all tables is good enough."""
NOT_OPEN = say(
    "this invitation does not work: the seat is taken, the match was deleted, or the code is wrong; "
    "if you took the seat yourself, the match is on the start page"
)


def owner_of(visitor: str) -> str:
    """The digest by which the store knows a visitor."""
    return hashlib.sha256(visitor.encode()).hexdigest()[:32]


class TableRegistry:
    """Creates, finds and deletes tables. A visitor has at most `limit`; finished ones make room first.

    Belongs to the event loop's thread, in which it reads; it writes in another.
    """

    def __init__(
        self,
        path: Path | str,
        limit: int = 40,
        most_tables: int = MOST_TABLES,
        most_bytes: int = MOST_BYTES,
        most_opened: int = MOST_OPENED,
        most_deleted: int = MOST_DELETED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """most_opened: by one address, within an hour. most_deleted: looked at in one go to make room."""
        self.limit = limit
        self._most_tables, self._most_bytes, self._most_deleted = most_tables, most_bytes, most_deleted
        self._clock = clock
        self._store = Store(path)
        self._run = self._store.people_run("page").id
        self._writer = StoreWriter(path, self._on_deleted)
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that a page holds, by its key: there is one object per table."""
        self._wrong_codes = AddressRateLimit(MOST_WRONG_CODES, CODES_WITHIN)
        self._opened = AddressRateLimit(most_opened, WITHIN)
        self._started = time.time(), clock()
        self._played: OrderedDict[str, float] = OrderedDict()
        """When each table was last played on, by the steady clock; only since the server started."""
        self._extent = (0, 0)
        self._counted = -inf

    async def create(
        self, visitor: str, match: Match, free: Seat | None = None, guest: str | None = None, address: str = ""
    ) -> tuple[str, Table]:
        """Creates a table; returns it with its key. Raises InvalidTable when there is no room, and InvalidStore.

        free: the seat of a person at another screen, who is invited, or who sits there already as `guest`, a digest.
        address: the visitor's.
        """
        if address and self._opened.is_exceeded(address):
            raise InvalidTable(say("many matches were begun from your network; please try again in a while"))
        self._opened.count(address)
        key, owner, record = secrets.token_urlsafe(16), owner_of(visitor), match.record()
        invitation = None if free is None else Invitation.new(key, owner, free, guest)

        def add(store: Store, run: int) -> None:
            self._make_room(store, run, owner)
            store.people.open(run, record, key, owner)
            if invitation is not None:
                store.invitations.add(run, invitation)

        await asyncio.wrap_future(self._writer.do(add))
        self._note_played(key)
        return key, self._hold(key, match, owner, invitation)

    def find(self, visitor: str, key: str) -> Table:
        """The table of this key, if the visitor sits there. Raises TableNotFound and InvalidTable."""
        owner = owner_of(visitor)
        table = self._table(key, owner)
        if table is None or not (owner == table.owner or table.seats_of(owner)) or table.deleted:
            raise TableNotFound(say("you have no match at this address"))
        table.end_if_late()  # nobody may have been here when the time was up
        self._recent[key] = table
        self._recent.move_to_end(key)
        return table

    def _table(self, key: str, visitor: str | None = None) -> Table | None:
        """The table of this key; from the store only if the visitor sits there. Raises InvalidTable."""
        if not KEY.fullmatch(key):
            return None
        table = self._live.get(key)
        return self._read(key, visitor) if table is None else table

    def _read(self, key: str, visitor: str | None) -> Table | None:
        try:
            owner, invitation = (
                self._store.people.owner_of(self._run, key),
                self._store.invitations.of_match(self._run, key),
            )
            if visitor is not None and visitor not in (owner, invitation and invitation.guest):
                return None
            found = None if owner is None else self._store.people.find(self._run, key, owner)
            if owner is None or found is None:
                return None
            return self._hold(key, Match.of_record(found[1], margin=MARGIN), owner, invitation)
        except (LudotecaError, ValueError) as error:
            raise InvalidTable("this match cannot be read: {why}", why=str(error).split("\n")[0][:200]) from error

    # Invitations

    def find_invited(self, *, token: str = "", code: str = "", address: str = "") -> Table:
        """The table with a free seat to which a link's token or a typed code invites. Raises InvalidTable.

        Codes are short, so wrong ones are rate-limited by the visitor's address.
        """
        if token:
            found = self._store.invitations.by_token(self._run, token) if KEY.fullmatch(token) else None
        else:
            if self._wrong_codes.is_exceeded(address):
                raise InvalidTable(say("too many wrong codes; please try again in a minute"))
            found = self._store.invitations.by_code(self._run, plain_code(code))
            if found is None:
                self._wrong_codes.count(address)
        table = None if found is None else self._table(found.match)
        if table is None or table.deleted:
            raise InvalidTable(NOT_OPEN)
        return table

    async def take_seat(self, visitor: str, token: str, nickname: str = "") -> tuple[str, Table]:
        """Seats a visitor at the table to which the token invites; returns key and table. Raises InvalidTable.

        nickname: what the visitor calls themselves.
        """
        guest = owner_of(visitor)
        if not KEY.fullmatch(token):
            raise InvalidTable(NOT_OPEN)
        taken = await asyncio.wrap_future(self._writer.do(lambda store, run: store.invitations.take(run, token, guest)))
        table = None if taken is None else self._table(taken.match)
        if taken is None or table is None or table.deleted:
            raise InvalidTable(NOT_OPEN)
        table.take_seat(taken, nickname)
        return taken.match, table

    def spectated(self, token: str) -> tuple[str, Table]:
        """The key and the table that the token of a spectator's link shows. Raises InvalidTable."""
        found = self._store.invitations.by_watch(self._run, token) if KEY.fullmatch(token) else None
        table = None if found is None else self._table(found.match)
        if found is None or table is None or table.deleted:
            raise InvalidTable(say("there is no match at this address any more"))
        return found.match, table

    def of_visitor(self, visitor: str) -> list[StoredMatch]:
        """The visitor's tables as the store lists them, the latest first."""
        return self._store.people.of_owner(self._run, owner_of(visitor), guest=True)

    async def delete(self, visitor: str, key: str) -> None:
        """Deletes a table for good, if it is this visitor's; a tab that still shows it cannot bring it back."""
        owner = owner_of(visitor)
        if (table := self._live.get(key)) is not None and table.owner == owner:
            table.deleted = True
            self._recent.pop(key, None)
        await asyncio.wrap_future(self._writer.do(lambda store, run: store.people.remove(run, key, owner)))

    def close(self) -> None:
        """Saves what is not saved yet."""
        self._writer.close()
        self._store.close()

    def _hold(self, key: str, match: Match, owner: str, invitation: Invitation | None) -> Table:
        def save(record: Record) -> None:
            self._note_played(key)
            self._writer.save(key, record)

        table = Table(match, save, owner, invitation, self._clock)
        self._live[key] = self._recent[key] = table
        while len(self._recent) > OPEN_AT_ONCE:
            self._recent.popitem(last=False)
        return table

    def _on_deleted(self, key: str) -> None:
        """A table could not be saved: another process has deleted it."""
        if (table := self._live.get(key)) is not None:
            table.deleted = True

    def _make_room(self, store: Store, run: int, owner: str) -> None:
        """Deletes the oldest finished tables of a visitor who has too many. Raises InvalidTable if none is finished."""
        kept = store.people.of_owner(run, owner)
        for each in reversed(kept):
            if len(kept) < self.limit:
                break
            if each.ending is not Ending.unfinished:
                store.people.remove(run, each.name, owner)
                kept.remove(each)
        if len(kept) >= self.limit:
            raise InvalidTable(
                "you have {count} unfinished matches and the limit is {limit}: delete some first",
                count=len(kept),
                limit=self.limit,
            )
        if self._is_full(store, run):
            self._delete_stale(store, run)
            self._counted = -inf
        if self._is_full(store, run):
            raise InvalidTable(say("this server is full; please come back later"))
        self._extent = (self._extent[0] + 1, self._extent[1])

    def _is_full(self, store: Store, run: int) -> bool:
        if self._clock() - self._counted > RECOUNT:
            self._extent, self._counted = store.extent(run), self._clock()
        count, size = self._extent
        return count >= self._most_tables or size >= self._most_bytes

    def _delete_stale(self, store: Store, run: int) -> None:
        """Deletes unfinished tables that nobody has played on for long; finished ones only if that is not enough."""
        gone = 0
        for name, owner, updated, record in store.people.oldest(run, self._most_deleted, finished=False):
            unplayed = len(record.actions) == record.opening
            if self._age(name, updated) > (UNPLAYED if unplayed else UNFINISHED):
                store.people.remove(run, name, owner)
                gone += 1
        if gone:
            return
        for name, owner, updated, _ in store.people.oldest(run, self._most_deleted, finished=True):
            if self._age(name, updated) > OLD:
                store.people.remove(run, name, owner)

    def _age(self, name: str, updated: float) -> float:
        """The seconds since a table was last played on.

        By the steady clock since the server started, and by the store's dates before that: a wall clock that is set
        must not delete what is being played. A date in the future counts as the start of the server.
        """
        wall, steady = self._started
        age = self._clock() - steady + max(0.0, wall - updated)
        return self._clock() - self._played[name] if name in self._played else age

    def _note_played(self, key: str) -> None:
        self._played[key] = self._clock()
        self._played.move_to_end(key)
        if len(self._played) > self._most_tables:
            self._played.popitem(last=False)
