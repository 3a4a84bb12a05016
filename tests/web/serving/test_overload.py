from __future__ import annotations

import asyncio
import contextlib
from itertools import count

from ludoteca.web.serving.overload import BURST, LATE, MOST_PER_ADDRESS, TRICKLE, LoopLag, PageQueue, TooBusy


class Door:
    """A queue, and the visitors that came in, in that order."""

    def __init__(self, patience: float = 1e9) -> None:
        self.now = 0.0
        self.lag = LoopLag()
        self.pages = PageQueue(self.lag, lambda: self.now, patience)
        self.came_in: list[str] = []
        self.turned_away: list[str] = []
        self._finish = asyncio.Event()

    async def visit(self, visitor: str, address: str = "", known: bool = False) -> None:
        if known:
            self.pages.note_inside(visitor)
        try:
            async with self.pages.turn(visitor, address):
                self.came_in.append(visitor)
                await self._finish.wait()
        except TooBusy:
            self.turned_away.append(visitor)

    def come(self, visitor: str, address: str = "", known: bool = False) -> asyncio.Task[None]:
        return asyncio.create_task(self.visit(visitor, address, known))

    def finish(self) -> None:
        """From now on pages take no time."""
        self._finish.set()


async def some_turns() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def test_pages_are_built_one_at_a_time_the_seated_first_and_newcomers_by_turns_of_their_addresses() -> None:
    async def work() -> None:
        door = Door()
        tasks = [door.come("first")]
        tasks += [door.come(f"crowd {number}", "1.1.1.1") for number in range(3)]
        tasks += [door.come("other", "2.2.2.2"), door.come("seated", "1.1.1.1", known=True)]
        await some_turns()
        assert door.came_in == ["first"]
        door.finish()
        await asyncio.gather(*tasks)
        assert door.came_in == ["first", "seated", "crowd 0", "other", "crowd 1", "crowd 2"]

    asyncio.run(work())


def test_while_the_server_is_late_newcomers_trickle_in_and_the_seated_come_first_and_it_recovers() -> None:
    async def work() -> None:
        door = Door()
        door.finish()
        for _ in range(20):
            door.lag.note(2 * LATE)
        assert door.lag.is_late
        door.now = 100.0
        tasks = [door.come(f"new {number}", str(number)) for number in range(4)]
        tasks.append(door.come("seated", known=True))
        await some_turns()
        assert door.came_in == ["new 0", "seated"]  # one newcomer, then only those inside
        door.now += TRICKLE
        door.pages._look_again()
        await some_turns()
        assert door.came_in == ["new 0", "seated", "new 1"]
        for _ in range(20):
            door.lag.note(0.0)
        door.pages._look_again()
        await asyncio.gather(*tasks)
        assert door.came_in == ["new 0", "seated", "new 1", "new 2", "new 3"]

    asyncio.run(work())


def test_a_newcomer_who_waits_too_long_is_turned_away_and_delays_no_other() -> None:
    async def work() -> None:
        door = Door(patience=0.0)
        inside = door.come("seated", known=True)
        await some_turns()
        await door.visit("new")
        assert door.turned_away == ["new"]
        door.finish()
        await inside
        await door.visit("later", known=True)
        assert door.came_in == ["seated", "later"] and not door.pages._new

    asyncio.run(work())


def test_one_address_cannot_fill_the_queue_for_all() -> None:
    async def work() -> None:
        door = Door()
        tasks = [door.come("first")]
        await some_turns()
        tasks += [door.come(f"crowd {number}", "1.1.1.1") for number in range(MOST_PER_ADDRESS + 5)]
        tasks.append(door.come("other", "2.2.2.2"))
        await some_turns()
        assert len(door.turned_away) == 5 and "other" not in door.turned_away
        door.finish()
        await asyncio.gather(*tasks)
        assert door.came_in.index("other") < 4

    asyncio.run(work())


def test_a_program_that_loads_page_after_page_does_not_stay_before_newcomers() -> None:
    async def work() -> None:
        door = Door()
        tasks = [door.come("first")]
        await some_turns()
        tasks += [door.come("program", "1.1.1.1", known=number == 0) for number in range(BURST + 5)]
        tasks.append(door.come("other", "2.2.2.2"))
        await some_turns()
        door.finish()
        await asyncio.gather(*tasks)
        assert BURST - 2 < door.came_in.index("other") < BURST + 3
        door.now += 1000.0
        assert not door.pages.is_inside("program")

    asyncio.run(work())


def test_a_visitor_who_leaves_while_waiting_or_while_their_page_is_built_blocks_no_other() -> None:
    async def work() -> None:
        door = Door()
        building, waiting, last = door.come("a"), door.come("b"), door.come("c")
        await some_turns()
        for task in (waiting, building):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        door.finish()
        await last
        assert door.came_in == ["a", "c"]

    asyncio.run(work())


def test_the_lag_of_a_loop_that_is_held_up_is_felt_and_forgotten() -> None:
    async def work() -> None:
        measured = asyncio.Event()

        class Measured(LoopLag):
            def note(self, lag: float) -> None:
                super().note(lag)
                if self.beats == 3:
                    measured.set()

        clock = count(0.0, 5.0)  # each measurement is five seconds late
        lag = Measured(lambda: next(clock))
        measuring = asyncio.create_task(lag.measure())
        await measured.wait()
        measuring.cancel()
        assert lag.is_late
        await lag.on_time(0.0)  # waits no longer than it may
        for _ in range(20):
            lag.note(0.0)
        assert not lag.is_late

    asyncio.run(work())
