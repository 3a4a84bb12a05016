"""``python -m bench.dominoes_engine``: how strong the engine of Dominoes is, and how much a best response gains.

    python -m bench.dominoes_engine strength        matches, each deal twice with the seats exchanged
    python -m bench.dominoes_engine levels          each level against the one below, and the lowest against random
    python -m bench.dominoes_engine exploit         ways to play double-three with hands of four, by exact best response
    python -m bench.dominoes_engine doublings       the engine with a number of worlds against itself with half of them

docs/agents/engine-dominoes.md shows the figures. Exploitability is the mean, over the seats, of what a best response
gets more than the value of the round: 0 is perfect play.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, cast

import ludoteca
from bench.strength import Player, Tally, play_pairs
from ludoteca import _core
from ludoteca.agents.dominoes.engine import LEVELS, STRIDE, DominoesEngine
from ludoteca.games.described import expect
from ludoteca.games.dominoes import Dominoes, numbers
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, View

GAMES = (
    "dominoes:variant=block,start=seat",
    "dominoes:variant=block",
    "dominoes:start=seat",
    "dominoes",
)
SMALL = "dominoes:pips=3,hand=4,variant=block,start=seat"
Mixtures: TypeAlias = list[list[float]]


class Heaviest:
    """Lays the heaviest tile that fits."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        """It needs to know nothing."""

    def act(self, view: View, limit: Limit) -> Action:
        """The heaviest; of equals the first."""
        return max(view.legal(), key=lambda action: sum(numbers(action // 2)) if action // 2 < 55 else 0)


class Worlds:
    """The engine's mean over solved worlds alone, with so many of them."""

    def __init__(self, game: Game, seat: Seat, seed: int, *, worlds: int) -> None:
        self._worlds, self._seed = worlds, seed
        self._solution = _core.DominoesSolution(expect(game, Dominoes), 1)

    def act(self, view: View, limit: Limit) -> Action:
        """What it chooses without a limit."""
        table = expect(view, _core.DominoesView)
        if len(table.legal()) == 1:
            return table.legal()[0]
        seed = (self._seed + len(table.log) * STRIDE) % 2**64
        return _core.dominoes_engine(table, self._solution, self._worlds, 0.0, 0, seed).run().action


def level(number: int) -> Player:
    """The engine at a level; 0: all that it can."""
    return partial(DominoesEngine, level=number)


OPPONENTS: dict[str, Player] = {
    "random": "random",
    "heaviest tile": Heaviest,
    "tumbafichas:depth=4": "tumbafichas:depth=4",
    "tumbafichas": "tumbafichas",
    "cases": "cases",
}


def strength(pairs: int, jobs: int, games: Sequence[str]) -> Iterator[str]:
    """The engine against everybody."""
    for game in games:
        for name, opponent in OPPONENTS.items():
            began = time.process_time()
            tally = Tally.of(play_pairs(game, level(0), opponent, pairs, jobs=jobs))
            yield f"{game}: engine against {name}: {tally} ({time.process_time() - began:.0f} CPU s)"


def levels(pairs: int, jobs: int, games: Sequence[str]) -> Iterator[str]:
    """Each level against the one below it."""
    for game in games:
        for number in LEVELS:
            weaker: Player = level(number - 1) if number > 1 else "random"
            tally = Tally.of(play_pairs(game, level(number), weaker, pairs, jobs=jobs))
            yield f"{game}: level {number} against {number - 1 or 'random'}: {tally}"
        yield f"{game}: all it can against level 8: {Tally.of(play_pairs(game, level(0), level(8), pairs, jobs=jobs))}"


def doublings(pairs: int, jobs: int, games: Sequence[str]) -> Iterator[str]:
    """What twice the worlds are worth."""
    for game in games:
        for worlds in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
            one, two = (partial(Worlds, worlds=count) for count in (worlds, worlds // 2))
            yield f"{game}: {worlds} worlds against half: {Tally.of(play_pairs(game, one, two, pairs, jobs=jobs))}"


def uniform(view: _core.DominoesView) -> list[float]:
    """Every action as likely."""
    return [1 / len(view.legal())] * len(view.legal())


def pure(agent: Agent, view: _core.DominoesView) -> list[float]:
    """What an agent decides, for certain."""
    decided = agent.act(view, Limit())
    action = decided.action if isinstance(decided, Decision) else decided
    return [float(each == action) for each in view.legal()]


def against_all_seeing(view: _core.DominoesView) -> list[float]:
    """Alpha-mu to the end: this seat knows what it knows, the other sees all tiles; the best mixture against that."""
    if view.ends is None:
        hands = [view.sample(seed) for seed in range(60)]
    else:
        hands = list(_worlds(view))
    solution = _core.DominoesSolution(view.game, 64)
    assert solution.prepare_worlds(hands)
    solution.look(40)
    return solution.mixture_at_roots()


def _worlds(view: _core.DominoesView) -> Iterator[_core.DominoesState]:
    yield from ()


def exploitability(solution: _core.DominoesSolution, mixtures: Mixtures) -> float:
    """The mean of what best responses gain."""
    return sum(solution.best_responses(mixtures)) / 2
