"""The queue of agents: a few think at a time, in processes of the pool, and a bounded number wait.

::

    event loop        AgentQueue.ask ── a place in the queue ── a thread ── SeatedAgent.decide ── Player ── its process
                          ▲                                                   │
                          └───────────── thoughts, the decision ──────────────┘

The event loop never waits for an agent: a thread does, and passes each thought on. Cancelling stops the agent; its
place is free as soon as it has stopped.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from ludoteca.errors import LudotecaError
from ludoteca.messages import Message, say
from ludoteca.play.match import Question
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import Child
from ludoteca.protocols import Decision, Game, Seat, View
from ludoteca.web.serving.overload import LoopLag

__all__ = ["MARGIN", "WATCHED", "AgentQueue", "Busy", "OnThought", "SeatedAgent", "fault_reason"]

CHILDREN = 24
"""Processes of others' agents kept between their turns; an agent that was dropped is rebuilt from its views."""
MARGIN = 2.0
"""Seconds of grace for an agent on the page: agents yield to clicks and may wait for a processor."""
WATCHED = 0.5
"""Thinking time from which an agent's thoughts are shown while it thinks."""
LET_GO = 1.0
"""Seconds for which an agent may be kept waiting because the server is late."""
STOP_RETRY = 0.05
"""Seconds between two requests to stop, until the agent has stopped."""

OnThought = Callable[[Decision], None]


class Busy(LudotecaError):
    """The queue is full; ask again in a moment."""


class SeatedAgent:
    """An agent in a seat, for one match or for one question. It is prepared when it is first asked.

    It does not use `Pool.seated`, which holds the player only once it is prepared: a page may be closed while a file of
    a stranger is still being imported, and `close` must end that process too.
    """

    def __init__(self, pool: Pool, game: Game, agent: str, seat: Seat, seed: int) -> None:
        self.agent = agent
        self._pool, self._game, self._seat, self._seed = pool, game, seat, seed
        self._player: Player | None = None
        self._lock = threading.Lock()
        self._stopped = self._closed = False

    @property
    def prepared(self) -> bool:
        """Whether it knows what it has seen so far."""
        return self._player is not None

    @property
    def has_process(self) -> bool:
        """Whether it keeps a process of its own."""
        return isinstance(self._player, Child) and self._player.has_process

    def decide(self, question: Question, seen: Sequence[View], on_thought: OnThought | None) -> tuple[Decision, float]:
        """The decision and its seconds; blocks. Every decision of the stream goes to `on_thought`, if given.

        seen: what it has been asked about before, for when it has to be prepared. Raises Fault and LudotecaError;
        afterwards it is prepared anew.
        """
        try:
            player = self._prepare(seen)
            start = time.perf_counter()
            if on_thought is None:
                decision = player.decide(question.view, question.limit, question.timeout)
            else:
                for decision in player.think(question.view, question.limit, question.timeout):
                    on_thought(decision)
            return decision, min(time.perf_counter() - start, question.timeout)
        except BaseException:
            self._drop()
            raise

    def _prepare(self, seen: Sequence[View]) -> Player:
        with self._lock:
            self._stopped = False
            player = self._player
            if self._closed:
                raise Fault(Ending.timeout, say("the agent was stopped"))
            if player is not None:
                return player
            player = self._player = self._pool.player(self._game, self.agent)
        player.prepare(self._seat, self._seed, seen)
        if self._stopped or self._closed:
            raise Fault(Ending.timeout, say("the agent was stopped"))
        return player

    def stop(self) -> None:
        """The decision in progress is to end now, with the best so far."""
        self._stopped = True
        if (player := self._player) is not None:
            player.stop()

    def release(self) -> None:
        """Ends its own process until it is asked again (see `Child.release`). Blocks until the process has ended."""
        if isinstance(self._player, Child):
            self._player.release()

    def _drop(self) -> None:
        """Ends its player; it is prepared again if it is asked once more. Blocks until the process has ended."""
        with self._lock:
            player, self._player = self._player, None
        if player is not None:
            player.close()

    def close(self) -> None:
        """Ends it for good."""
        self._closed = True
        self._drop()


