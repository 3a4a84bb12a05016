"""The engine's advice: stopped, longer, while the computer is busy; and a whole match by the original rules."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from ludoteca import games
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.game import Kittens
from ludoteca.play.match import Match
from ludoteca.protocols import Decision, State
from ludoteca.reports.chance import without_search
from ludoteca.web.pages.advise import advice as advising
from ludoteca.web.pages.advise import parts
from ludoteca.web.pages.advise.advice import Advice, AdviceLimit
from ludoteca.web.pages.advise.followed import Followed
from ludoteca.web.pages.frame import Visit
from ludoteca.web.thinking.queue import AgentQueue, SeatedAgent, Work
from tests.play.observing import story_of
from tests.web.thinking.queued import Seat, run

ANA = Visit("en", "ana", "auto", "/")
LONG = 600.0
"""Seconds that no test waits for."""


class Asked:
    """Advice for one match, and what a visitor reads of it."""

    def __init__(self, queue: AgentQueue, spec: str, *events: str) -> None:
        self.followed = Followed(games.game(spec), 0, events=events)
        self.news = asyncio.Event()
        self.advice = Advice(ANA, queue, AdviceLimit(), self.news.set)

    def ask(self, seconds: float) -> None:
        match = self.followed.match
        assert match is not None
        self.advice.ask(match.view, match.seen, seconds)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(LONG):
            while not done():
                await self.news.wait()
                self.news.clear()

    @property
    def text(self) -> str:
        return parts.ask(ANA, self.followed, self.advice, "")

    @property
    def controls(self) -> str:
        return parts.controls(ANA, self.followed, self.advice)


def test_the_engine_is_stopped_and_its_best_action_stays() -> None:
    async def work(queue: AgentQueue) -> None:
        asked = Asked(queue, "hex:size=11", "d4", "f6")
        assert "Think longer" in asked.controls
        asked.ask(LONG)
        assert "Stop" in asked.controls and "is thinking" in asked.text
        await asked.until(lambda: asked.advice.decision is not None)
        assert "Best: " in asked.text and "progress" in asked.text
        asked.advice.stop()
        assert asked.advice.stage == "" and "Think longer" in asked.controls
        assert "Best: " in asked.text and "progress" not in asked.text
        await Seat(queue).ask(work=Work.background)  # the only place is free again
        asked.ask(LONG)
        assert "Best: " in asked.text, "what was found before stays while it thinks longer"
        asked.advice.drop()
        assert asked.advice.decision is None and "what did you do?" in asked.text

    run(work)


def test_a_visitor_learns_that_the_computer_is_busy_and_is_advised_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "WAITED", 0.0)

    async def work(queue: AgentQueue) -> None:
        before = Seat(queue, seconds=LONG)
        before.match = Match(games.game("hex:size=11"), 1)
        before.seated = SeatedAgent(queue.pool, before.match.game, "astar:depth=9", 0, 1)
        started = asyncio.Event()
        thinking = asyncio.create_task(before.ask(work=Work.hint, started=started.set))
        await started.wait()
        asked = Asked(queue, "hex:size=3", "b2", "a1")
        asked.ask(advising.SECONDS)
        await asked.until(lambda: asked.advice.stage == "busy")
        assert "This computer is busy" in asked.text and "Stop" in asked.controls
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        await asked.until(lambda: not asked.advice.stage)
        assert "Best: " in asked.text and not asked.advice.failure

    run(work)


def test_the_questions_of_a_visitor_are_bounded() -> None:
    async def work(queue: AgentQueue) -> None:
        asked = Asked(queue, "hex:size=3", "b2", "a1")
        while asked.advice.limit.enter(ANA.visitor, ANA.address):
            pass
        asked.ask(LONG)
        await asked.until(lambda: not asked.advice.stage)
        assert "already asking for advice in other tabs" in asked.text

    run(work)


def test_a_choice_without_a_search_is_not_called_the_best() -> None:
    game = games.game("kittens:rules=original")
    view = game.deal(0).view(0)
    assert without_search(view, Decision(0)) and not without_search(view, Decision(0, value=0.9))
    assert not without_search(view, Decision(0, scores={0: 1.0})) and not without_search(view, Decision(0, depth=1))
    asked = Followed(game)

    async def work(queue: AgentQueue) -> None:
        advice = Advice(ANA, queue, AdviceLimit(), lambda: None)
        advice.decision = Decision(0)
        assert "Without a search: draw" in parts.ask(ANA, asked, advice, "")

    run(work)


@pytest.mark.parametrize("spec", ["kittens:rules=original", "kittens:rules=original,place=any"])
def test_a_match_by_the_original_rules_is_entered_click_by_click(spec: str) -> None:
    game = expect(games.game(spec), Kittens)
    spanish = Visit("es", "ana", "auto", "/")

    async def work(queue: AgentQueue) -> None:
        advice = Advice(ANA, queue, AdviceLimit(), lambda: None)
        for seed in range(6):
            rng, seat = random.Random(seed), seed % 2

            def held(state: State, rng: random.Random = rng) -> int:
                view = state.view(state.turn or 0)
                return rng.choice([each for each in state.legal() if not game.is_wasted(view, each)])

            story, followed = story_of(game, seat, seed, rng, held), Followed(game, seat)
            for event in story.events:
                fitting = [each for each in followed.choices() if f"{event} ".startswith(f"{each.text} ")]
                choice = max(fitting, key=lambda each: len(each.text))
                followed.choose(choice.text)
                for word in event.removeprefix(choice.text).split():
                    assert followed.question is not None and word in [each.text for each in followed.options()]
                    assert word in parts.words(ANA, followed, advice) or followed.options()[0].item is not None
                    followed.answer(word)
                for visit in (ANA, spanish):
                    parts.ask(visit, followed, advice, "")
                    parts.words(visit, followed, advice)
                    parts.picture(visit, followed, advice)
            assert followed.events == list(story.events) and followed.turn is None
            assert "win" in parts.ask(ANA, followed, advice, "")
            belief = followed.match.belief()  # type: ignore[union-attr]
            assert parts.items(ANA, followed, belief) and parts.entries(spanish, followed)

    run(work)
