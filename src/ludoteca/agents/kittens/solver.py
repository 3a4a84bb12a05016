"""Solves Kittens: the best reply to a documented opponent, and what nobody can surpass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ludoteca import _core
from ludoteca.agents.kittens.model import replies
from ludoteca.agents.thinking import Thought
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.messages import Message, joined, say
from ludoteca.protocols import Decision, Game, View

__all__ = ["solve"]

MATCHES, AT_ONCE = 20_000, 250
"""Matches by which the best reply is measured, and how many between two decisions."""
SURE = 1.96
"""Standard deviations on either side of an interval of 95%."""
SEED = 10**9


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """The best reply of seat 0 to a documented opponent in rules=original; see `Solver`.

    First the reply itself; at the start of a match what it wins, measured; then an upper bound: what could be
    had if the other's hand lay open. The bound needs gigabytes for the whole deck.
    """
    table = expect(view, _core.KittensView)
    if not against or not _core.kittens_can_reply(table):
        raise InvalidOption(
            say(
                "kittens can be solved against a documented opponent (against=v2), for seat 0 on turn in a match of "
                "rules=original that was dealt"
            )
        )
    known = replies(against, memory)
    found = Decision(table.legal()[0])
    for found in Thought(_core.kittens_reply(table, known, True), _decision).watch():
        yield found
    told: list[Message] = []
    if not table.log:
        for played in range(AT_ONCE, MATCHES + 1, AT_ONCE):
            wins = _core.kittens_wins(table.game, known, AT_ONCE, SEED + played) + (wins if told else 0)
            told = [_won(wins, played)]
            yield replace(found, note=told[0])
    bound = Decision(found.action)
    for bound in Thought(_core.kittens_reply(table, replies(against, memory + 1), False), _decision).watch():
        yield replace(found, note=joined([*told, say("looking for an upper bound")], "; "), nodes=bound.nodes)
    if bound.value is None:
        told.append(say("no upper bound: it needs more memory than {memory} MB", memory=memory))
    else:
        told.append(
            say("at most {most:.3%}, which is best play with the other's hand open", most=(1 + bound.value) / 2)
        )
    yield replace(found, note=joined(told, "; "), nodes=bound.nodes)


def _decision(found: _core.Choice) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no reply is known yet"), nodes=found.nodes)
    return Decision(
        found.action,
        value=found.value,
        scores=dict(found.scores),
        line=found.line,
        note=say("the best reply, over all hands that the other may have"),
        nodes=found.nodes,
        depth=found.depth,
    )


def _won(wins: int, matches: int) -> Message:
    share = wins / matches
    error = SURE * math.sqrt(max(share * (1 - share), 1 / matches) / matches)
    return say(
        "the best reply wins {share:.2%} ± {error:.2%} of {matches} matches", share=share, error=error, matches=matches
    )
