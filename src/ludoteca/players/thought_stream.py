"""How an agent is asked, here or in a process of its own: watched where it can be, stopped when its time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Agent, Limit, View

__all__ = ["choices", "is_thinker", "stopped"]


def is_thinker(agent: Agent) -> bool:
    """Whether the agent shows what it thinks, and can be stopped."""
    return callable(getattr(agent, "think", None))


def choices(agent: Agent, view: View, limit: Limit, timeout: float, is_stopped: Callable[[], bool]) -> Iterator[object]:
    """What the agent chooses, each better than the one before; the last counts. Raises whatever the agent raises.

    A Thinker is stopped where its time is over, which it has been told, or when `is_stopped` says so; an agent that can
    only act gives one choice, whenever that may be. Closing this stops the agent.
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
    """The fault of an agent that was stopped with nothing to show."""
    return Fault(Ending.timeout, say("the agent was stopped before it had decided anything"))
