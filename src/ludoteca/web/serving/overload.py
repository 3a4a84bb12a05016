"""Who is served first when there is more to do than the machine can do.

::

    clicks of people who play      at once, as they come
    pages of visitors inside       one at a time; a visitor is inside for some minutes after a page, and has so many
                                   pages in this way that only a program needs more
    pages of newcomers             after those, by turns of their addresses; while the server is late, one now and then
    newcomers who wait too long    a light page that says so and tries again

The server is late when its event loop runs its callbacks late: then every click waits as long. Agents start no new
thought while it is late, and so does anything else that can wait. All of this ends by itself with the lateness.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ludoteca.messages import say

EVERY = 0.1
"""Seconds between two measurements."""
SMOOTHED = 0.3
"""The weight of a new measurement."""
LATE = 0.4
"""Seconds of lag from which the server counts as late; people notice a click that takes longer."""
TRICKLE = 1.0
"""Seconds between two newcomers who are let in while the server is late."""
INSIDE = 600.0
"""Seconds after a page for which a visitor counts as inside."""
MOST_INSIDE = 20_000
PATIENCE = 8.0
"""Seconds for which a newcomer's page may wait before the light page is sent instead."""
MOST_WAITING, MOST_PER_ADDRESS = 400, 200
"""Newcomers' pages that may wait, in all and of one address."""
BURST, REFILL = 40, 1.0
"""Pages of a visitor inside that come before newcomers', and how many are added in a second."""
RETRY_SECONDS = 5
"""After which the light page tries again."""
BUSY = say("Many people are playing here just now. Please wait a moment: this page tries again by itself.")


class TooBusy(Exception):
    """A newcomer cannot be let in now."""


class LoopLag:
    """How late the event loop runs. Belongs to one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.seconds = 0.0
        """The lag of late, smoothed."""
        self.beats = 0
        """How often it was measured."""

    @property
    def is_late(self) -> bool:
        """Whether clicks have to wait."""
        return self.seconds > LATE

    def note(self, lag: float) -> None:
        """Takes a measurement in."""
        self.seconds += SMOOTHED * (max(0.0, lag) - self.seconds)
        self.beats += 1

    async def measure(self) -> None:
        """Measures until cancelled."""
        while True:
            start = self._clock()
            await asyncio.sleep(EVERY)
            self.note(self._clock() - start - EVERY)

    async def on_time(self, most: float) -> None:
        """Returns once the server is not late, or after `most` seconds."""
        end = self._clock() + most
        while self.is_late and self._clock() < end:
            await asyncio.sleep(EVERY)


class PageQueue:
    """Turns at building a page: one at a time. Belongs to one event loop."""

    def __init__(self, lag: LoopLag, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE) -> None:
        self.lag = lag
        self._clock, self._patience = clock, patience
        self._building = False
        self._inside: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By visitor the time of the last page, and how many more come first."""
        self._known: deque[asyncio.Future[None]] = deque()
        self._new: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address, the address whose turn is next first."""
        self._last_newcomer = -TRICKLE
        self._wake: asyncio.TimerHandle | None = None

    def is_inside(self, visitor: str) -> bool:
        """Whether a visitor was sent a page of late, and their next one comes before newcomers'."""
        last, left = self._left(visitor)
        return bool(visitor) and self._clock() - last < INSIDE and left >= 1

    def _left(self, visitor: str) -> tuple[float, float]:
        last, left = self._inside.get(visitor, (-INSIDE, 0.0))
        return last, min(float(BURST), left + REFILL * (self._clock() - last))

    def note_inside(self, visitor: str) -> None:
        """A visitor was sent a page."""
        left = self._left(visitor)[1] if visitor in self._inside else float(BURST)
        self._inside[visitor] = self._clock(), max(0.0, left - 1)
        self._inside.move_to_end(visitor)
        if len(self._inside) > MOST_INSIDE:
            self._inside.popitem(last=False)

    @asynccontextmanager
    async def turn(self, visitor: str, address: str) -> AsyncIterator[None]:
        """Within, it is this visitor's turn. Raises TooBusy when the light page should be sent instead."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        inside = self.is_inside(visitor)
        if inside:
            self.note_inside(visitor)
            self._known.append(turn)
        else:
            waiting = sum(map(len, self._new.values()))
            if waiting >= MOST_WAITING or len(self._new.get(address, ())) >= MOST_PER_ADDRESS:
                raise TooBusy
            self._new.setdefault(address, deque()).append(turn)
        self._next()
        try:
            await asyncio.wait_for(turn, None if inside else self._patience)
        except TimeoutError:
            self._forget(turn)
            raise TooBusy from None
        except asyncio.CancelledError:
            self._forget(turn)
            if turn.done() and not turn.cancelled():
                self._building = False
                self._next()
            raise
        try:
            yield
        finally:
            self._building = False
            self._next()

    def _forget(self, turn: asyncio.Future[None]) -> None:
        self._known = deque(each for each in self._known if each is not turn)
        for address in [address for address, turns in self._new.items() if turn in turns]:
            self._new[address].remove(turn)
            if not self._new[address]:
                del self._new[address]

    def _next(self) -> None:
        """Gives the turn to the next visitor, if nobody has it."""
        while not self._building:
            turn = self._chosen()
            if turn is None:
                return
            if not turn.done():  # else its visitor has left
                self._building = True
                turn.set_result(None)

    def _chosen(self) -> asyncio.Future[None] | None:
        if self._known:
            return self._known.popleft()
        if not self._new:
            return None
        now = self._clock()
        if self.lag.is_late and now - self._last_newcomer < TRICKLE:
            if self._wake is None:
                self._wake = asyncio.get_running_loop().call_later(EVERY, self._look_again)
            return None
        self._last_newcomer = now
        address, turns = self._new.popitem(last=False)
        turn = turns.popleft()
        if turns:
            self._new[address] = turns  # behind all other addresses
        return turn

    def _look_again(self) -> None:
        self._wake = None
        self._next()