class AgentQueue:
    """At most `pool.slots` agents think and `capacity` wait. Belongs to one event loop, and never blocks it."""

    def __init__(
        self, pool: Pool, capacity: int = 256, lag: LoopLag | None = None, most_children: int = CHILDREN
    ) -> None:
        """lag: while the server is late no agent begins to think, for up to `LET_GO` seconds."""
        self.pool, self.capacity, self._lag, self._most_children = pool, capacity, lag, most_children
        self.waiting = 0
        """Questions that wait for a free place."""
        self._places = asyncio.Semaphore(pool.slots)
        self._threads = ThreadPoolExecutor(pool.slots, "thinking")
        self._ending = ThreadPoolExecutor(2, "ending")
        self._children: OrderedDict[SeatedAgent, None] = OrderedDict()
        self._at_work: set[SeatedAgent] = set()
        self._background: dict[SeatedAgent, asyncio.Future[tuple[Decision, float]]] = {}
        self._closed = False

    @property
    def full(self) -> bool:
        """Whether no more questions are accepted now."""
        return self.waiting >= self.capacity

    async def ask(
        self,
        seated: SeatedAgent,
        question: Callable[[], tuple[Question, Sequence[View]]],
        *,
        started: Callable[[], None] = lambda: None,
        on_thought: OnThought | None = None,
        background: bool = False,
    ) -> tuple[Decision, float]:
        """What an agent decides and in how many seconds; `started` is called when its turn in the queue has come.

        The question, with the views that the agent has seen before, is made only then. Cancelling removes it from the
        queue or stops the agent. background: the agent gives way to all others. It begins only while no other waits,
        and stops as soon as another waits: then its best decision so far counts, or Busy is raised if it has none.
        Raises Busy, Fault and LudotecaError.
        """
        if self._closed or self.full:
            raise Busy(say("{count} matches are already waiting for an agent", count=self.waiting))
        await self._take_place(background)
        try:
            if self._lag is not None and not background:  # which begins at once or not at all, see `_stop_background`
                await self._lag.on_time(LET_GO)
            if self._closed:  # while it waited
                raise Busy(say("the page is being closed"))
            started()
            asked, seen = question()
            work = asyncio.get_running_loop().run_in_executor(
                self._threads, seated.decide, asked, seen, self._in_loop(asked, on_thought)
            )
        except BaseException:
            self._places.release()
            raise
        self._at_work.add(seated)
        if background:
            self._background[seated] = work
        work.add_done_callback(lambda _: self._done(seated))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            asyncio.get_running_loop().create_task(_stop(seated, work))
            raise
        except (Fault, LudotecaError) as error:
            if background and seated not in self._background:
                raise Busy(say("other matches wait for an agent")) from error
            raise
        finally:
            self._background.pop(seated, None)

    async def _take_place(self, background: bool) -> None:
        """Waits for a free place; in the background until no other question waits."""
        if background:
            await self._places.acquire()
            while self.waiting:
                self._places.release()
                await self._places.acquire()
            return
        self.waiting += 1
        try:
            if self._places.locked():
                self._stop_background()
            await self._places.acquire()
        finally:
            self.waiting -= 1

    def _stop_background(self) -> None:
        """Stops what has begun in the background; what has not begun looks whether others wait."""
        for seated, work in self._background.items():
            asyncio.get_running_loop().create_task(_stop(seated, work))
        self._background.clear()

    def _in_loop(self, question: Question, on_thought: OnThought | None) -> OnThought | None:
        """Calls `on_thought` in the event loop from another thread; None when the agent thinks too briefly to show."""
        if on_thought is None or (question.limit.seconds or WATCHED) < WATCHED:
            return None
        loop = asyncio.get_running_loop()
        return lambda decision: _call_in_loop(loop, on_thought, decision)

    def _done(self, seated: SeatedAgent) -> None:
        self._at_work.discard(seated)
        self._places.release()
        if not seated.has_process:
            return
        self._children[seated] = None
        self._children.move_to_end(seated)
        idle = [each for each in self._children if each not in self._at_work]
        for each in idle[: max(0, len(self._children) - self._most_children)]:
            del self._children[each]
            self._end(each.release)

    def release(self, seated: SeatedAgent) -> None:
        """Ends an agent that is not needed any more; returns at once."""
        self._children.pop(seated, None)
        if not self._closed:
            seated.stop()
            self._end(seated.close)

    def _end(self, ending: Callable[[], None]) -> None:
        if not self._closed:
            self._ending.submit(ending)

    def close(self) -> None:
        """Ends all processes."""
        self._closed = True
        for seated in self._at_work:
            seated.stop()
        self.pool.close()
        for seated in self._children:
            seated.close()
        self._threads.shutdown(cancel_futures=True)
        self._ending.shutdown()


def fault_reason(error: Fault | LudotecaError) -> str:
    """Why an agent failed, in one line: the last line of a traceback."""
    message = error.message
    return message if isinstance(message, Message) else message.strip().rpartition("\n")[2]


def _call_in_loop(loop: asyncio.AbstractEventLoop, on_thought: OnThought, decision: Decision) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(on_thought, decision)


async def _stop(seated: SeatedAgent, work: asyncio.Future[tuple[Decision, float]]) -> None:
    """Repeats the request until the agent has stopped: one that comes while the agent is being prepared is lost."""
    while not work.done():
        seated.stop()
        await asyncio.wait([work], timeout=STOP_RETRY)
    if not work.cancelled():
        work.exception()  # retrieved, so that asyncio does not log it
