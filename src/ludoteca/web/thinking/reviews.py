"""Reviews of matches: an engine evaluates one position after another, through the queue of agents.

Reviews are kept by match: who opens the same one in another tab, or later, finds what is known already. A review goes
on for a while after the last page that shows it is closed, so that a visitor who comes back finds it further or done.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from ludoteca.agents import strongest
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match, Question
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.reports.chance import advantage
from ludoteca.reports.review import ReviewedAction, ReviewSearches, review_limit
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.queue import AgentQueue, Busy, SeatedAgent, Work, ask_twice, fault_reason

LONGEST: Final = 120.0
"""Seconds for one search, which is limited by its nodes: only an engine that does not answer at all takes so long."""
KEPT: Final = 128
"""Reviews that are kept."""
RETRY = 1.0
UNWATCHED: Final = 300.0
"""Seconds for which a review goes on while no page shows it."""
MOST_UNWATCHED: Final = 2
"""Reviews that go on at the same time while no page shows them; the one that was left first stops."""


class ReviewJob:
    """The review of one match, as far as it is done."""

    def __init__(
        self,
        queue: AgentQueue,
        match: Match,
        agent: str,
        unwatched: float = UNWATCHED,
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """unwatched: seconds for which it goes on while no page shows it. left: called when the last page has left."""
        self.match, self.agent, self._unwatched, self._left = match, agent, unwatched, left
        self.searches = ReviewSearches(match, review_limit(match.game, agent), agent)
        """What the engine has found so far."""
        self.failure = ""
        """Why the engine failed, if it did; to be translated."""
        self._queue = queue
        self._pages: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._stopping: asyncio.TimerHandle | None = None

    @property
    def done(self) -> bool:
        """Whether every position is evaluated, deeper where that was necessary."""
        return self.searches.each_searched and self.searches.deeper() is None

    @property
    def watched(self) -> bool:
        """Whether any page shows it."""
        return bool(self._pages)

    @property
    def running(self) -> bool:
        """Whether the engine is at work on it."""
        return self._task is not None

    def subscribe(self, page: Callable[[], None]) -> None:
        """Calls `page` whenever more is known, and continues the review."""
        self._pages.add(page)
        self._cancel_stopping()
        if self._task is None and not self.done:
            self.failure = ""
            self._task = asyncio.create_task(self._run())

    def unsubscribe(self, page: Callable[[], None]) -> None:
        """Forgets a page. After the last one the engine goes on for a while."""
        self._pages.discard(page)
        if not self._pages and self._task is not None and self._stopping is None:
            self._stopping = asyncio.get_running_loop().call_later(self._unwatched, self.stop)
            self._left()

    def stop(self) -> None:
        """Stops the engine; the review continues where it was once a page shows it again."""
        self._cancel_stopping()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _cancel_stopping(self) -> None:
        if self._stopping is not None:
            self._stopping.cancel()
            self._stopping = None

    async def _run(self) -> None:
        game, players = self.match.game, dict[Seat, SeatedAgent]()
        for seat in (0, 1):
            players[seat] = SeatedAgent(self._queue.pool, game, self.agent, seat, 0)
        searches = self.searches
        try:
            again = self.match.before(self.match.opening + len(self.searches.decisions))
            while not searches.each_searched:
                assert again.turn is not None
                searches.add(await self._decide(again, players[again.turn], searches.limit))
                again.play(self.match.actions[len(again.actions)])
                self._notify_pages()
            while (search := searches.deeper()) is not None:
                seat = self.match.movers[search.ply]
                self._queue.release(players[seat])
                players[seat] = SeatedAgent(self._queue.pool, game, self.agent, seat, 0)
                here = self.match.before(search.ply)
                searches.add_deeper(search, await self._decide(here, players[seat], search.limit))
                self._notify_pages()
        except (Fault, LudotecaError) as error:
            self.failure = say("{agent}: {why}", agent=agent_title(self.agent), why=fault_reason(error))
        except Exception:  # our own fault: the page says so
            logging.getLogger(__name__).exception("a match could not be reviewed")
            self.failure = say("something went wrong on our side")
        finally:
            for seated in players.values():
                self._queue.release(seated)
        self._task = None
        self._cancel_stopping()
        self._notify_pages()

    async def _decide(self, here: Match, seated: SeatedAgent, limit: Limit) -> Decision:
        """What the engine would play here, knowing only what the seat on turn has seen."""
        seat = here.turn
        assert seat is not None
        question = Question(seat, here.view(seat), limit, LONGEST)

        def asked() -> tuple[Question, Sequence[View]]:
            return question, () if seated.prepared else here.views_seen(seat)

        while True:
            try:
                decision, _ = await ask_twice(lambda: self._queue.ask(seated, asked, work=Work.background))
            except Busy:
                await asyncio.sleep(RETRY)
                continue
            if decision.action not in question.view.legal():
                raise LudotecaError("it chose {action}, which is not legal", action=decision.action)
            return decision

    def _notify_pages(self) -> None:
        for page in list(self._pages):
            page()


class Reviews:
    """The reviews that are kept, by what was played."""

    def __init__(
        self,
        queue: AgentQueue,
        reviewer: Callable[[Game], str] = strongest,
        kept: int = KEPT,
        unwatched: float = UNWATCHED,
    ) -> None:
        """reviewer: the agent that reviews a game. kept: how many reviews are kept. unwatched: see `ReviewJob`."""
        self._queue, self._reviewer, self._limit, self._unwatched = queue, reviewer, kept, unwatched
        self._kept: OrderedDict[tuple[object, ...], ReviewJob] = OrderedDict()

    def of(self, match: Match) -> ReviewJob:
        """The review of a match, kept or new; it continues once a page subscribes."""
        key = _key(match)
        if key not in self._kept:
            reviewer = self._reviewer(match.game)
            self._kept[key] = ReviewJob(self._queue, match, reviewer, self._unwatched, self._stop_oldest)
            self._drop_oldest()
        self._kept.move_to_end(key)
        return self._kept[key]

    def finished(self, match: Match) -> ReviewJob | None:
        """The review of a match, if it is complete."""
        found = self._kept.get(_key(match))
        return found if found is not None and found.done else None

    def _drop_oldest(self) -> None:
        idle = [key for key, each in self._kept.items() if not each.watched]
        for key in idle[: max(0, len(self._kept) - self._limit)]:
            self._kept.pop(key).stop()

    def _stop_oldest(self) -> None:
        """Lets only the latest reviews go on while no page shows them."""
        running = [each for each in self._kept.values() if each.running and not each.watched]
        for each in running[: max(0, len(running) - MOST_UNWATCHED)]:
            each.stop()


def review_curve(review: ReviewJob, known: Sequence[ReviewedAction]) -> Curve:
    """How the engine saw the match before each action, and how it ended; known: `review.searches.actions`."""
    match = review.match
    values: list[float | None] = [None] * (len(match.actions) + 1)
    for each in known:
        value = advantage(match.game, review.agent, each.best)
        values[each.ply] = value if value is None or each.seat == 0 else -value
    if match.view(0).turn is None:
        values[-1] = match.returns()[0]
    return Curve(review.agent, tuple(values))


def _key(match: Match) -> tuple[object, ...]:
    return match.game.spec, match.seed, match.start, match.opening, tuple(match.side_swaps), tuple(match.actions)
