"""How an agent sees its own side, in words."""

from __future__ import annotations

from ludoteca.messages import say
from ludoteca.protocols import Decision

__all__ = ["CLEAR", "verdict"]

CLEAR, SLIGHT = 0.6, 0.15
"""The values from which a side is clearly better and slightly better."""


def verdict(decision: Decision) -> str:
    """How the agent sees its own side, as a Message; empty if it gave no value."""
    value = decision.value
    if value is None:
        return ""
    if decision.proven:
        return say("a proven win") if value > 0 else say("a proven loss") if value < 0 else say("a proven draw")
    if abs(value) < SLIGHT:
        return say("about even")
    if value > 0:
        return say("winning") if value >= CLEAR else say("better")
    return say("losing") if value <= -CLEAR else say("worse")
