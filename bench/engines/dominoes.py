"""``python -m bench.engines.dominoes``: how strong the engine of Dominoes is, and how much a best response gains.

    python -m bench.engines.dominoes strength   matches, each deal twice with sides swapped
    python -m bench.engines.dominoes exploit    ways to play double-three with hands of four, by exact best response
    python -m bench.engines.dominoes speed      worlds a second at the first choice of a round
    python -m bench.engines.dominoes doublings  the engine with a number of worlds against itself with half of them

docs/agents/engine-dominoes.md shows the figures. Exploitability is the mean, over the seats, of what a best response
gets more than the value of the round: 0 is perfect play.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

import ludoteca
from bench.strength.pairs import Player, Tally, even_matches, play_pairs
from ludoteca import _core
from ludoteca.agents.dominoes.engine import MISTAKES, PLIES, SEED_STEP, TREMBLE
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, View

GAMES = (
    "dominoes:variant=block,start=seat",
    "dominoes:variant=block",
    "dominoes:start=seat",
    "dominoes",
)
SMALL = "dominoes:pips=3,hand=4,variant=block,start=seat"


class Worlds:
    """The engine's mean over solved worlds alone, with so many of them."""

    def __init__(self, game: Game, seat: Seat, seed: int, *, worlds: int, mistakes: float = MISTAKES) -> None:
        self._worlds, self._mistakes, self._seed = worlds, mistakes, seed
        self._equilibrium = _core.DominoesEquilibrium(expect(game, Dominoes), 1, 0.0)

    def act(self, view: View, limit: Limit) -> Action:
        """What it chooses without a limit."""
        table = expect(view, _core.DominoesView)
        if len(table.legal()) == 1:
            return table.legal()[0]
        seed = (self._seed + len(table.log) * SEED_STEP) % 2**64
        plies = PLIES[table.game.variant]
        worlds, mistakes = self._worlds, self._mistakes
        search = _core.dominoes_engine(table, self._equilibrium, None, worlds, 0, mistakes, plies, 0, 0, 256, 1, seed)
        return search.run().action


OPPONENTS: dict[str, Player] = {
    "random": "random",
    "heaviest tile": "naive",
    "tumbafichas:depth=4": "tumbafichas:depth=4",
    "tumbafichas": "tumbafichas",
    "cases": "cases",
}


def strength(pairs: int, jobs: int, games: Sequence[str], only: str = "") -> Iterator[str]:
    """The engine against every other agent."""
    for game in games:
        for name, opponent in OPPONENTS.items():
            if only not in name:
                continue
            began = time.process_time()
            tally = Tally.of(play_pairs(game, "engine", opponent, pairs, jobs=jobs))
            yield f"{game}: engine against {name}: {tally} ({time.process_time() - began:.0f} CPU s)"


