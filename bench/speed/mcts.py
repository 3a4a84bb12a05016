"""`mcts` against OpenSpiel's C++ MCTSBot on Hex: simulations per CPU second, and matches at equal CPU time.

python -m bench mcts                            the simulations, as one row of the table
python -m bench.speed.mcts -n 100 --seconds 0.1       100 matches, each seat of 50 openings
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from typing import Any

import pyspiel

import ludoteca
from bench.measure import Row, Work, side_by_side
from bench.strength.pairs import even_matches
from ludoteca import _core
from ludoteca.protocols import Limit
from ludoteca.ratings.elo import score_interval

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
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(SPIEL, evaluator, EXPLORATION, simulations, 256, False, seed, False)


def _theirs(count: int) -> Work:
    state, bot = SPIEL.new_initial_state(), _bot(count, 1)

    def work() -> int:
        bot.mcts_search(state)
        return count

    return work


def match(opening: int, ours: int, agent_nodes: int, bot_nodes: int, seed: int) -> tuple[bool, float, float]:
    """Whether `mcts` in seat `ours` wins, and the CPU seconds that it and the bot used."""
    state, mirror = HEX.deal(1), SPIEL.new_initial_state()
    agent: Any = ludoteca.agent("mcts")(HEX, ours, seed)
    bot, used, action = _bot(bot_nodes, seed), [0.0, 0.0], opening
    while True:
        state.apply(action)
        mirror.apply_action(action)
        if state.turn is None:
            break
        begun = time.process_time()
        if state.turn == ours:
            action = agent.act(state.view(ours), Limit(nodes=agent_nodes)).action
        else:
            action = bot.step(mirror)
        used[state.turn != ours] += time.process_time() - begun
    assert mirror.is_terminal() and mirror.returns() == list(state.returns())
    return state.returns()[ours] > 0, used[0], used[1]


def main() -> None:
    """Plays and prints one line about `mcts`."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.mcts")
    parser.add_argument("-n", "--matches", type=even_matches, default=100, help="two from each first stone (100)")
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU seconds for an action, about (0.1)")
    given = parser.parse_args()
    speed = rows()[0]
    assert speed.theirs is not None
    # So many simulations as take these CPU seconds here, and rather fewer for ours, as what was used in the end shows:
    # a clock would count what other processes do, too.
    agent_nodes, bot_nodes = round(0.75 * given.seconds * speed.ours), round(given.seconds * speed.theirs)
    openings = random.Random(1).sample(range(HEX.num_actions), given.matches // 2)
    played = [match(first, seat, agent_nodes, bot_nodes, first) for first in openings for seat in (0, 1)]
    wins, count = sum(won for won, _, _ in played), len(played)
    both = Counter(2 * (one[0] + two[0]) for one, two in zip(played[::2], played[1::2], strict=True))
    low, high = score_interval([both[points] for points in range(5)])
    print(
        f"mcts ({agent_nodes} simulations an action) won {wins} of {count} matches against OpenSpiel's MCTSBot "
        f"({bot_nodes}): {wins / count:.1%}, 95% interval {low:.1%} to {high:.1%}; CPU seconds "
        f"{sum(ours for _, ours, _ in played):.0f} to {sum(theirs for _, _, theirs in played):.0f}"
    )


if __name__ == "__main__":
    main()
