"""Solves rounds of Dominoes that are small enough, by CFR+ over every deal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from ludoteca import _core
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.agents.dominoes.forced import forced
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, View

EXACT: Final = 1e-4
"""A round is solved when the bounds of its value are at most this far apart."""
TREMBLE: Final = 1e-5
"""The share of random actions in both strategies: enough to learn what follows a mistake without moving the value."""
STEP: Final = 0.1
"""Seconds between two decisions, about."""


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """Decisions for the seat on turn, each closer to an equilibrium than the last.

    The tree starts with the deal, so each seat's belief about the other hand follows from perfect play. The last
    decision is `proven`: the value of the round is known to within `EXACT`. memory: megabytes; it uses one thread.
    Closing it stops it. Raises InvalidOption for a round that is too large, and for `against`.
    """
    if against:
        raise InvalidOption("dominoes is solved for best play by both seats, not against {agent}", agent=against)
    rules, table = expect(game, Dominoes), expect(view, _core.DominoesView)
    if (only := forced(table)) is not None:
        return iter([only])
    if not table.boneyard:
        return DominoesEngine(game, table.seat, 0).think(table, Limit())
    equilibrium = _core.DominoesEquilibrium(rules, memory, TREMBLE)
    if not equilibrium.prepare(table):
        raise InvalidOption(
            "this round of {game} is too large to be solved: its possible deals do not fit in {memory} megabytes",
            game=game.spec,
            memory=memory,
        )
    return _iterate(equilibrium, table)


def _iterate(equilibrium: _core.DominoesEquilibrium, table: _core.DominoesView) -> Iterator[Decision]:
    solved, iterations = False, 1
    while not solved:
        began = time.perf_counter()
        equilibrium.iterate(iterations)
        if time.perf_counter() - began < STEP / 2:
            iterations *= 2
        responses = equilibrium.best_responses()
        least, most = -responses[1 - table.seat], responses[table.seat]
        solved = most - least <= EXACT
        scores = dict(zip(table.legal(), equilibrium.scores(table), strict=True))
        shares = dict(zip(table.legal(), equilibrium.action_probabilities(table), strict=True))
        chosen = max(shares, key=lambda action: shares[action])
        yield Decision(
            chosen,
            value=sum(shares[action] * scores[action] for action in shares),
            scores=scores,
            line=[chosen],
            note=say(
                "the whole round is worth {least:+z.4f} to {most:+z.4f} for seat {seat}; play {mixture}",
                least=least,
                most=most,
                seat=table.seat,
                mixture=", ".join(
                    f"{table.game.action_name(action)} {share:.1%}" for action, share in shares.items() if share > 0.001
                ),
            ),
            nodes=equilibrium.iterations * equilibrium.nodes,
            depth=sum(table.counts),
            proven=solved,
        )
