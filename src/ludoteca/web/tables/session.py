"""A table while pages show it: its agents think, and every page learns of each change."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ludoteca.errors import ForkServerKilled, LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Question
from ludoteca.players.faults import Fault
from ludoteca.protocols import Action, Decision, Seat, View
from ludoteca.web.errors import TableDeleted
from ludoteca.web.serving.addresses import AddressRateLimit
from ludoteca.web.serving.allowed_specs import allowed_agent, current_identity
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.queue import (
    WATCHED,
    AgentQueue,
    Busy,
    SeatedAgent,
    Work,
    ask_twice,
    fault_reason,
    may_succeed_again,
)

PACE = 0.5  # seconds between two actions when only agents play, so that a person can follow
MAX_KILLS = 5
"""How often the fork server may be killed during a decision; then the visitor sees it and may try again."""
LATER = 0.02  # seconds after which a clock that should have run out is looked at
REACTIONS = ("👍", "👏", "😀", "😮", "🤔", "🙈")
"""All that players can send each other."""
MOST_REACTIONS, REACTIONS_WITHIN = 5, 15.0
"""Reactions of one player in so many seconds."""
REACTION_SHOWN = 5.0
"""Seconds for which a reaction is shown."""
RETRY = 2.0  # seconds until a full queue is tried again
SHOWN = 0.25  # seconds between two thoughts that are shown


class Reaction(NamedTuple):
    """What a player thinks of it, as one of the REACTIONS."""

    seat: Seat
    sign: str
    at: float
    """When it was sent, by the session's clock."""


