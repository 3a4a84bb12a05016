"""One question to an agent that plays in no match: what it would do in a position."""

from __future__ import annotations

import secrets

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message, say
from ludoteca.play.match import Match, Question
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision, Limit
from ludoteca.web.thinking.queue import MARGIN, AgentQueue, Seated, Tell

__all__ = ["decide_once", "is_refusal"]


async def decide_once(
    queue: AgentQueue, position: Match, agent: str, seconds: float, tell: Tell | None = None
) -> tuple[Decision, float]:
    """What an agent would play for the seat on turn, and in how many seconds it knew.

    It is made for this question alone, and shown what the seat has seen. Raises Busy, Fault and LudotecaError.
    """
    seat = position.turn
    assert seat is not None
    seated = Seated(queue.pool, position.game, agent, seat, secrets.randbits(53))
    question = Question(seat, position.view(seat), Limit(seconds=seconds), seconds + MARGIN)
    try:
        decision, spent = await queue.ask(seated, lambda: (question, position.views_seen(seat)), tell=tell)
    finally:
        queue.let_go(seated)
    if decision.action not in question.view.legal():
        raise LudotecaError(say("it chose {action}, which is not legal", action=decision.action))
    return decision, spent


def is_refusal(error: Fault | LudotecaError) -> bool:
    """Whether an agent did not want to be built with its options, or for its game."""
    if isinstance(error, Fault):  # what goes wrong in an agent's code is told as it is; a refusal is said in our words
        return error.ending is Ending.error and isinstance(error.message, Message)
    return isinstance(error, InvalidOption)
