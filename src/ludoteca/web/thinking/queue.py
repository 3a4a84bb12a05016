"""The queue of agents: a few think at a time, in processes of the pool, and a bounded number wait.

::

    event loop        AgentQueue.ask ── a place in the queue ── a thread ── SeatedAgent.decide ── Player ── its process
                          ▲                                                   │
                          └───────────── thoughts, the decision ──────────────┘

The event loop never waits for an agent: a thread does, and passes each thought on. Cancelling stops the agent; its
place is free as soon as it has stopped. Matches, hints and background work have places of their own, so neither a
review nor a hint ever delays a match, and a match of a minute never delays a hint.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Any

from ludoteca.errors import LudotecaError, WorkerError
from ludoteca.messages import Message, say
from ludoteca.play.match import Question
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import Child
from ludoteca.protocols import Decision, Game, Seat, View
from ludoteca.web.serving.overload import LoopLag

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


class Work(Enum):
    """What an agent is asked for. Each kind waits in a line of its own, first come, first served."""

    match = "match"
    """The next action of a match."""
    hint = "hint"
    """A hint or a heat map: a person waits for it, and it takes about a second."""
    background = "background"
    """Reviews, curves and analyses: many searches, some of which take seconds."""


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
        self._asked_at = 0.0

    @property
    def prepared(self) -> bool:
        """Whether it knows what it has seen so far."""
        return self._player is not None

    @property
    def has_process(self) -> bool:
        """Whether it keeps a process of its own."""
        return isinstance(self._player, Child) and self._player.has_process

    @property
    def seconds_thinking(self) -> float:
        """The seconds since the question in progress was put to it."""
        return time.perf_counter() - self._asked_at

    def decide(self, question: Question, seen: Sequence[View], on_thought: OnThought | None) -> tuple[Decision, float]:
        """The decision and its seconds; blocks. Every decision of the stream goes to `on_thought`, if given.

        seen: what it has been asked about before, for when it has to be prepared. Raises Fault and LudotecaError;
        afterwards it is prepared anew.
        """
        try:
            player = self._prepare(seen)
            self._asked_at = time.perf_counter()
            if on_thought is None:
                decision = player.decide(question.view, question.limit, question.timeout)
            else:
                for decision in player.think(question.view, question.limit, question.timeout):
                    on_thought(decision)
            return decision, min(self.seconds_thinking, question.timeout)
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
    """At most `pool.slots` agents think for matches, and half as many each, but at least one, for the other work.

    At most `capacity` questions of each kind wait. Belongs to one event loop, and never blocks it.
    """

    def __init__(
        self, pool: Pool, capacity: int = 256, lag: LoopLag | None = None, most_children: int = CHILDREN
    ) -> None:
        """lag: while the server is late no agent begins to think, for up to `LET_GO` seconds."""
        self.pool, self.capacity, self._lag, self._most_children = pool, capacity, lag, most_children
        places, others = pool.slots, max(1, pool.slots // 2)
        pool.add_slots(2 * others)
        self._waiting = dict.fromkeys(Work, 0)
        self._places = {work: asyncio.Semaphore(places if work is Work.match else others) for work in Work}
        self._threads = ThreadPoolExecutor(places + 2 * others, "thinking")
        self._ending = ThreadPoolExecutor(2, "ending")
        self._children: OrderedDict[SeatedAgent, None] = OrderedDict()
        self._at_work: dict[SeatedAgent, asyncio.Future[tuple[Decision, float]]] = {}
        self._closed = False

    def waiting(self, *kinds: Work) -> int:
        """How many questions wait for a free place; without kinds, of all kinds."""
        return sum(self._waiting[kind] for kind in kinds or Work)

    def is_full(self, kind: Work = Work.match) -> bool:
        """Whether no more questions of this kind are accepted now."""
        return self._waiting[kind] >= self.capacity

    async def ask(
        self,
        seated: SeatedAgent,
        question: Callable[[], tuple[Question, Sequence[View]]],
        *,
        work: Work = Work.match,
        started: Callable[[], None] = lambda: None,
        on_thought: OnThought | None = None,
        hurry: asyncio.Event | None = None,
    ) -> tuple[Decision, float]:
        """What an agent decides and in how many seconds; `started` is called when its turn in the queue has come.

        The question, with the views that the agent has seen before, is made only then. Once `hurry` is set, the last
        thought received is the decision, at once, or else the first that comes; what the agent's process does then
        does not matter. The last thought also counts when the agent runs out of time. Thoughts come only from a Thinker
        with at least `WATCHED` seconds. Cancelling removes the question from the queue or stops the agent. Raises Busy,
        Fault and LudotecaError.
        """
        if self._closed or self.is_full(work):
            raise Busy("{count} matches are already waiting for an agent", count=self._waiting[work])
        self._waiting[work] += 1
        try:
            while (before := self._at_work.get(seated)) is not None:  # it was hurried, and is being stopped
                await asyncio.wait([before])
            await self._places[work].acquire()
        finally:
            self._waiting[work] -= 1
        thoughts = _Thoughts(on_thought)
        try:
            if self._lag is not None:
                await self._lag.on_time(LET_GO)
            if self._closed:  # while it waited
                raise Busy(say("the page is being closed"))
            started()
            asked, seen = question()
            watched = on_thought is not None or hurry is not None
            answer = asyncio.get_running_loop().run_in_executor(
                self._threads, seated.decide, asked, seen, thoughts.in_loop(asked) if watched else None
            )
        except BaseException:
            self._places[work].release()
            raise
        self._at_work[seated] = answer
        answer.add_done_callback(lambda _: self._done(seated, work))
        try:
            return await thoughts.decision(answer, seated, hurry)
        finally:
            thoughts.is_over = True
            if not answer.done():
                asyncio.get_running_loop().create_task(_stop(seated, answer))

    def _done(self, seated: SeatedAgent, work: Work) -> None:
        del self._at_work[seated]
        self._places[work].release()
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


async def ask_twice(ask: Callable[[], Awaitable[tuple[Decision, float]]]) -> tuple[Decision, float]:
    """Asks, and once more when the first attempt failed because of the machine: only a second failure is raised."""
    try:
        return await ask()
    except (Fault, WorkerError) as error:
        if not may_succeed_again(error):
            raise
    return await ask()


def may_succeed_again(error: Fault | LudotecaError) -> bool:
    """Whether the machine may be to blame: the agent could not be built, or it is late and had no core for long."""
    if isinstance(error, Fault):
        return error.building or (error.ending is Ending.timeout and error.waited > MARGIN)
    return isinstance(error, WorkerError)


def fault_reason(error: Fault | LudotecaError) -> str:
    """Why an agent failed, in one line: the last line of a traceback."""
    message = error.message
    return message if isinstance(message, Message) else message.strip().rpartition("\n")[2]


class _Thoughts:
    """The thoughts about one question, as they come."""

    def __init__(self, on_thought: OnThought | None) -> None:
        self._on_thought = on_thought
        self._last: Decision | None = None
        self._any = asyncio.Event()
        self.is_over = False
        """Whether the decision is made; later thoughts do not count."""

    def in_loop(self, question: Question) -> OnThought | None:
        """Takes a thought in another thread; None when the agent thinks too briefly to be watched."""
        if (question.limit.seconds or WATCHED) < WATCHED:
            return None
        loop = asyncio.get_running_loop()

        def take(thought: Decision) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._add, thought)

        return take

    def _add(self, thought: Decision) -> None:
        if not self.is_over:
            self._last = thought
            self._any.set()
            if self._on_thought is not None:
                self._on_thought(thought)

    async def decision(
        self, answer: asyncio.Future[tuple[Decision, float]], seated: SeatedAgent, hurry: asyncio.Event | None
    ) -> tuple[Decision, float]:
        """The agent's answer, or its last thought: see `AgentQueue.ask`."""
        hurried = asyncio.create_task(self._hurried(hurry))
        either: list[asyncio.Future[Any]] = [answer, hurried]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
        except Fault as fault:
            if fault.ending is not Ending.timeout or self._last is None:
                raise
        finally:
            hurried.cancel()
        assert self._last is not None
        return self._last, seated.seconds_thinking

    async def _hurried(self, hurry: asyncio.Event | None) -> None:
        await (asyncio.Event() if hurry is None else hurry).wait()
        await self._any.wait()


async def _stop(seated: SeatedAgent, answer: asyncio.Future[tuple[Decision, float]]) -> None:
    """Repeats the request until the agent has stopped: one that comes while the agent is being prepared is lost."""
    while not answer.done():
        seated.stop()
        await asyncio.wait([answer], timeout=STOP_RETRY)
    if not answer.cancelled():
        answer.exception()  # retrieved, so that asyncio does not log it
