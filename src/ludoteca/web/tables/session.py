"""Keeps a table going while somebody looks at it: lets its agents think and tells every page of each change."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Question
from ludoteca.players.faults import Fault
from ludoteca.protocols import Action, Decision, Seat, View
from ludoteca.web.errors import TableDeleted
from ludoteca.web.serving.allowed_specs import allowed_agent, current_identity
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.opponents import agent_title
from ludoteca.web.thinking.queue import WATCHED, AgentQueue, Busy, Seated, told

__all__ = ["TableSession"]

PACE = 0.5  # seconds between two actions when only agents play, so that a person can follow
RETRY = 2.0  # seconds until a full queue is tried again
FEW = 20  # open tables up to which agents have time for what nobody asked for
SHOWN = 0.25  # seconds from one thought that is shown to the next


class TableSession:
    """One table with the pages that show it. Without a page nothing thinks: a closed tab frees its worker.

    Each agent sits there for one match: a match that goes another way, because something was taken back, has new ones,
    and so has one that somebody comes back to. They are shown what they had seen.
    """

    def __init__(self, table: Table, queue: AgentQueue) -> None:
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
        self._queue = queue
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
        return self._queue.waiting

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
        """A person's action. Raises IllegalAction and TableDeleted."""
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
        except TableDeleted:
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
            self._queue.let_go(seated)
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
        except TableDeleted:
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
                self._stage("busy" if self._queue.full else "waiting")
                return await self._queue.ask(
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
            agent = allowed_agent(who.agent, match.game.name)
            self.table.taken_up(turn, current_identity(agent, match.game.name))
            self._players[turn] = Seated(self._queue.pool, match.game, agent, turn, who.seed or 0)
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
