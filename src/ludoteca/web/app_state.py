"""What all pages share: the tables, the sessions of those being shown, and the agents at work."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.players.pool import Pool
from ludoteca.web.serving.polling import Pollers
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest, new_match
from ludoteca.web.tables.registry import TableRegistry, owner_of
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import AgentQueue
from ludoteca.web.thinking.reviews import Reviews

__all__ = ["AppState"]

FEW = 20
"""Open tables up to which agents also work on what nobody asked for."""


class AppState:
    """All that the pages share: the tables, the hosts of those being looked at, and the agents at work."""

    def __init__(self, store: Path, pool: Pool, queue: int = 256) -> None:
        self.store = store
        """Where all matches are kept, those of the arena too."""
        self.tables = TableRegistry(store)
        self.agent_queue = AgentQueue(pool, queue)
        self.reviews = Reviews(self.agent_queue)
        self.pollers = Pollers()
        """Tournaments that somebody looks at."""
        self._sessions: dict[str, TableSession] = {}

    async def open(self, visitor: str, asked: MatchRequest | Match) -> str:
        """A new table; returns its key. Raises LudotecaError."""
        match, free = (asked, None) if isinstance(asked, Match) else (new_match(asked), asked.free)
        key, _ = await self.tables.make(visitor, match, free)
        return key

    async def take(self, visitor: str, token: str) -> str:
        """Seats a visitor where they are invited; returns the table's key. Raises InvalidTable."""
        key, _ = await self.tables.take(visitor, token)
        if key in self._sessions:
            self._sessions[key].greet()
        return key

    async def again(self, visitor: str, key: str) -> str:
        """Another match like that of a table between two screens, seats exchanged; returns the new table's key.

        Whoever asks first opens it, for both; the other is told where it is. Raises InvalidTable.
        """
        session = self.session(visitor, key)
        table, who = session.table, owner_of(visitor)
        if session.next is None:
            guest = None if table.invitation is None else table.invitation.guest
            match = new_match(MatchRequest(table.game.spec, (PERSON, FRIEND), None, str(table.match.limit)))
            other = guest if who == table.owner else table.owner
            session.next = asyncio.ensure_future(self.tables.make(visitor, match, table.seats_of(who)[0], other))
        try:
            new, _ = await asyncio.shield(session.next)
        except LudotecaError:
            session.next = None
            raise
        session.greet()
        return new

    def session(self, visitor: str, key: str) -> TableSession:
        """The session of the visitor's table. Raises InvalidTable."""
        return self._session(key, self.tables.find(visitor, key))

    def spectated(self, token: str) -> TableSession:
        """The session of the table that a link's token lets anybody look at. Raises InvalidTable."""
        return self._session(*self.tables.spectated(token))

    def _session(self, key: str, table: Table) -> TableSession:
        with contextlib.suppress(KeyError):
            if self._sessions[key].table is table:
                return self._sessions[key]
        self._tidy()
        self._sessions[key] = TableSession(table, self.agent_queue)
        return self._sessions[key]

    async def clear(self, visitor: str, key: str) -> None:
        """Takes a table of the visitor away for good; tabs that show it are told."""
        await self.tables.clear(visitor, key)
        session = self._sessions.get(key)
        if session is not None and session.table.cleared:
            session.clear()

    @property
    def quiet(self) -> bool:
        """Whether so few tables are open that agents have time for what nobody asked for."""
        return sum(session.watched for session in self._sessions.values()) <= FEW

    def _tidy(self) -> None:
        for key in [key for key, session in self._sessions.items() if not session.watched]:
            del self._sessions[key]

    def close(self) -> None:
        """Ends all agents, and keeps what is not kept yet."""
        self.agent_queue.close()
        self.tables.close()
