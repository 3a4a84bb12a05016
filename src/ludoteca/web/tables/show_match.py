"""The show match: two of our agents play on the page Watch, one match after another, the same for all visitors.

::

    the server starts ──► the first match is made, so that the first visitor sees a board at once
    a tab subscribes ──► the match goes on: an action, a pause, an action, … the end, a longer pause, another game
    the last one leaves ──► the agents stop, and so do the pauses; the position stays for the next visitor

It is the least important thing that agents do: they think in the background of the queue, with few nodes, and not at
all while other agents wait or the server is late. Only agents play, so a spectator may see everything; see `tab_state`.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from typing import TypeVar, cast

from ludoteca import games
from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match, Question
from ludoteca.play.openings import needs_openings, openings_for
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision, Seat, View
from ludoteca.reports.ladder import ANCHOR, ladders
from ludoteca.web.serving.allowed_specs import agents_of, cached_game
from ludoteca.web.tables.match_request import MatchRequest, new_match
from ludoteca.web.thinking.opponents import obstacle
from ludoteca.web.thinking.queue import AgentQueue, Busy, SeatedAgent, Work

T = TypeVar("T")
ACTION, END = 2.5, 10.0
"""Seconds for which a position and the end of a match are shown."""
LIMIT = "5s,5000n"
"""For each action. The nodes decide; the seconds stop an agent that counts none."""
OPENINGS = 64
"""Of each game, to choose from."""
APART = 3
"""Places in the ladder between two agents that are about equally strong."""
WEAK = 0.25
"""The share of the best agent's rating below which an agent plays too badly to watch."""


class ShowMatch:
    """The match that all visitors of Watch share. Belongs to one event loop, and never blocks it."""

    def __init__(
        self,
        queue: AgentQueue,
        has_time: Callable[[], bool],
        programme: Iterator[MatchRequest],
        pace: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """has_time: whether the server is idle enough. programme: the matches to play. pace: waits so many seconds."""
        self.match: Match | None = None
        """The match shown; None until the first one is made."""
        self._queue, self._has_time, self._programme, self._pace = queue, has_time, programme, pace
        self._pages: list[Callable[[], None]] = []
        self._task: asyncio.Task[None] | None = None
        self._agents: dict[Seat, SeatedAgent] = {}
        self._coming: asyncio.Future[Match] | None = None
        self._ended = True
        self._drawn: dict[Hashable, object] = {}

    @property
    def watched(self) -> bool:
        """Whether any page shows it."""
        return bool(self._pages)

    async def prepare(self) -> None:
        """Makes the first match, which waits for somebody to look. After a failure the first tab makes one."""
        if self.match is not None:
            return
        try:
            self.match = await self._next_match()
            self._ended = False
        except LudotecaError as error:
            logging.getLogger(__name__).info("the first show match was not made: %s", error)

    def subscribe(self, page: Callable[[], None]) -> None:
        """Calls `page` after every change from now on; the first one lets the match go on."""
        if page not in self._pages:
            self._pages.append(page)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def unsubscribe(self, page: Callable[[], None]) -> None:
        """Forgets a page; after the last one nothing thinks and nothing waits."""
        if page in self._pages:
            self._pages.remove(page)
        if not self._pages and self._task is not None:
            self._task.cancel()
            self._task = None
            self._release_agents()

    def shared(self, key: Hashable, draw: Callable[[Match], T]) -> T | None:
        """What `draw` makes of the match, drawn once for all visitors until the match changes; None without a match.

        key: names the drawing, with everything that it depends on besides the match, such as the language.
        """
        if self.match is None:
            return None
        if key not in self._drawn:
            self._drawn[key] = draw(self.match)
        return cast(T, self._drawn[key])

    async def _run(self) -> None:
        while True:
            try:
                if self._ended:
                    self.match = await self._next_match()
                    self._ended = False
                    self._changed()
                await self._play(cast(Match, self.match))
                await self._pace(END)
            except (Fault, LudotecaError) as error:  # no visitor asked for this match: another one begins
                logging.getLogger(__name__).info("the show match ended early: %s", error)
                await self._pace(ACTION)
            except Exception:  # our own fault, and no reason to stop
                logging.getLogger(__name__).exception("the show match failed")
                await self._pace(END)
            self._ended = True
            self._release_agents()

    async def _next_match(self) -> Match:
        """The next match of the programme, made in a thread; a match that a visitor did not wait for is kept."""
        if self._coming is None:
            self._coming = asyncio.ensure_future(asyncio.to_thread(lambda: new_match(next(self._programme))))
        coming = self._coming
        await asyncio.wait([coming])
        self._coming = None
        return coming.result()

    async def _play(self, match: Match) -> None:
        while (turn := match.turn) is not None:
            await self._pace(ACTION)
            decision, seconds = await self._decision(match, turn)
            match.answer(decision, seconds)
            self._changed()

    async def _decision(self, match: Match, turn: Seat) -> tuple[Decision, float]:
        if turn not in self._agents:
            who = match.seats[turn]
            self._agents[turn] = SeatedAgent(self._queue.pool, match.game, who.agent, turn, who.seed or 0)
        seated = self._agents[turn]

        def question() -> tuple[Question, Sequence[View]]:
            return match.ask(), () if seated.prepared else match.views_seen(turn)

        while True:
            if self._has_time() and not self._queue.waiting():
                try:
                    return await self._queue.ask(seated, question, work=Work.background)
                except Busy:
                    pass
            await self._pace(ACTION)

    def _release_agents(self) -> None:
        for seated in self._agents.values():
            self._queue.release(seated)
        self._agents.clear()

    def _changed(self) -> None:
        self._drawn.clear()
        for page in list(self._pages):
            try:
                page()
            except Exception:  # one tab's failure must not reach another
                logging.getLogger(__name__).exception("a tab could not show the show match")


def show_pairings(game: str) -> list[tuple[str, str]]:
    """Pairs of different agents of about the same strength, by the ladder of the game of this name, the best first."""
    known = ladders(game)
    rungs = [rung for rung in known[0].rungs if not rung.chance and rung.agent != ANCHOR] if known else []
    rungs = [rung for rung in rungs if rung.agent not in known[0].slow]
    rungs = [rung for rung in rungs if rung.agent.partition(":")[0] in agents_of(game)]  # some exist only in bench
    strong = [rung.agent for rung in rungs if rung.elo >= WEAK * rungs[0].elo]
    strong = [agent for agent in strong if not obstacle(agent, cached_game(known[0].game))]
    pairs = [
        (one, other)
        for place, one in enumerate(strong)
        for other in strong[place + 1 : place + 1 + APART]
        if one.partition(":")[0] != other.partition(":")[0]
    ]
    return pairs or list(itertools.pairwise(strong))


def show_programme(chance: random.Random | None = None) -> Iterator[MatchRequest]:
    """Matches without end: the games in turn, each time with another pair of agents and another opening or deal."""
    chance = chance or random.SystemRandom()
    shown = [name for name in games.names() if show_pairings(name)]
    chance.shuffle(shown)
    for name in itertools.cycle(shown):
        pair = list(chance.choice(show_pairings(name)))
        chance.shuffle(pair)
        game = cached_game(name)
        opening = chance.choice(openings_for(game, OPENINGS)) if needs_openings(game) else ()
        yield MatchRequest(name, pair, None, LIMIT, actions=opening)
