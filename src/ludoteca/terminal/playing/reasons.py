"""A decision in a line or two: the reason, who is ahead, and the expected line."""

from __future__ import annotations

from ludoteca.messages import Speaker
from ludoteca.protocols import Decision, Game, Seat
from ludoteca.reports.chance import outlook

LINE = 6
"""How many actions of the expected line are shown."""


def reason(game: Game, seat: Seat, agent: str, decision: Decision, speaker: Speaker) -> str:
    """Why `agent` chose its action for `seat` and how it sees the match, in one line; may be empty."""
    parts = [speaker.translate(decision.explanation)]
    if not (decision.proven and decision.explanation):  # which says what is proven
        parts.append(speaker.translate(outlook(game, seat, agent, decision)))
    return " · ".join(part for part in parts if part)


def expectation(game: Game, decision: Decision, speaker: Speaker) -> str:
    """The expected line; empty if it looked no further than its own action."""
    if len(decision.line) < 2:
        return ""
    names = [speaker.translate(game.action_name(action)) for action in decision.line[:LINE]]
    return speaker.say("It expects: {line}", line=" ".join(names))
