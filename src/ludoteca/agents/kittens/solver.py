"""Solves Kittens: small games, and the best reply to a documented opponent with what nobody can surpass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import tree
from ludoteca.agents.kittens.policies import replies
from ludoteca.agents.search_agent import Thought
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say
from ludoteca.protocols import Decision, Game, View

__all__ = ["solve"]

MATCHES, AT_ONCE = 20_000, 250
"""Matches by which the best reply is measured, and how many between two decisions."""
SURE = 1.96
"""Standard deviations on either side of an interval of 95%."""
SEED = 10**9
POSITIONS_PER_MEGABYTE = 4000
ROUNDS_AT_ONCE, MOST_TIMES = 50, 200
NEAR = 0.0005
"""What a best reply gains on average, in units of returns, where a small game counts as solved."""


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """Best play by both in a small game of rules=clean, or the best reply to a documented opponent; see `Solver`.

    The reply is that of seat 0 in rules=original: first the reply itself; at the start of a match what it wins,
    measured; then an upper bound, which is what could be had if the other's hand lay open and for the whole deck needs
    gigabytes. Best play by both is found by regret minimisation, and the note says how far it is from an equilibrium.
    """
    table = expect(view, _core.KittensView)
    if not against:
        yield from _equilibrium(game, table, memory)
    elif _core.kittens_can_best_respond(table):
        yield from _reply(table, memory, against)
    else:
        raise InvalidOption(
            say("kittens against an opponent is solved only for seat 0, in a match of rules=original that was dealt")
        )


def _reply(table: _core.KittensView, memory: int, against: str) -> Iterator[Decision]:
    known = replies(against, memory)
    found = Decision(table.legal()[0])
    for found in Thought(_core.kittens_best_response(table, known), _decision).watch():
        yield found
    told: list[Message] = []
    if not table.log:
        wins = 0
        for played in range(AT_ONCE, MATCHES + 1, AT_ONCE):
            wins += _core.kittens_wins(table.game, known, AT_ONCE, SEED + played)
            told = [_won(wins, played)]
            yield replace(found, note=told[0])
    bound = Decision(found.action)
    for bound in Thought(_core.kittens_best_response(table, replies(against, memory, False)), _decision).watch():
        yield replace(found, note=joined([*told, say("looking for an upper bound")], "; "), nodes=bound.nodes)
    if bound.value is None:
        told.append(say("no upper bound: it needs more memory than {memory} MB", memory=memory))
    else:
        most = (1 + bound.value) / 2
        told.append(say("at most {most:.3%}, which is best play with the other's hand open", most=most))
    yield replace(found, note=joined(told, "; "), nodes=bound.nodes)


def _equilibrium(game: Game, table: _core.KittensView, memory: int) -> Iterator[Decision]:
    legal, far = table.legal(), 1.0
    small = tree(game, memory * POSITIONS_PER_MEGABYTE)
    number = small.number(table) if small else None
    forced = len(legal) == 1 and bool(table.log)
    if small is None or (number is None and not forced):
        raise InvalidOption(
            say(
                "{game}: only small decks without Shuffle cards, from a deal on and in rules=clean, can be solved; "
                "try deck=bomb2+safe3, or more memory, or against=v2 in rules=original",
                game=game.name,
            )
        )
    for _ in range(MOST_TIMES):
        small.iterate(ROUNDS_AT_ONCE)
        average = small.average()
        far, chances = small.exploitability(average), [1.0] if number is None else average[number]
        value = None if table.log else small.value(average)
        note = say("an equilibrium but for {far:.5f}", far=far)
        best = legal[chances.index(max(chances))]
        scores = dict(zip(legal, chances, strict=True))
        yield Decision(best, value=value, scores=scores, note=note, nodes=len(small), proven=far <= NEAR)
        if far <= NEAR:
            return


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
