"""Keeps a table going while somebody looks at it: lets its agents think and tells every page of each change."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Seat
from ludoteca.web.asked import asked_agent, rules
from ludoteca.web.table import Cleared, Head, Table
from ludoteca.web.tables import Tables
from ludoteca.web.thinking import Busy, Job, Thinkers

__all__ = ["Host", "House"]

PACE = 0.5  # seconds between two actions when only agents play, so that a person can follow
RETRY = 2.0  # seconds until a full queue is tried again


class Host:
    """One table with the pages that show it. Without a page nothing thinks: a closed tab frees its worker."""

    def __init__(self, table: Table, thinkers: Thinkers) -> None:
        self.table = table
        self.paused = False
        """Whether agents that play each other are to wait."""
        self.stage = ""
        """What the agent on turn does: ``waiting``, ``thinking``, ``busy`` when the queue is full, or nothing."""
        self.trouble = ""
        """Why the agent on turn failed, if it did."""
        self.cleared = False
        """Whether the table was cleared away: nothing can be played on it any more."""
        self._thinkers = thinkers
        self._pages: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None

    @property
    def ahead(self) -> int:
        """How many jobs wait in the queue."""
        return self._thinkers.waiting

    def join(self, page: Callable[[], None]) -> None:
        """From now on `page` is called after every change."""
        self._pages.add(page)
        self._nudge()

    def leave(self, page: Callable[[], None]) -> None:
        """The page is gone; with the last one thinking stops."""
        self._pages.discard(page)
        if not self._pages:
            self._stop()

    @property
    def watched(self) -> bool:
        """Whether any page shows this table."""
        return bool(self._pages)

    def play(self, action: Action) -> None:
        """A person's action. Raises IllegalAction and Cleared."""
        self._change(lambda: self.table.play(action))
        self._changed()

    def undo(self) -> None:
        """See `Table.undo`; an agent that is thinking stops."""
        self._change(self.table.undo)
        self._restart()

    def resign(self, seat: Seat) -> None:
        """See `Table.resign`."""
        self._change(lambda: self.table.resign(seat))
        self._restart()

    def change_seats(self) -> None:
        """See `Table.change_seats`."""
        self._change(self.table.change_seats)
        self._restart()

    def pause(self, paused: bool) -> None:
        """Stops agents that play each other, or lets them go on."""
        self.paused = paused
        self._restart()

    def try_again(self) -> None:
        """After a failure: lets the agent think once more."""
        self._restart()

    def _change(self, change: Callable[[], None]) -> None:
        if self.cleared:
            raise Cleared(say("this table was cleared away"))
        try:
            change()
        except Cleared:
            self.clear()
            raise

    def clear(self) -> None:
        """The table is gone: whoever looks at it is told, and nothing thinks for it any more."""
        self.cleared = True
        self._stop()
        self._tell_pages()

    def _restart(self) -> None:
        self._stop()
        self.trouble = ""
        self._changed()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task, self.stage = None, ""

    def _changed(self) -> None:
        self._nudge()
        self._tell_pages()

    def _tell_pages(self) -> None:
        for page in list(self._pages):
            page()

    def _nudge(self) -> None:
        """Lets the agent on turn think, if there is one and nobody is doing so already."""
        idle = self._task is None and not self.paused and not self.trouble and not self.cleared
        if idle and self._pages and self.table.agent_on_turn is not None:
            self.stage = "waiting"
            self._task = asyncio.create_task(self._think(self.table.agent_on_turn))

    async def _think(self, spec: str) -> None:
        head = self.table.head
        try:
            job = Job.at(self.table.match, asked_agent(spec, self.table.game.name), head.seconds)
            while True:
                try:
                    self._stage("busy" if self._thinkers.full else "waiting")
                    action, thought = await self._thinkers.think(job, lambda: self._stage("thinking"))
                    break
                except Busy:
                    await asyncio.sleep(RETRY)
            if not head.persons:
                await asyncio.sleep(PACE)
            self._task, self.stage = None, ""
            self.table.play(action, thought)
        except Cleared:
            self._task = None
            self.clear()
        except LudotecaError as error:
            self._task, self.stage, self.trouble = None, "", error.args[0] if error.args else ""
        except Exception:  # ours: whoever waits is told, and may try again
            logging.getLogger(__name__).exception("an agent could not be asked")
            self._task, self.stage, self.trouble = None, "", say("something of ours failed")
        self._changed()

    def _stage(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            self._tell_pages()


@dataclass
class House:
    """All that the pages share: the tables, the hosts of those being looked at, and the workers."""

    folder: Path
    thinkers: Thinkers
    tables: Tables = field(init=False)
    hosts: dict[str, Host] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tables = Tables(self.folder)

    def open(self, visitor: str, head: Head, actions: Sequence[Action] = ()) -> str:
        """A new table on which these actions are played already; returns its key. Raises LudotecaError."""
        Match(rules(head.game), head.seed, actions, start=head.start)  # complain before anything is kept
        key, table = self.tables.make(visitor, head)
        for action in actions:
            table.play(action)
        return key

    def host(self, visitor: str, key: str) -> Host:
        """The host of the visitor's table. Raises InvalidTable."""
        table = self.tables.find(visitor, key)
        with contextlib.suppress(KeyError):
            if self.hosts[key].table is table or self.hosts[key].watched:
                return self.hosts[key]
        self._tidy()
        self.hosts[key] = Host(table, self.thinkers)
        return self.hosts[key]

    def clear(self, visitor: str, key: str) -> None:
        """Takes a table of the visitor away for good; tabs that show it are told."""
        self.tables.clear(visitor, key)
        host = self.hosts.pop(key, None)
        if host is not None:
            host.clear()

    def _tidy(self) -> None:
        for key in [key for key, host in self.hosts.items() if not host.watched]:
            del self.hosts[key]
