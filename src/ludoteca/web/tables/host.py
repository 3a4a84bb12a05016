"""Keeps a table going while somebody looks at it: lets its agents think and tells every page of each change."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match, Question
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Decision, Seat, View
from ludoteca.web.serving.allowed_specs import asked_agent, current_identity
from ludoteca.web.serving.polling import Watching
from ludoteca.web.tables.registry import Tables, owner_of
from ludoteca.web.tables.table import FRIEND, PERSON, Asked, Cleared, Table, new_match
from ludoteca.web.thinking.opponents import agent_title
from ludoteca.web.thinking.queue import WATCHED, Busy, Seated, Thinking, told
from ludoteca.web.thinking.reviews import Reviews

__all__ = ["Host", "House"]

PACE = 0.5  # seconds between two actions when only agents play, so that a person can follow
RETRY = 2.0  # seconds until a full queue is tried again
FEW = 20  # open tables up to which agents have time for what nobody asked for
SHOWN = 0.25  # seconds from one thought that is shown to the next


class Host:
    """One table with the pages that show it. Without a page nothing thinks: a closed tab frees its worker.

    Each agent sits there for one match: a match that goes another way, because something was taken back, has new ones,
    and so has one that somebody comes back to. They are shown what they had seen.
    """

    def __init__(self, table: Table, thinking: Thinking) -> None:
        self.table = table
        self.paused = False
        """Whether agents that play each other are to wait."""
        self.stage = ""
        """What the agent on turn does: ``waiting``, ``thinking``, ``busy`` when the queue is full, or nothing."""
        self.trouble = ""
        """Why the agent on turn failed, if it did."""
        self.thought: Decision | None = None
        """What the agent on turn thinks so far."""
        self.next: asyncio.Future[tuple[str, Table]] | None = None
        """Where two people at two screens play on, once one of them has asked for that."""
        self._thinking = thinking
        self._pages: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._players: dict[Seat, Seated] = {}
        self.began = 0.0
        """When the agent on turn began to think, by `time.monotonic`."""
        self._shown = self._since = 0.0
        self._hurried = False

    @property
    def ahead(self) -> int:
        """How many questions wait in the queue."""
        return self._thinking.waiting

    def join(self, page: Callable[[], None]) -> None:
        """From now on `page` is called after every change."""
        if not self._pages:
            self._since = time.monotonic()
        self._pages.add(page)
        self._nudge()

    def leave(self, page: Callable[[], None]) -> None:
        """The page is gone; with the last one thinking stops."""
        self._pages.discard(page)
        if not self._pages:
            self._stop()
            self._dismiss()

    @property
    def watched(self) -> bool:
        """Whether any page shows this table."""
        return bool(self._pages)

    def greet(self) -> None:
        """Somebody has taken the free seat, or both go on elsewhere: the pages look again."""
        self._tell_pages()

    def play(self, action: Action) -> None:
        """A person's action. Raises IllegalAction and Cleared."""
        self._change(lambda: self.table.play(action, time.monotonic() - self._since))
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

    def hurry(self) -> None:
        """The agent on turn is to play the best that it has found so far, or the first that it finds."""
        if self.stoppable:
            self._hurried = True
            self._stop_if_hurried()

    @property
    def stoppable(self) -> bool:
        """Whether an agent thinks for so long that it is worth while to stop it.

        What it thinks has no say in that: the moment of its first thought might tell something of its hand.
        """
        return self.stage == "thinking" and (self.table.match.limit.seconds or 0.0) >= WATCHED

    def _stop_if_hurried(self) -> None:
        if self._hurried and self.thought is not None and self.table.turn in self._players:
            self._players[self.table.turn].stop()

    def _change(self, change: Callable[[], None]) -> None:
        try:
            change()
        except Cleared:
            self.clear()
            raise

    def clear(self) -> None:
        """The table is gone: whoever looks at it is told, and nothing thinks for it any more."""
        self.table.cleared = True
        self._stop()
        self._dismiss()
        self._tell_pages()

    def _restart(self) -> None:
        self._stop()
        self._dismiss()
        self.trouble = ""
        self._changed()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._rest()

    def _rest(self) -> None:
        self._task, self.stage, self.thought, self._hurried = None, "", None, False

    def _dismiss(self) -> None:
        """The agents go."""
        for seated in self._players.values():
            self._thinking.let_go(seated)
        self._players.clear()

    def _changed(self) -> None:
        self._since = time.monotonic()
        if self.table.over:
            self._dismiss()
        self._nudge()
        self._tell_pages()

    def _tell_pages(self) -> None:
        for page in list(self._pages):
            page()

    def _nudge(self) -> None:
        """Lets the agent on turn think, if there is one and nobody is doing so already."""
        idle = self._task is None and not self.paused and not self.trouble and not self.table.cleared
        if idle and self._pages and self.table.agent_on_turn is not None:
            self.stage = "waiting"
            self._task = asyncio.create_task(self._think())

    async def _think(self) -> None:
        table, turn = self.table, self.table.turn
        assert turn is not None
        try:
            decision, seconds = await self._decision(turn)
            if not table.persons:
                self._stage("")
                await asyncio.sleep(PACE)
            self._rest()
            table.answer(decision, seconds)
        except Cleared:
            self._rest()
            self.clear()
        except (Fault, LudotecaError) as error:
            self._rest()
            self.trouble = say("{agent}: {why}", agent=agent_title(table.names[turn]), why=told(error))
        except Exception:  # ours: whoever waits is told, and may try again
            logging.getLogger(__name__).exception("an agent could not be asked")
            self._rest()
            self.trouble = say("something of ours failed")
        self._changed()

    async def _decision(self, turn: Seat) -> tuple[Decision, float]:
        """What the agent on turn plays, once it has had its turn in the queue."""
        seated = self._seated(turn)
        while True:
            try:
                self._stage("busy" if self._thinking.full else "waiting")
                return await self._thinking.ask(
                    seated,
                    lambda: self._question(seated, turn),
                    started=lambda: self._stage("thinking"),
                    tell=self._tell,
                )
            except Busy:
                await asyncio.sleep(RETRY)

    def _seated(self, turn: Seat) -> Seated:
        if turn not in self._players:
            who, match = self.table.match.seats[turn], self.table.match
            agent = asked_agent(who.agent, match.game.name)
            self.table.taken_up(turn, current_identity(agent, match.game.name))
            self._players[turn] = Seated(self._thinking.pool, match.game, agent, turn, who.seed or 0)
        return self._players[turn]

    def _question(self, seated: Seated, turn: Seat) -> tuple[Question, Sequence[View]]:
        match = self.table.match
        return match.ask(), () if seated.prepared else match.views_seen(turn)

    def _tell(self, thought: Decision) -> None:
        """What the agent on turn thinks now; shown a few times a second."""
        if self._task is not None and self.stage == "thinking":
            self.thought = thought
            self._stop_if_hurried()
            if time.monotonic() - self._shown > SHOWN:
                self._shown = time.monotonic()
                self._tell_pages()

    def _stage(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            if stage == "thinking":
                self.began = time.monotonic()
            self._tell_pages()


class House:
    """All that the pages share: the tables, the hosts of those being looked at, and the agents at work."""

    def __init__(self, store: Path, pool: Pool, queue: int = 256) -> None:
        self.store = store
        """Where all matches are kept, those of the arena too."""
        self.tables = Tables(store)
        self.thinking = Thinking(pool, queue)
        self.reviews = Reviews(self.thinking)
        self.watching = Watching()
        """Tournaments that somebody looks at."""
        self._hosts: dict[str, Host] = {}

    async def open(self, visitor: str, asked: Asked | Match) -> str:
        """A new table; returns its key. Raises LudotecaError."""
        match, free = (asked, None) if isinstance(asked, Match) else (new_match(asked), asked.free)
        key, _ = await self.tables.make(visitor, match, free)
        return key

    async def take(self, visitor: str, token: str) -> str:
        """Seats a visitor where they are invited; returns the table's key. Raises InvalidTable."""
        key, _ = await self.tables.take(visitor, token)
        if key in self._hosts:
            self._hosts[key].greet()
        return key

    async def again(self, visitor: str, key: str) -> str:
        """Another match like that of a table between two screens, seats exchanged; returns the new table's key.

        Whoever asks first opens it, for both; the other is told where it is. Raises InvalidTable.
        """
        host = self.host(visitor, key)
        table, who = host.table, owner_of(visitor)
        if host.next is None:
            guest = None if table.invitation is None else table.invitation.guest
            match = new_match(Asked(table.game.spec, (PERSON, FRIEND), None, str(table.match.limit)))
            other = guest if who == table.owner else table.owner
            host.next = asyncio.ensure_future(self.tables.make(visitor, match, table.seats_of(who)[0], other))
        try:
            new, _ = await asyncio.shield(host.next)
        except LudotecaError:
            host.next = None
            raise
        host.greet()
        return new

    def host(self, visitor: str, key: str) -> Host:
        """The host of the visitor's table. Raises InvalidTable."""
        return self._host(key, self.tables.find(visitor, key))

    def looked_on(self, token: str) -> Host:
        """The host of the table that a link's token lets anybody look at. Raises InvalidTable."""
        return self._host(*self.tables.looked_on(token))

    def _host(self, key: str, table: Table) -> Host:
        with contextlib.suppress(KeyError):
            if self._hosts[key].table is table:
                return self._hosts[key]
        self._tidy()
        self._hosts[key] = Host(table, self.thinking)
        return self._hosts[key]

    async def clear(self, visitor: str, key: str) -> None:
        """Takes a table of the visitor away for good; tabs that show it are told."""
        await self.tables.clear(visitor, key)
        host = self._hosts.get(key)
        if host is not None and host.table.cleared:
            host.clear()

    @property
    def quiet(self) -> bool:
        """Whether so few tables are open that agents have time for what nobody asked for."""
        return sum(host.watched for host in self._hosts.values()) <= FEW

    def _tidy(self) -> None:
        for key in [key for key, host in self._hosts.items() if not host.watched]:
            del self._hosts[key]

    def close(self) -> None:
        """Ends all agents, and keeps what is not kept yet."""
        self.thinking.close()
        self.tables.close()
