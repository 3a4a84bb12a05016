"""`mcts` against OpenSpiel's C++ MCTSBot on Hex: simulations per CPU second, and matches at equal CPU time.

    python -m bench mcts                            the simulations, as one row of the table
    python -m bench.mcts -n 50 --seconds 0.1        100 matches, each seat of 50 openings
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import pyspiel

import ludoteca
from bench.measure import Row, Work, side_by_side
from bench.strength import wilson
from ludoteca import _core
from ludoteca.protocols import Limit

HEX = ludoteca.game("hex:orientation=standard")
SPIEL = pyspiel.load_game("hex(board_size=11)")
EXPLORATION = 2.0
"""For OpenSpiel's bot, the value that its own examples use."""


def rows() -> list[Row]:
    """Simulations from the empty board, trees included."""
    return [
        side_by_side(
            "Hex 11×11 `mcts` simulations", "simulations", _ours(300_000), _theirs(10_000),
            peer="OpenSpiel C++ MCTSBot", target="50×",
        )
    ]  # fmt: skip


def _ours(count: int) -> Work:
    view: Any = HEX.deal(1).view(0)
    tree = _core.HexTree(1.0)

    def work() -> int:
        return tree.search(view, nodes=count).run().nodes

    return work


def _bot(simulations: int, seed: int) -> Any:
    return pyspiel.MCTSBot(SPIEL, pyspiel.RandomRolloutEvaluator(1, seed), EXPLORATION, simulations, 256, False, seed, False)


def _theirs(count: int) -> Work:
    state, bot = SPIEL.new_initial_state(), _bot(count, 1)

    def work() -> int:
        bot.mcts_search(state)
        return count

    return work


def match(opening: list[int], ours: int, seconds: float, simulations: int, seed: int) -> tuple[bool, float, float]:
    """Whether `mcts` in seat `ours` wins, and the CPU seconds that it and the bot used."""
    state, mirror = HEX.deal(1), SPIEL.new_initial_state()
    agent: Any = ludoteca.agent("mcts")(HEX, ours, seed)
    bot, used = _bot(simulations, seed), [0.0, 0.0]
    for action in opening:
        state.apply(action)
        mirror.apply_action(action)
    while state.turn is not None:
        begun = time.process_time()
        if state.turn == ours:
            nodes = round(seconds * SPEED)
            action = agent.act(state.view(ours), Limit(nodes=nodes)).action
        else:
            action = bot.step(mirror)
        used[state.turn != ours] += time.process_time() - begun
        state.apply(action)
        mirror.apply_action(action)
    assert mirror.is_terminal() and mirror.returns() == list(state.returns())
    return state.returns()[ours] > 0, used[0], used[1]


SPEED = 500_000
"""Simulations in a CPU second of `mcts`, rather less than it has: so a busy machine, which a clock would mistake for a
slow one, changes nothing."""


def main() -> None:
    """Plays and prints one line about `mcts`."""
    parser = argparse.ArgumentParser(prog="python -m bench.mcts")
    parser.add_argument("-n", "--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU seconds for an action, about")
    parser.add_argument("--their-speed", type=int, default=10_000, help="simulations in a CPU second of the bot")
    given = parser.parse_args()
    chance, wins = random.Random(1), 0
    spent = [0.0, 0.0]
    for pair in range(given.pairs):
        opening = chance.sample(range(HEX.num_actions), 1)
        for seat in (0, 1):
            won, mine, theirs = match(opening, seat, given.seconds, round(given.seconds * given.their_speed), pair)
            wins += won
            spent = [spent[0] + mine, spent[1] + theirs]
    count = 2 * given.pairs
    low, high = wilson(wins / count, count)
    print(
        f"mcts won {wins} of {count} matches against OpenSpiel's MCTSBot: {wins / count:.1%}, 95% interval {low:.1%} to "
        f"{high:.1%}; CPU seconds {spent[0]:.0f} to {spent[1]:.0f}"
    )


if __name__ == "__main__":
    main()
