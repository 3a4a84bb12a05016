"""A queue of agents for a test, and an agent that is asked through it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ludoteca import games
from ludoteca.play.match import Match, Question
from ludoteca.players.pool import Pool
from ludoteca.players.processes.memory import MEMORY
from ludoteca.protocols import Decision, Limit, View
from ludoteca.web.thinking.queue import CHILDREN, AgentQueue, SeatedAgent

__all__ = ["Seat", "run"]


def run(
    work: Callable[[AgentQueue], Awaitable[None]],
    slots: int = 1,
    capacity: int = 4,
    memory: int = MEMORY,
    children: int = CHILDREN,
) -> None:
    async def all_of_it() -> None:
        queue = AgentQueue(Pool(memory=memory, shared=True, slots=slots), capacity, most_children=children)
        try:
            await work(queue)
        finally:
            queue.close()

    asyncio.run(all_of_it())


class Seat:
    """An agent in seat 0 of Hex 4×4, and how it is asked."""

    def __init__(self, queue: AgentQueue, agent: str = "random", seconds: float = 60.0) -> None:
        self.queue = queue
        self.match = Match(games.game("hex:size=4"), 1, (0, 1), opening=2)
        self.seated = SeatedAgent(queue.pool, self.match.game, agent, 0, 1)
        self.seconds = seconds

    def question(self) -> tuple[Question, list[View]]:
        limit = Limit(seconds=self.seconds)
        return Question(0, self.match.view(0), limit, self.seconds + 0.5), self.match.views_seen(0)

    async def ask(self, **given: Any) -> tuple[Decision, float]:
        return await self.queue.ask(self.seated, self.question, **given)

    async def begun(self) -> asyncio.Task[tuple[Decision, float]]:
        """A thought that is being thought."""
        started = asyncio.Event()
        task = asyncio.create_task(self.ask(started=started.set))
        await started.wait()
        return task
