"""Solves Kittens: small games, and the best response to a documented opponent, with an upper bound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import build
from ludoteca.agents.kittens.policies import response_tables
from ludoteca.agents.search_agent import SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say
from ludoteca.protocols import Decision, Game, View

MATCHES, MATCHES_PER_STEP = 20_000, 250
"""Matches that measure the best response, and how many between two decisions."""
Z_95 = 1.96
"""Standard deviations on either side of an interval of 95%."""
SEED = 10**9
POSITIONS_PER_MEGABYTE = 4000
ITERATIONS_PER_STEP, MAX_STEPS = 50, 200
EXPLOITABILITY = 0.0005
"""A small game counts as solved when best responses gain no more than this, in units of returns."""


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """An equilibrium of a small game of rules=clean, or the best response to a documented opponent; see `Solver`.

    The best response is for seat 0 of rules=original. First comes the response itself; at the start of a match, how
    often it wins, measured; then an upper bound, the value with the opponent's hand open, which needs gigabytes for the
    whole deck. An equilibrium is found by CFR+, and the note says how exploitable it still is.
    """
    table = expect(view, _core.KittensView)
    if not against:
        yield from _equilibrium(game, table, memory)
    elif _core.kittens_can_best_respond(table):
        yield from _best_response(table, memory, against)
    else:
        raise InvalidOption(
            say("kittens is solved against an opponent only for seat 0, in a dealt match of rules=original")
        )


def _best_response(table: _core.KittensView, memory: int, against: str) -> Iterator[Decision]:
    tables = response_tables(against, memory)
    found = Decision(table.legal()[0])
    for found in SearchTask(table, _core.kittens_best_response(table, tables), _decision).stream():
        yield found
    notes: list[Message] = []
    if not table.log:
        wins = 0
        for played in range(MATCHES_PER_STEP, MATCHES + 1, MATCHES_PER_STEP):
            wins += _core.kittens_best_response_wins(table.game, tables, MATCHES_PER_STEP, SEED + played)
            notes = [_won(wins, played)]
            yield replace(found, note=notes[0])
    bound = Decision(found.action)
    for bound in SearchTask(
        table, _core.kittens_best_response(table, response_tables(against, memory, False)), _decision
    ).stream():
        yield replace(found, note=joined([*notes, say("looking for an upper bound")], "; "), nodes=bound.nodes)
    if bound.value is None:
        notes.append(say("no upper bound: it needs more memory than {memory} MB", memory=memory))
    else:
        most = (1 + bound.value) / 2
        notes.append(say("at most {most:.3%}: the best play with the opponent's hand open", most=most))
    yield replace(found, note=joined(notes, "; "), nodes=bound.nodes)


def _equilibrium(game: Game, table: _core.KittensView, memory: int) -> Iterator[Decision]:
    legal = table.legal()
    equilibrium = build(game, memory * POSITIONS_PER_MEGABYTE)
    has_choice = equilibrium is not None and table in equilibrium
    forced = len(legal) == 1 and bool(table.log)
    if equilibrium is None or not (has_choice or forced):
        raise InvalidOption(
            "{game}: only small decks without Shuffle cards, from a deal on and in rules=clean, can be solved; "
            "try deck=bomb2+safe3, or more memory, or against=v2 in rules=original",
            game=game.name,
        )
    for _ in range(MAX_STEPS):
        equilibrium.iterate(ITERATIONS_PER_STEP)
        gain = equilibrium.exploitability()
        probabilities = equilibrium.action_probabilities(table) if has_choice else [1.0]
        value = None if table.log else equilibrium.value()
        note = say("perfect play gains at most {gain:.5f} against this", gain=gain)
        best = legal[probabilities.index(max(probabilities))]
        scores = dict(zip(legal, probabilities, strict=True))
        solved = gain <= EXPLOITABILITY
        yield Decision(best, value=value, scores=scores, note=note, nodes=equilibrium.positions, proven=solved)
        if solved:
            return


def _decision(found: _core.Choice) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no best response is known yet"), nodes=found.nodes)
    note = say("the best response, over all hands that the opponent may have")
    return Decision(found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth)


def _won(wins: int, matches: int) -> Message:
    share = wins / matches
    error = Z_95 * math.sqrt(max(share * (1 - share), 1 / matches) / matches)
    return say(
        "the best response wins {share:.2%} ± {error:.2%} of {matches} matches",
        share=share,
        error=error,
        matches=matches,
    )
