"""Reviews through the queue of the page: each seat judged by what it saw, kept by match, gone on with while watched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, View
from ludoteca.reports.review import judged
from ludoteca.testing import random_actions
from ludoteca.web.thinking import reviews as reviewing
from ludoteca.web.thinking.queue import AgentQueue, Seated
from ludoteca.web.thinking.reviews import ReviewJob, Reviews


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


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """What agents are shown; each plays its first legal action at once."""
    views: list[View] = []

    def decide(self: Seated, question: object, seen: object, tell: object) -> tuple[Decision, float]:
        view: View = question.view  # type: ignore[attr-defined]
        views.append(view)
        return Decision(view.legal()[0], value=0.25), 0.0

    monkeypatch.setattr(Seated, "decide", decide)
    return views


@pytest.mark.parametrize("spec", ["hex:size=3", "dominoes", "kittens"])
def test_every_position_is_looked_at_as_its_seat_saw_it(spec: str, shown: list[View]) -> None:
    match = played(spec, opening=2)

    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue).of(match)
        await finished(review)
        assert review.done and not review.failure
        expected = [match.before(ply).view(match.movers[ply]) for ply in range(2, len(match.actions))]
        assert shown == expected
        assert review.actions == judged(match, review.decisions) and review.actions[0].ply == 2

    run(work)


def test_a_review_is_kept_by_its_match_and_not_done_twice(shown: list[View]) -> None:
    async def work(queue: AgentQueue) -> None:
        reviews, match = Reviews(queue), played("hex:size=3")
        assert reviews.finished(match) is None
        first = reviews.of(match)
        await finished(first)
        count = len(shown)
        again = played("hex:size=3")
        assert reviews.of(again) is first and reviews.finished(again) is first
        await finished(reviews.of(again))
        assert len(shown) == count
        assert reviews.of(played("hex:size=3", 4)) is not first

    run(work)


def test_it_stops_when_nobody_looks_and_goes_on_where_it_was(shown: list[View]) -> None:
    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue).of(played("hex:size=4"))
        stopped = asyncio.Event()

        def once() -> None:
            review.unsubscribe(once)
            stopped.set()

        review.subscribe(once)
        await stopped.wait()
        known = len(review.decisions)
        assert 0 < known < review.total and not review.watched
        await finished(review)
        assert review.done and len(shown) <= review.total + 1

    run(work)


def test_an_agent_that_plays_nonsense_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(self: Seated, question: object, seen: object, tell: object) -> tuple[Decision, float]:
        return Decision(999), 0.0

    monkeypatch.setattr(Seated, "decide", decide)

    async def work(queue: AgentQueue) -> None:
        review = Reviews(queue).of(played("hex:size=3"))
        await finished(review)
        assert "999, which is not legal" in review.failure and not review.done

    run(work)


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "KEPT", 2)

    async def work(queue: AgentQueue) -> None:
        reviews = Reviews(queue)
        first = reviews.of(played("hex:size=3", 1))
        for seed in (2, 3, 4):
            reviews.of(played("hex:size=3", seed))
        assert reviews.of(played("hex:size=3", 1)) is not first

    run(work)
