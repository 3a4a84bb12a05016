"""What a round of Dominoes is worth with perfect play by both, where it is small enough to be weighed whole."""

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

__all__ = ["EXACT", "solve"]

EXACT: Final = 1e-4
"""A round is solved when what it is worth, for the seat that plays first in the match, is known this closely."""
TREMBLE: Final = 1e-5
"""How often both are taken to slip: enough to know what follows a mistake, too little to move the value."""
PAUSE: Final = 0.1
"""Seconds between two decisions, about."""


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """Decisions for the seat on turn, each better known than the last.

    The round is weighed from its beginning, so what the seats believe of each other's hands follows from perfect play.
    The last decision is `proven` when the round is worth what it says to within `EXACT`. memory: megabytes; it uses one
    thread. Closing it stops it. Raises InvalidOption for a round that is too large, and for `against`.
    """
    if against:
        raise InvalidOption(say("dominoes is solved for best play by both seats, not against {agent}", agent=against))
    rules, table = expect(game, Dominoes), expect(view, _core.DominoesView)
    if (only := forced(table)) is not None:
        return iter([only])
    if not table.boneyard:
        return DominoesEngine(game, table.seat, 0).think(table, Limit())
    solution = _core.DominoesEquilibrium(rules, memory, TREMBLE)
    if not solution.prepare(table):
        raise InvalidOption(
            say(
                "this round of {game} is too large to be solved: all that may have been dealt does not fit in "
                "{memory} megabytes",
                game=game.spec,
                memory=memory,
            )
        )
    return _weigh(solution, table)


def _weigh(solution: _core.DominoesEquilibrium, table: _core.DominoesView) -> Iterator[Decision]:
    solved, looks = False, 1
    while not solved:
        began = time.perf_counter()
        solution.look(looks)
        if time.perf_counter() - began < PAUSE / 2:
            looks *= 2
        bounds = solution.best_responses()
        least, most = -bounds[1 - table.seat], bounds[table.seat]
        solved = most - least <= EXACT
        scores = dict(zip(table.legal(), solution.scores(table), strict=True))
        shares = dict(zip(table.legal(), solution.mixture(table), strict=True))
        chosen = max(shares, key=lambda action: shares[action])
        yield Decision(
            chosen,
            value=sum(shares[action] * scores[action] for action in shares),
            scores=scores,
            line=[chosen],
            note=say(
                "from its beginning this round is worth {least:+z.4f} to {most:+z.4f} to seat {seat}; play {mixture}",
                least=least,
                most=most,
                seat=table.seat,
                mixture=", ".join(
                    f"{table.game.action_name(action)} {share:.1%}" for action, share in shares.items() if share > 0.001
                ),
            ),
            nodes=solution.looks * solution.nodes,
            depth=sum(table.counts),
            proven=solved,
        )