class TableSession:
    """One table and the pages that show it. Without a page nothing thinks: a closed tab frees its worker.

    An agent is built for one match. After an undo, or when somebody comes back to the table, a new agent is built from
    the views that its seat has seen.
    """

    def __init__(self, table: Table, queue: AgentQueue, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: by which reactions are counted."""
        self.table = table
        self.paused = False
        """Whether agents that play each other wait."""
        self.stage = ""
        """What the agent on turn does: ``waiting``, ``thinking``, ``busy`` when the queue is full, or nothing."""
        self.failure = ""
        """Why the agent on turn failed, if it did."""
        self.machine_is_busy = False
        """Whether it failed because the machine was busy, although it was asked twice."""
        self.thought: Decision | None = None
        """What the agent on turn thinks so far."""
        self.thinking_since = 0.0
        """When the agent on turn began to think, by `time.monotonic`."""
        self.next_table: asyncio.Future[tuple[str, Table]] | None = None
        """The rematch of two people at two screens, once one of them has asked for it."""
        self._queue = queue
        self._pages: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._agents: dict[Seat, SeatedAgent] = {}
        self._shown = 0.0
        self._showing: asyncio.TimerHandle | None = None
        self.reaction: Reaction | None = None
        """The last reaction that a player sent."""
        self._reactions = AddressRateLimit(MOST_REACTIONS, REACTIONS_WITHIN, clock=clock)
        self._clock = clock
        self._flag: asyncio.TimerHandle | None = None
        """Ends the match when the time of the person on turn is up."""
        self._hurry = asyncio.Event()
        """Set when the agent on turn is to play now."""

    @property
    def ahead(self) -> int:
        """How many matches wait in the queue."""
        return self._queue.waiting(Work.match)

    @property
    def watched(self) -> bool:
        """Whether any page shows this table."""
        return bool(self._pages)

    def subscribe(self, page: Callable[[], None]) -> None:
        """Calls `page` after every change from now on."""
        if not self._pages:
            self.table.restart_turn()
        self._pages.add(page)
        self._start_thinking()
        self._set_flag()

    def unsubscribe(self, page: Callable[[], None]) -> None:
        """Forgets a page; after the last one thinking stops."""
        self._pages.discard(page)
        if not self._pages:
            self._stop()
            self._release_agents()
            self._set_flag()

    def notify_pages(self) -> None:
        """Calls every page, so that it draws the table again."""
        for page in list(self._pages):
            page()

    def play(self, action: Action) -> None:
        """A person's action; if their time is up, the match ends instead. Raises IllegalAction and TableDeleted."""
        if not self.end_if_late():
            self._change(lambda: self.table.play(action))
            self._changed()

    def end_if_late(self) -> bool:
        """See `Table.end_if_late`; every page shows it."""
        ended = self.table.end_if_late()
        if ended:
            self._restart()
        return ended

    def offer_draw(self, seat: Seat) -> None:
        """See `Table.offer_draw`; both players see it."""
        self._change(lambda: self.table.offer_draw(seat))
        self.notify_pages()

    def answer_draw(self, seat: Seat, *, accept: bool) -> None:
        """See `Table.answer_draw`."""
        self._change(lambda: self.table.answer_draw(seat, accept=accept))
        self._restart()

    def react(self, seat: Seat, which: int) -> bool:
        """Shows one of the REACTIONS of a player to all who look; False if they sent too many of late."""
        if self._reactions.is_exceeded(str(seat)):
            return False
        self._reactions.count(str(seat))
        self.reaction = Reaction(seat, REACTIONS[which], self._clock())
        self.notify_pages()
        return True

    @property
    def shown_reaction(self) -> Reaction | None:
        """The last reaction, while it is fresh."""
        last = self.reaction
        return last if last is not None and self._clock() - last.at < REACTION_SHOWN else None

    def undo(self) -> None:
        """See `Table.undo`; an agent that is thinking stops."""
        self._change(self.table.undo)
        self._restart()

    def resign(self, seat: Seat) -> None:
        """See `Table.resign`."""
        self._change(lambda: self.table.resign(seat))
        self._restart()

    def swap_sides(self) -> None:
        """See `Table.swap_sides`."""
        self._change(self.table.swap_sides)
        self._restart()

    def pause(self, paused: bool) -> None:
        """Stops agents that play each other, or lets them continue."""
        self.paused = paused
        self._restart()

    def try_again(self) -> None:
        """Asks an agent that failed once more."""
        self._restart()

    def play_now(self) -> None:
        """The agent on turn plays its last thought, at once, or else the first that comes: see `AgentQueue.ask`."""
        if self.stoppable and not self.hurried:
            self._hurry.set()
            self.notify_pages()

    @property
    def hurried(self) -> bool:
        """Whether the agent on turn plays as soon as it has a thought."""
        return self._hurry.is_set()

    @property
    def stoppable(self) -> bool:
        """Whether an agent thinks long enough to be worth stopping.

        Its thoughts do not matter here: the moment of the first one could reveal something about its hand.
        """
        return self.stage == "thinking" and (self.table.match.limit.seconds or 0.0) >= WATCHED

    def _change(self, change: Callable[[], None]) -> None:
        try:
            change()
        except TableDeleted:
            self.mark_deleted()
            raise

    def mark_deleted(self) -> None:
        """The table was deleted: its pages say so, and nothing thinks for it any more."""
        self.table.deleted = True
        self._stop()
        self._release_agents()
        self.notify_pages()

    def _restart(self) -> None:
        self._stop()
        self._release_agents()
        self.failure, self.machine_is_busy = "", False
        self._changed()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._reset_stage()

    def _reset_stage(self) -> None:
        if self._showing is not None:
            self._showing.cancel()
            self._showing = None
        self._task, self.stage, self.thought, self._hurry = None, "", None, asyncio.Event()

    def _release_agents(self) -> None:
        for seated in self._agents.values():
            self._queue.release(seated)
        self._agents.clear()

    def _changed(self) -> None:
        if self.table.over:
            self._release_agents()
        self._start_thinking()
        self._set_flag()
        self.notify_pages()

    def _set_flag(self) -> None:
        """Looks again when the time of the person on turn may be up, as long as a page is open."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        turn = self.table.turn
        left = None if turn is None or not self.table.clock_runs else self.table.seconds_left(turn)
        if self._pages and left is not None:
            self._flag = asyncio.get_running_loop().call_later(left + LATER, self._look_at_clock)

    def _look_at_clock(self) -> None:
        self._flag = None
        if not self.end_if_late():
            self._set_flag()

    def _start_thinking(self) -> None:
        """Plays a person's forced pass. Asks the agent on turn, if there is one and it is not being asked already."""
        if self._pages:
            with suppress(TableDeleted):  # which the pages then show
                self._change(self.table.play_forced)
        idle = self._task is None and not self.paused and not self.failure and not self.table.deleted
        if idle and self._pages and self.table.agent_on_turn is not None:
            self.stage = "waiting"
            self._task = asyncio.create_task(self._think())

    async def _think(self) -> None:
        table, turn = self.table, self.table.turn
        assert turn is not None
        try:
            decision, seconds = await self._decision(turn)
            if not table.person_seats:
                self._set_stage("")
                await asyncio.sleep(PACE)
            self._reset_stage()
            table.answer(decision, seconds)
        except TableDeleted:
            self._reset_stage()
            self.mark_deleted()
        except (Fault, LudotecaError) as error:
            self._reset_stage()
            self.failure = say("{agent}: {why}", agent=agent_title(table.names[turn]), why=fault_reason(error))
            self.machine_is_busy = isinstance(error, Fault) and error.waited > 0 and may_succeed_again(error)
        except Exception:  # our own fault: the visitor sees it and may try again
            logging.getLogger(__name__).exception("an agent could not be asked")
            self._reset_stage()
            self.failure = say("something went wrong on our side")
        self._changed()

    async def _decision(self, turn: Seat) -> tuple[Decision, float]:
        """What the agent on turn plays, after its wait in the queue; it is asked again if its fork server is killed."""
        seated, kills = self._agent(turn), 0

        def ask() -> Awaitable[tuple[Decision, float]]:
            self._set_stage("busy" if self._queue.is_full() else "waiting")
            return self._queue.ask(
                seated,
                lambda: self._question(seated, turn),
                started=lambda: self._set_stage("thinking"),
                on_thought=self._on_thought,
                hurry=self._hurry,
            )

        while True:
            try:
                return await ask_twice(ask)
            except Busy:
                await asyncio.sleep(RETRY)
            except ForkServerKilled:
                kills += 1
                if kills == MAX_KILLS:
                    raise

    def _agent(self, turn: Seat) -> SeatedAgent:
        if turn not in self._agents:
            who, match = self.table.match.seats[turn], self.table.match
            agent = allowed_agent(who.agent, match.game.name)
            self.table.note_version(turn, current_identity(agent, match.game.name))
            self._agents[turn] = SeatedAgent(self._queue.pool, match.game, agent, turn, who.seed or 0)
        return self._agents[turn]

    def _question(self, seated: SeatedAgent, turn: Seat) -> tuple[Question, Sequence[View]]:
        match = self.table.match
        return match.ask(), () if seated.prepared else match.views_seen(turn)

    def _on_thought(self, thought: Decision) -> None:
        """The agent on turn thinks this now; pages show the latest thought a few times a second."""
        if self._task is not None and self.stage == "thinking":
            self.thought = thought
            if self._showing is None:
                wait = max(0.0, self._shown + SHOWN - time.monotonic())
                self._showing = asyncio.get_running_loop().call_later(wait, self._show_thought)

    def _show_thought(self) -> None:
        self._showing, self._shown = None, time.monotonic()
        self.notify_pages()

    def _set_stage(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            if stage == "thinking":
                self.thinking_since = time.monotonic()
            self.notify_pages()
