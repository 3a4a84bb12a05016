"""What an agent thought, in a line or two for a person: its reason, how it sees the match, what it expects."""

from __future__ import annotations

from ludoteca.messages import Speaker, say
from ludoteca.protocols import Decision, Game

__all__ = ["expectation", "reason", "verdict"]

SURE, CLEAR, SLIGHT = 0.999, 0.6, 0.15
"""From which value on a match is as good as decided, clearly and slightly better."""
LINE = 6
"""Actions that are told of what it expects."""


def verdict(decision: Decision) -> str:
    """How the match stands for whoever decided, in words; empty where it did not say. To be translated."""
    value = decision.value
    if value is None:
        return ""
    if decision.proven:
        return say("a sure win") if value > 0 else say("a sure loss") if value < 0 else say("a sure draw")
    if abs(value) < SLIGHT:
        return say("about even")
    if value > 0:
        return say("winning") if value >= CLEAR else say("better")
    return say("losing") if value <= -CLEAR else say("worse")


def reason(decision: Decision, speaker: Speaker) -> str:
    """Why it chose that and how it sees the match, in one line; empty where it told nothing."""
    parts = [speaker.translate(decision.note)]
    if (stands := verdict(decision)) and not (decision.proven and decision.note):  # a note tells what is proven
        parts.append(speaker.say("it thinks: {verdict} ({value:+z.2f})", verdict=stands, value=decision.value))
    return " · ".join(part for part in parts if part)


def expectation(game: Game, decision: Decision, speaker: Speaker) -> str:
    """The continuation that it expects; empty where it looked no further than its own action."""
    if len(decision.line) < 2:
        return ""
    names = [speaker.translate(game.action_name(action)) for action in decision.line[:LINE]]
    return speaker.say("It expects: {line}", line=" ".join(names))
