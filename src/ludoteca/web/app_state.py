"""What all pages share: the tables, the sessions of those that pages show, and the agents at work."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.players.pool import Pool
from ludoteca.web.learning.trainings import Trainings
from ludoteca.web.serving.overload import LoopLag
from ludoteca.web.serving.polling import Pollers
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest, new_match
from ludoteca.web.tables.pictures import Pictures
from ludoteca.web.tables.registry import TableRegistry, owner_of
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.show_match import ShowMatch, show_programme
from ludoteca.web.tables.table import Table
from ludoteca.web.tables.upload_process import UploadReader
from ludoteca.web.thinking.queue import AgentQueue
from ludoteca.web.thinking.reviews import Reviews

FEW = 20
"""Open tables up to which agents also do work that no visitor asked for."""


class AppState:
    """The one object that every page is registered with."""

    def __init__(
        self, store: Path, pool: Pool, queue: int = 256, runs: Path = Path("runs"), *, has_tables: bool = True
    ) -> None:
        self.has_tables = has_tables
        """Whether people can play here; else replays and reviews do not offer it."""
        self.lag = LoopLag()
        """Whether the server can keep up."""
        self.store = store
        """The file of all matches, including the arena's."""
        self.runs = runs.absolute()
        """The folder of trainings; it need not exist."""
        self.trainings = Trainings()
        """The networks that visitors train here."""
        self.tables = TableRegistry(store)
        self.agent_queue = AgentQueue(pool, queue, self.lag)
        self.reviews = Reviews(self.agent_queue)
        self.pollers = Pollers()
        """Tournaments that somebody watches."""
        self.show = ShowMatch(self.agent_queue, lambda: not self.lag.is_late, show_programme())
        """The match that all visitors of Watch share."""
        self.uploads = UploadReader()
        """Files that visitors replay."""
        self.pictures = Pictures()
        """Pictures of matches that people share."""
        self._sessions: dict[str, TableSession] = {}

    async def open(self, visitor: str, wanted: MatchRequest | Match, address: str = "") -> str:
        """Opens a new table for a visitor at an address, and returns its key. Raises LudotecaError."""
        match, free = (wanted, None) if isinstance(wanted, Match) else (new_match(wanted), wanted.free)
        key, _ = await self.tables.create(visitor, match, free, address=address)
        return key

    async def take_seat(self, visitor: str, token: str, nickname: str = "") -> str:
        """Seats an invited visitor and returns the table's key. Raises InvalidTable."""
        key, _ = await self.tables.take_seat(visitor, token, nickname)
        if key in self._sessions:
            self._sessions[key].notify_pages()
        return key

    async def rematch(self, visitor: str, key: str) -> str:
        """Opens another match like that of a table between two screens, sides swapped; returns the new table's key.

        The first of the two players to ask opens it for both. Raises InvalidTable.
        """
        session = self.session(visitor, key)
        table, who = session.table, owner_of(visitor)
        if session.next_table is None:
            guest = None if table.invitation is None else table.invitation.guest
            names = (table.nickname(1), table.nickname(0))
            clock = str(table.match.person_limit)
            match = new_match(
                MatchRequest(
                    table.game.spec, (PERSON, FRIEND), None, str(table.match.limit), person_limit=clock, nicknames=names
                )
            )
            other = guest if who == table.owner else table.owner
            session.next_table = asyncio.ensure_future(
                self.tables.create(visitor, match, table.seats_of(who)[0], other)
            )
        try:
            new, _ = await asyncio.shield(session.next_table)
        except LudotecaError:
            session.next_table = None
            raise
        session.notify_pages()
        return new

    def session(self, visitor: str, key: str) -> TableSession:
        """The session of the visitor's table. Raises InvalidTable."""
        return self._session(key, self.tables.find(visitor, key))

    def spectated(self, token: str) -> TableSession:
        """The session of the table that the token of a spectator's link shows. Raises InvalidTable."""
        return self._session(*self.tables.spectated(token))

    def _session(self, key: str, table: Table) -> TableSession:
        session = self._sessions.get(key)
        if session is None or session.table is not table:
            self._sessions = {each: known for each, known in self._sessions.items() if known.watched}
            session = self._sessions[key] = TableSession(table, self.agent_queue)
        return session

    async def delete(self, visitor: str, key: str) -> None:
        """Deletes a table of the visitor for good; tabs that show it say so."""
        await self.tables.delete(visitor, key)
        session = self._sessions.get(key)
        if session is not None and session.table.deleted:
            session.mark_deleted()

    @property
    def has_spare_time(self) -> bool:
        """Whether agents may do work that no visitor asked for: few tables are open, and the server keeps up."""
        return not self.lag.is_late and sum(session.watched for session in self._sessions.values()) <= FEW

    def close(self) -> None:
        """Ends all agents and saves what is not saved yet."""
        self.trainings.close()
        self.agent_queue.close()
        self.tables.close()
