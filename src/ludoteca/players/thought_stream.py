"""Asks an agent for its choices as a stream, and stops a Thinker when its time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Agent, Limit, View


def is_thinker(agent: Agent) -> bool:
    """Whether the agent streams its thoughts and can be stopped."""
    return callable(getattr(agent, "think", None))


def stream_choices(
    agent: Agent, view: View, limit: Limit, timeout: float, is_stopped: Callable[[], bool]
) -> Iterator[object]:
    """The agent's choices, each better than the one before; the last counts. Raises what the agent raises.

    A Thinker is stopped at the end of its limit or timeout, or when `is_stopped` returns true. An agent that can only
    act gives one choice, however long it takes. Closing the iterator stops the agent.
    """
    if not is_thinker(agent):
        yield agent.act(view, limit)
        return
    halted = False
    deadline = time.perf_counter() + (timeout if limit.seconds is None else min(limit.seconds, timeout))
    thinking: Iterable[object] = agent.think(view, limit)  # type: ignore[attr-defined]
    last: Any = None
    try:
        for choice in thinking:
            if choice is not last:
                last = choice
                yield choice
            halted = is_stopped() or time.perf_counter() >= deadline
            if halted:
                break
    finally:
        if (close := getattr(thinking, "close", None)) is not None:
            close()
    if last is None:
        if halted:
            raise stopped()
        raise Fault(Ending.illegal, say("think ended without a decision"))


def stopped() -> Fault:
    """The fault of an agent that was stopped before it had a decision."""
    return Fault(Ending.timeout, say("the agent was stopped before it had a decision"))
