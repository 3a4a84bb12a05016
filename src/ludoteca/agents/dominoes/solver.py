"""Solves rounds of Dominoes that are small enough, by CFR+ over every deal."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from typing import Final

from ludoteca import _core
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.solvers.starts import Solution, Start, StartSolver
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Game, Limit, View

EXACT: Final = 1e-4
"""A round is solved when the bounds of its value are at most this far apart."""
TREMBLE: Final = 1e-5
"""The share of random actions in both strategies: enough to learn what follows a mistake without moving the value."""
MOST_SEEDS: Final = 1_000_000
"""Deals among which a round that begins with a tile is sought; where that is rarer, the set is too large anyway."""
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
        raise _too_large(game, memory)
    return _iterate(equilibrium, table)


def _too_large(game: Game, memory: int) -> InvalidOption:
    return InvalidOption(
        "this round of {game} is too large to be solved: its possible deals do not fit in {memory} megabytes",
        game=game.spec,
        memory=memory,
    )


def _bounds(equilibrium: _core.DominoesEquilibrium, seat: int) -> Iterator[tuple[float, float]]:
    """The least and the most that the round is worth for a seat, closer and closer, until they are within EXACT."""
    solved, iterations = False, 1
    while not solved:
        began = time.perf_counter()
        equilibrium.iterate(iterations)
        if time.perf_counter() - began < STEP / 2:
            iterations *= 2
        responses = equilibrium.best_responses()
        least, most = -responses[1 - seat], responses[seat]
        yield least, most
        solved = most - least <= EXACT


def _iterate(equilibrium: _core.DominoesEquilibrium, table: _core.DominoesView) -> Iterator[Decision]:
    for least, most in _bounds(equilibrium, table.seat):
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
            proven=most - least <= EXACT,
        )


class DominoesStartSolver(StartSolver):
    """Solves rounds by their first tile, which both seats see, over all deals that begin with it.

    With ``start=seat`` the first tile is a choice, and the only start is the deal.
    """

    first_nodes = 10**15  # a second attempt would begin anew

    def openings(self) -> list[Start]:
        """Every tile that may have to begin, the best first; with ``start=seat`` only the deal."""
        rules = expect(self.game, Dominoes)
        if len(rules.deal(0).legal()) > 1:
            return [Start()]
        best_first = sorted(range(rules.num_tiles), key=_rank, reverse=True)
        possible = best_first[: rules.num_tiles - 2 * rules.hand + 1]  # the best of all dealt tiles begins
        return [Start(opening=2 * tile) for tile in possible]

    def name(self, start: Start) -> str:
        """See `StartSolver.name`; the first tile needs no side."""
        return super().name(start).partition("@")[0]

    def share(self, start: Start) -> float:
        """See `StartSolver.share`: how often this tile is the best of all that are dealt."""
        rules = expect(self.game, Dominoes)
        if start.opening is None:
            return 1.0
        worse = sum(_rank(tile) < _rank(start.opening // 2) for tile in range(rules.num_tiles))
        return math.comb(worse, 2 * rules.hand - 1) / math.comb(rules.num_tiles, 2 * rules.hand)

    def attempt(self, start: Start) -> Generator[Solution, None, None]:
        """See `StartSolver.attempt`; the value is known to within EXACT / 2."""
        rules = expect(self.game, Dominoes)
        equilibrium = _core.DominoesEquilibrium(rules, self.memory, TREMBLE)
        choice = None if start.opening is None else self._choice(start.opening)
        if not (equilibrium.prepare_deals() if choice is None else equilibrium.prepare(choice)):
            raise _too_large(self.game, self.memory)
        for least, most in _bounds(equilibrium, 0):
            nodes = equilibrium.iterations * equilibrium.nodes
            if most - least > EXACT:
                yield Solution(nodes=nodes)
            else:
                yield Solution((least + most) / 2, (most - least) / 2, nodes)

    def _choice(self, opening: Action) -> _core.DominoesView:
        """The view of a choice in a round that begins with this action of seat 0."""
        for seed in range(MOST_SEEDS):
            state = expect(self.game, Dominoes).deal(seed)
            if state.turn != 0 or state.legal() != [opening]:
                continue
            while state.turn is not None and len(state.legal()) == 1:
                state.apply(state.legal()[0])
            if state.turn is not None:
                return state.view(state.turn)
        raise _too_large(self.game, self.memory)


def _rank(tile: int) -> tuple[bool, int, int]:
    """Grows with the order in which tiles begin: doubles, then heavier tiles, of two equal ones the higher number."""
    high, low = numbers(tile)
    return high == low, high + low, high
