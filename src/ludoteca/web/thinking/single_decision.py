"""One decision of an agent that plays in no match."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message
from ludoteca.play.match import Match, Question
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision, Limit, View
from ludoteca.web.thinking.queue import MARGIN, AgentQueue, OnThought, SeatedAgent, Work, ask_twice

Decide = Callable[..., Awaitable[tuple[Decision, float]]]
"""`decide_once` with its queue: position, agent and seconds → decision and seconds spent."""


async def decide_once(
    queue: AgentQueue, position: Match, agent: str, seconds: float, **how: Any
) -> tuple[Decision, float]:
    """What an agent would play for the seat on turn of a match; see `decide_view`."""
    seat = position.turn
    assert seat is not None
    return await decide_view(queue, position.view(seat), lambda: position.views_seen(seat), agent, seconds, **how)


async def decide_view(
    queue: AgentQueue,
    view: View,
    seen: Callable[[], Sequence[View]],
    agent: str,
    seconds: float,
    *,
    work: Work = Work.background,
    within: float | None = None,
    margin: float = MARGIN,
    started: Callable[[], None] = lambda: None,
    on_thought: OnThought | None = None,
) -> tuple[Decision, float]:
    """What an agent would play in a view whose seat is on turn, and after how many seconds.

    The agent is built for this decision from the views that the seat has seen. within: the seconds, from now on, after
    which the last thought counts, or the first that comes. margin: seconds for which an agent that is late is waited
    for. started: called when its turn in the queue has come. Raises Busy, Fault and LudotecaError.
    """
    seated = SeatedAgent(queue.pool, view.game, agent, view.seat, secrets.randbits(53))
    question = Question(view.seat, view, Limit(seconds=seconds), seconds + margin)
    hurry = asyncio.Event()
    timer = None if within is None else asyncio.get_running_loop().call_later(within, hurry.set)
    try:
        decision, spent = await ask_twice(
            lambda: queue.ask(
                seated, lambda: (question, seen()), work=work, started=started,
                on_thought=on_thought, hurry=None if within is None else hurry,
            )
        )  # fmt: skip
    finally:
        if timer is not None:
            timer.cancel()
        queue.release(seated)
    if decision.action not in view.legal():
        raise LudotecaError("it chose {action}, which is not legal", action=decision.action)
    return decision, spent


def is_refusal(error: Fault | LudotecaError) -> bool:
    """Whether an agent refused its options or its game when it was built."""
    if isinstance(error, Fault):  # an error in an agent's code is plain text; a refusal is one of our messages
        return error.ending is Ending.error and isinstance(error.message, Message)
    return isinstance(error, InvalidOption)
