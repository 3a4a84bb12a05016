"""The show match: paced by a clock that the test holds, shared by all, and still when nobody looks."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path

import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.web.serving.allowed_specs import allowed_agent
from ludoteca.web.tables.match_request import MatchRequest, new_match
from ludoteca.web.tables.show_match import ACTION, END, LIMIT, ShowMatch, show_pairings, show_programme
from ludoteca.web.thinking.queue import AgentQueue
from tests.strangers import installed
from tests.web import rough_agents
from tests.web.thinking.queued import Seat, run

SMALL = MatchRequest("hex:size=3", ("random", "random"), 1, LIMIT)


class Show:
    """A show match whose pauses last until the test ends them, and one page that shows it."""

    def __init__(self, queue: AgentQueue, programme: Iterable[MatchRequest] = itertools.repeat(SMALL)) -> None:
        self.pauses: list[float] = []
        """The pauses that have begun."""
        self.has_time = True
        self._tickets: asyncio.Queue[None] = asyncio.Queue()
        self._news = asyncio.Event()
        self.show = ShowMatch(queue, lambda: self.has_time, iter(programme), self._pace)

    async def _pace(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._news.set()
        await self._tickets.get()

    def page(self) -> None:
        self._news.set()

    async def pass_pauses(self, count: int) -> None:
        """Ends so many pauses, and waits until the next one has begun."""
        wanted = len(self.pauses) + count
        for _ in range(count):
            self._tickets.put_nowait(None)
        await self.until(lambda: len(self.pauses) >= wanted)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not done():
                self._news.clear()
                await self._news.wait()

    @property
    def match(self) -> Match:
        assert self.show.match is not None
        return self.show.match


def with_show(work: Callable[[AgentQueue, Show], Awaitable[None]], *programme: MatchRequest) -> None:
    async def all_of_it(queue: AgentQueue) -> None:
        show = Show(queue, itertools.chain(programme, itertools.repeat(SMALL)))
        await work(queue, show)
        show.show.unsubscribe(show.page)

    run(all_of_it)


def test_it_plays_while_somebody_looks_and_only_then() -> None:
    async def work(queue: AgentQueue, show: Show) -> None:
        assert show.show.match is None and show.pauses == []
        show.show.subscribe(show.page)
        await show.until(lambda: show.pauses == [ACTION])
        assert show.match.actions == []
        await show.pass_pauses(2)
        seen, played = show.match, list(show.match.actions)
        assert len(played) == 2 and all(each is not None for each in seen.decisions)

        show.show.unsubscribe(show.page)
        paused = len(show.pauses)
        assert not show.show.watched
        await Seat(queue).ask()  # as long as an action would have needed
        assert show.match is seen and seen.actions == played and len(show.pauses) == paused

        show.show.subscribe(show.page)  # it goes on where it was
        await show.until(lambda: len(show.pauses) > paused)
        await show.pass_pauses(1)
        assert show.match is seen and seen.actions[:2] == played and len(seen.actions) == 3

    with_show(work)


def test_the_first_match_is_there_before_anybody_looks_and_waits_for_them() -> None:
    async def work(queue: AgentQueue, show: Show) -> None:
        await show.show.prepare()
        prepared = show.match
        assert show.show.shared("actions", lambda match: list(match.actions)) == [] and show.pauses == []
        await show.show.prepare()
        show.show.subscribe(show.page)
        await show.until(lambda: show.pauses == [ACTION])
        await show.pass_pauses(1)
        assert show.match is prepared and len(prepared.actions) == 1

    with_show(work)


def test_the_end_is_shown_and_another_match_begins() -> None:
    async def work(queue: AgentQueue, show: Show) -> None:
        show.show.subscribe(show.page)
        await show.until(lambda: bool(show.pauses))
        first = show.match
        while first.turn is not None:
            await show.pass_pauses(1)
        assert show.match is first and show.pauses == [ACTION] * len(first.actions) + [END]
        show.show.unsubscribe(show.page)  # the end is what the next visitor sees first
        show.show.subscribe(show.page)
        await show.until(lambda: show.pauses[-2:] == [END, END])
        assert show.match is first
        await show.pass_pauses(1)
        assert show.match is not first and show.match.actions == [] and show.pauses[-1] == ACTION

    with_show(work)


def test_an_action_is_drawn_once_for_all_spectators() -> None:
    async def work(queue: AgentQueue, show: Show) -> None:
        drawn: list[int] = []

        def draw(match: Match) -> str:
            drawn.append(len(match.actions))
            return f"after {len(match.actions)}"

        def tab() -> Callable[[], None]:
            return lambda: shown.append(show.show.shared(("board", "en"), draw))

        shown: list[str | None] = []
        tabs = [tab() for _ in range(300)]
        for each in tabs:
            show.show.subscribe(each)
        await show.until(lambda: bool(show.pauses))
        await show.pass_pauses(2)
        assert drawn == [0, 1, 2]
        assert [len(list(same)) for _, same in itertools.groupby(shown)] == [300, 300, 300]
        for each in tabs:
            show.show.unsubscribe(each)
        assert not show.show.watched

    with_show(work)


def test_a_failure_begins_another_match_quietly(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "site").mkdir()

    async def work(queue: AgentQueue, show: Show) -> None:
        show.show.subscribe(show.page)
        await show.until(lambda: bool(show.pauses))
        await show.pass_pauses(3)  # the agent that nobody knows, the one that quits, and the pause after it
        assert show.match.seats[0].agent == "random" and show.match.turn is not None
        assert [each for each in caplog.records if each.levelname != "INFO"] == []

    with installed(rough_agents, tmp_path / "site"):
        unknown = MatchRequest("hex:size=3", ("nobody", "random"), 1, LIMIT)
        with_show(work, unknown, MatchRequest("hex:size=3", ("quits", "random"), 1, LIMIT))


def test_it_waits_while_the_server_has_no_time() -> None:
    async def work(queue: AgentQueue, show: Show) -> None:
        show.has_time = False
        show.show.subscribe(show.page)
        await show.until(lambda: bool(show.pauses))
        await show.pass_pauses(3)
        assert show.match.actions == []
        show.has_time = True
        await show.pass_pauses(1)
        assert len(show.match.actions) == 1

    with_show(work)


def test_it_gives_way_to_people(tmp_path: Path) -> None:
    """There is one place, the show's agent would think for ever, and a person's agent is asked."""
    (tmp_path / "site").mkdir()

    async def work(queue: AgentQueue, show: Show) -> None:
        show.show.subscribe(show.page)
        await show.until(lambda: bool(show.pauses))
        show._tickets.put_nowait(None)
        while not queue._at_work:
            await asyncio.sleep(0)
        decision, _ = await asyncio.wait_for(Seat(queue).ask(), 300)
        assert decision.action in range(2, 16) and show.match.actions == []

    with installed(rough_agents, tmp_path / "site"):
        with_show(work, MatchRequest("hex:size=3", ("waits", "random"), 1, "60s"))


def some(count: int, seed: int) -> Iterator[MatchRequest]:
    return itertools.islice(show_programme(random.Random(seed)), count)


@pytest.mark.parametrize("game", ["dominoes", "hex", "horses", "kittens"])
def test_every_pairing_can_be_played_on_the_page(game: str) -> None:
    """A ladder may have rungs that only the benchmarks know."""
    assert all(allowed_agent(agent, game) for pair in show_pairings(game) for agent in pair)


def test_a_first_match_that_cannot_be_made_does_not_stop_the_server() -> None:
    async def work(queue: AgentQueue) -> None:
        show = ShowMatch(queue, lambda: True, iter([MatchRequest("horses", ["nobody", "random"], None, LIMIT)]))
        await show.prepare()
        assert show.match is None

    run(work)


def test_the_programme_shows_every_game_with_changing_agents_and_openings() -> None:
    found = list(some(40, 1))
    assert {each.game for each in found[:4]} == set(games.names())
    assert [each.game for each in found[:36]] == [each.game for each in found[4:]]
    for name in games.names():
        ours = [each for each in found if each.game == name]
        assert len({tuple(each.seats) for each in ours}) >= 5
        assert all(tuple(sorted(each.seats)) in {tuple(sorted(pair)) for pair in show_pairings(name)} for each in ours)
    assert len({tuple(each.actions) for each in found if each.game == "hex"}) >= 5
    for asked in found[:8]:
        match = new_match(asked)
        assert match.turn is not None and match.opening == len(asked.actions) and str(match.limit) == LIMIT
