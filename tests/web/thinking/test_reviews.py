"""Reviews through the queue of the page: each seat judged by what it saw, kept by match, continued while watched."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.players.pool import Pool
from ludoteca.protocols import View
from ludoteca.testing import random_actions
from ludoteca.web.thinking.queue import AgentQueue
from ludoteca.web.thinking.reviews import MOST_UNWATCHED, ReviewJob, Reviews
from tests.strangers import installed
from tests.web.thinking import reviewing_agents


def run(work: Callable[[AgentQueue], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        queue = AgentQueue(Pool(shared=True, slots=1), 4)
        try:
            await work(queue)
        finally:
            queue.close()

    asyncio.run(all_of_it())


def played(spec: str, seed: int = 3, opening: int = 0) -> Match:
    game = games.game(spec)
    return Match(game, seed, random_actions(game, seed), opening=opening)


async def finished(review: ReviewJob) -> None:
    news = asyncio.Event()
    review.subscribe(news.set)
    async with asyncio.timeout(60):
        while not review.done and not review.failure:
            news.clear()
            await news.wait()
    review.unsubscribe(news.set)


@pytest.fixture(autouse=True)
def reviewers(tmp_path: Path) -> Iterator[None]:
    """The agents of `reviewing_agents` exist."""
    with installed(reviewing_agents, tmp_path):
        yield


def seen(view: View) -> str:
    """What `Watcher` says that it was shown."""
    return f"{view.seat} {zlib.crc32(bytes(view))}"


def test_every_position_is_looked_at_as_its_seat_saw_it() -> None:
    async def work(queue: AgentQueue) -> None:
        for spec in ("hex:size=3", "dominoes", "kittens"):
            match = played(spec, opening=2)
            review = Reviews(queue, lambda game: "watcher").of(match)
            await finished(review)
            assert review.done and not review.failure
            views = [match.before(ply).view(match.movers[ply]) for ply in range(2, len(match.actions))]
            assert [each.note for each in review.searches.decisions] == list(map(seen, views))
            assert [
                each.best for each in review.searches.actions
            ] == review.searches.decisions and review.searches.actions[0].ply == 2

    run(work)


def test_a_review_is_kept_by_its_match_and_not_done_twice() -> None:
    async def work(queue: AgentQueue) -> None:
        reviews, match = Reviews(queue, lambda game: "watcher"), played("hex:size=3")
        assert reviews.finished(match) is None
        first = reviews.of(match)
        await finished(first)
        decisions = list(first.searches.decisions)
        again = played("hex:size=3")
        assert reviews.of(again) is first and reviews.finished(again) is first
        await finished(reviews.of(again))
        assert all(one is other for one, other in zip(first.searches.decisions, decisions, strict=True))
        assert reviews.of(played("hex:size=3", 4)) is not first

    run(work)


async def left_after_one_position(review: ReviewJob) -> None:
    """Opens a page and closes it once the first position was searched."""
    left = asyncio.Event()

    def once() -> None:
        review.unsubscribe(once)
        left.set()

    review.subscribe(once)
    await left.wait()
    assert not review.watched


def test_it_goes_on_when_its_page_is_closed() -> None:
    async def work(queue: AgentQueue) -> None:
        reviews = Reviews(queue, lambda game: "watcher")
        review = reviews.of(played("hex:size=4"))
        await left_after_one_position(review)
        assert review.running and not review.done
        async with asyncio.timeout(60):
            while review.running:
                others = asyncio.all_tasks() - {asyncio.current_task()}
                await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        assert review.done and not review.watched
        assert reviews.of(played("hex:size=4")) is review, "who comes back finds it done"

    run(work)


def test_a_visitor_who_opens_and_leaves_many_reviews_keeps_only_a_few_at_work() -> None:
    async def work(queue: AgentQueue) -> None:
        reviews = Reviews(queue, lambda game: "watcher")
        found = []
        for seed in range(6):
            found.append(reviews.of(played("hex:size=11", seed)))
            found[-1].subscribe(page := lambda: None)
            found[-1].unsubscribe(page)
            assert sum(each.running for each in found) <= MOST_UNWATCHED
        assert found[-1].running and not found[0].running
        for each in found:
            each.stop()

    run(work)


def test_it_stops_without_a_page_when_its_time_is_over_and_continues_where_it_was() -> None:
    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue, lambda game: "watcher", unwatched=0.0).of(played("hex:size=4"))
        stopped = asyncio.Event()

        def once() -> None:
            review.unsubscribe(once)
            stopped.set()

        review.subscribe(once)
        await stopped.wait()
        async with asyncio.timeout(60):
            while review.running:
                await asyncio.sleep(0)
        decisions = list(review.searches.decisions)
        assert 0 < len(decisions) < review.searches.total and not review.watched
        await finished(review)
        assert review.done and all(
            one is other for one, other in zip(review.searches.decisions, decisions, strict=False)
        )

    run(work)


def test_a_verdict_is_searched_again_deeper_before_it_is_shown() -> None:
    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue, lambda game: "doubter").of(Match(games.game("hex:size=3"), 0, [0, 1, 2]))
        await finished(review)
        least = review.searches.limit.nodes
        assert least is not None and [each.note for each in review.searches.decisions] == [str(4 * least)] * 3
        assert [each.mark for each in review.searches.actions] == ["??", "??", ""]

    run(work)


def test_an_illegal_action_ends_the_review_with_a_reason() -> None:
    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue, lambda game: "stubborn").of(Match(games.game("hex:size=3"), 0, [0, 1, 2]))
        await finished(review)
        assert "which is not legal" in review.failure and len(review.searches.decisions) == 1 and not review.done

    run(work)


def test_only_so_many_are_kept() -> None:
    async def work(queue: AgentQueue) -> None:
        reviews = Reviews(queue, kept=2)
        first = reviews.of(played("hex:size=3", 1))
        for seed in (2, 3, 4):
            reviews.of(played("hex:size=3", seed))
        assert reviews.of(played("hex:size=3", 1)) is not first

    run(work)