def doublings(pairs: int, jobs: int, games: Sequence[str]) -> Iterator[str]:
    """What twice the worlds are worth."""
    for game in games:
        for worlds in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
            one, two = (partial(Worlds, worlds=count) for count in (worlds, worlds // 2))
            yield f"{game}: {worlds} worlds against half: {Tally.of(play_pairs(game, one, two, pairs, jobs=jobs))}"


def speed(pairs: int, jobs: int, games: Sequence[str]) -> Iterator[str]:
    """How many worlds are solved in a second, each for every action of the first choice, on one core."""
    for spec in games:
        game = cast(Dominoes, ludoteca.game(spec))
        equilibrium = _core.DominoesEquilibrium(game, 1, 0.0)
        worlds = nodes = 0
        spent = 0.0
        for seed in range(20):
            state = game.deal(seed)
            while len(state.legal()) == 1:
                state.apply(state.legal()[0])
            if state.turn is None:
                continue
            began = time.process_time()
            view, plies = state.view(state.turn), PLIES[game.variant]
            found = _core.dominoes_engine(view, equilibrium, None, 200, 0, 0.0, plies, 0, 0, 256, 1, seed).run()
            spent += time.process_time() - began
            worlds, nodes = worlds + found.worlds, nodes + found.nodes
        yield f"{spec}: {worlds / spent:,.0f} worlds and {nodes / spent / 1e6:.1f} million nodes a CPU second"


def uniform(view: _core.DominoesView) -> list[float]:
    """Every action as likely."""
    return [1 / len(view.legal())] * len(view.legal())


def pure(agent: Agent, view: _core.DominoesView) -> list[float]:
    """What an agent decides, for certain."""
    decided = agent.act(view, Limit())
    action = decided.action if isinstance(decided, Decision) else decided
    return [float(each == action) for each in view.legal()]


def alpha_mu(view: _core.DominoesView) -> list[float]:
    """Alpha-mu to the end of the round: this seat sees what it sees, the other all tiles; the best mixture then."""
    equilibrium = _core.DominoesEquilibrium(view.game, 64, 0.0)
    assert equilibrium.prepare_open(view)
    equilibrium.iterate(40)
    return equilibrium.action_probabilities(view)


def asked(agent: Player) -> Callable[[_core.DominoesView], list[float]]:
    """An agent's decisions, each view by a new one."""
    make = ludoteca.agent(agent) if isinstance(agent, str) else agent
    return lambda view: pure(make(view.game, view.seat, 1), view)


WAYS: dict[str, Callable[[_core.DominoesView], list[float]]] = {
    "uniform": uniform,
    "heaviest tile": asked("naive"),
    "tumbafichas:depth=4": asked("tumbafichas:depth=4"),
    "mcts, 1,000 simulations": asked("mcts:simulations=1000"),
    "mcts, 10,000 simulations": asked("mcts:simulations=10000"),
    "PIMC, all worlds": asked(partial(Worlds, worlds=1000, mistakes=0.0)),
    "PIMC, half of the next replies mistakes": asked(partial(Worlds, worlds=1000)),
    "alpha-mu to the end": alpha_mu,
}


def exploit(game: str, late: int, only: str) -> Iterator[str]:
    """How much best responses gain against each way to play, in the whole round and in late positions alone."""
    rules = cast(Dominoes, ludoteca.game(game))
    equilibrium = _core.DominoesEquilibrium(rules, 4096, TREMBLE)
    if not equilibrium.prepare_deals():
        raise SystemExit(f"{game} is too large")
    views = equilibrium.views
    yield f"{game}: {len(views):,} information sets, {equilibrium.nodes:,} nodes"
    spent, done = 0.0, 0
    for iterations in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
        began = time.process_time()
        equilibrium.iterate(iterations - done)
        spent, done = spent + time.process_time() - began, iterations
        zero, one = equilibrium.best_responses()
        yield (
            f"CFR+, {iterations} iterations: {(zero + one) / 2:.5f} in {spent:.2f} CPU s, "
            f"seat 0 gets {-one:.5f} to {zero:.5f}"
        )
    perfect = equilibrium.average_strategy()
    tail = [sum(view.counts) <= late for view in views]
    yield f"late: at most {late} tiles in both hands, {sum(tail):,} information sets; before that, perfect play"
    for name, way in WAYS.items():
        if only not in name:
            continue
        began = time.process_time()
        strategy = [way(view) for view in views]
        each = (time.process_time() - began) / len(views)
        mixed = [one if last else two for one, two, last in zip(strategy, perfect, tail, strict=True)]
        yield (
            f"{name}: {equilibrium.exploitability(strategy):.4f}, late {equilibrium.exploitability(mixed):.4f} "
            f"({1000 * each:.2f} CPU ms a decision)"
        )


def main() -> None:
    """Prints the figures that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines.dominoes", description="The engine of Dominoes")
    parser.add_argument("what", choices=("strength", "exploit", "speed", "doublings"))
    parser.add_argument("game", nargs="*", help="those to play")
    parser.add_argument("-n", "--matches", type=even_matches, default=4000, help="each deal is played twice (4000)")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time (1)")
    parser.add_argument("--late", type=int, default=5, help="tiles in both hands of a late position (5)")
    parser.add_argument("--only", default="", help="only opponents and ways to play whose name contains this")
    given = parser.parse_args()
    if given.what == "exploit":
        for game in given.game or [SMALL]:
            for line in exploit(game, given.late, given.only):
                print(line, flush=True)
        return
    plays: dict[str, Callable[[int, int, Sequence[str]], Iterator[str]]] = {
        "strength": partial(strength, only=given.only),
        "speed": speed,
        "doublings": doublings,
    }
    for line in plays[given.what](given.matches // 2, given.jobs, given.game or GAMES):
        print(line, flush=True)


if __name__ == "__main__":
    main()
