"""``python -m bench.engines.hex WHAT``: how well the engine of Hex plays, and how fast its classical part simulates.

speed     simulations a second of one core's time, trees included, by size
spiel     against OpenSpiel's C++ MCTSBot on 11×11, both seats of --count first stones, each with as many simulations
          as take it about --seconds of one core's time; --exploration is the bot's constant
agents    against each of --others, both seats of --count balanced openings, --seconds an action
doubling  twice the simulations against once, from --nodes on

docs/agents/engine-hex.md shows the figures.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyspiel

import ludoteca
from ludoteca import _core
from ludoteca.play.openings import openings_for
from ludoteca.protocols import Limit
from ludoteca.ratings.elo import elo_of, score_interval, show_elo

ENGINE = "engine:network=none"
TRIAL = 4000
"""Simulations of OpenSpiel's bot by which its speed is measured."""

Chooses = Callable[[Any, list[int]], int]
"""An action for a state, to which these actions led."""
Side = Callable[[Any, int, int], Chooses]
"""Makes who plays a seat of a game, with a seed."""


@dataclass
class Result:
    """What A got out of its matches, and the seconds of a core's time that each side used."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """By what A scored in both matches: 0, ½, 1, 1½ and 2 points."""
    ours: float = 0.0
    theirs: float = 0.0

    def __str__(self) -> str:
        matches, wins = 2 * sum(self.pairs), self.pairs[2] + 2 * self.pairs[4]  # Hex knows no draws
        score, (low, high) = wins / matches, score_interval(self.pairs)
        elo = [show_elo(elo_of(each)) for each in (score, low, high)]
        return (
            f"{wins} of {matches}: {score:.1%} ({low:.1%} to {high:.1%}), "
            f"Elo {elo[0]} ({elo[1]} to {elo[2]}); CPU seconds {self.ours:.0f} to {self.theirs:.0f}"
        )


def agent(spec: str, limit: Limit) -> Side:
    """An agent, as it is written, within a limit for each action."""

    def side(game: Any, seat: int, seed: int) -> Chooses:
        made: Any = ludoteca.agent(spec)(game, seat, seed)

        def choose(state: Any, _: list[int]) -> int:
            answer = made.act(state.view(seat), limit)
            return int(getattr(answer, "action", answer))

        return choose

    return side


def bot(simulations: int, exploration: float) -> Side:
    """OpenSpiel's search with one random rollout in each simulation; it says when it has solved a position."""

    def side(game: Any, _: int, seed: int) -> Chooses:
        rules = pyspiel.load_game(f"hex(board_size={game.size})")
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        made = pyspiel.MCTSBot(rules, evaluator, exploration, simulations, 256, True, seed, False)

        def choose(_: Any, actions: list[int]) -> int:
            state = rules.new_initial_state()
            for action in actions:
                state.apply_action(action)
            return int(made.step(state))

        return choose

    return side


def play(game: Any, openings: list[list[int]], a: Side, b: Side, tell: str = "") -> Result:
    """A against B, both seats of each opening."""
    result = Result()
    for number, opening in enumerate(openings):
        won = 0
        for seat in (0, 1):
            state, actions, used = game.deal(0), list(opening), [0.0, 0.0]
            for action in opening:
                state.apply(action)
            players = {seat: a(game, seat, number), 1 - seat: b(game, 1 - seat, number)}
            while state.turn is not None:
                begun, mover = time.process_time(), state.turn
                actions.append(players[mover](state, actions))
                used[mover != seat] += time.process_time() - begun
                state.apply(actions[-1])
            won += state.returns()[seat] > 0
            result.ours += used[0]
            result.theirs += used[1]
        result.pairs[2 * won] += 1
        print(f"\r{tell}{result}", end="", flush=True)
    print()
    return result


def stones(game: Any, count: int, each: int) -> list[list[int]]:
    """Different openings of random stones."""
    chance, found = random.Random(1), set[tuple[int, ...]]()
    while len(found) < count:
        found.add(tuple(chance.sample(range(game.size**2), each)))
    return [list(opening) for opening in sorted(found)]


def rate(run: Callable[[], int]) -> float:
    """How many simulations a second of one core's time `run` does, the best of three; it says how many they were."""
    best = 0.0
    for _ in range(3):
        begun = time.process_time()
        count = run()
        best = max(best, count / (time.process_time() - begun))
    return best


def speed(size: int, count: int) -> float:
    """Simulations a second, from a stone in the middle of an empty board."""
    game: Any = ludoteca.game(f"hex:orientation=standard,size={size}")
    state = game.deal(0)
    state.apply(size * size // 2)
    return rate(lambda: _core.HexClassical().search(state.view(1), nodes=count).run().nodes)


def against_spiel(count: int, seconds: float, exploration: float) -> None:
    """A line about the result."""
    game: Any = ludoteca.game("hex:orientation=standard")
    think, trial = bot(TRIAL, exploration)(game, 0, 1), [60]
    # A clock would count what other processes do, too; what each used in the end is shown.
    limit = round(seconds * speed(11, 25 * TRIAL))
    simulations = round(seconds * rate(lambda: TRIAL if think(None, trial) >= 0 else 0))
    print(f"{limit} simulations against {simulations}, exploration {exploration:g}")
    play(game, stones(game, count, 1), agent(ENGINE, Limit(nodes=limit)), bot(simulations, exploration))


def main() -> None:
    """What the command asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["speed", "spiel", "agents", "doubling"])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--exploration", type=float, default=1.0)
    parser.add_argument("--network", choices=["zero", "none"], default="zero", help="for agents and doubling")
    parser.add_argument("--threads", type=int, default=1, help="of the engine, against agents")
    parser.add_argument("--others", nargs="+", default=["mcts", "astar", "beam"])
    asked = parser.parse_args()
    ours = f"engine:network={asked.network}"
    game: Any = ludoteca.game(f"hex:orientation=standard,size={asked.size}")
    openings = [list(line) for line in openings_for(game, asked.count)]
    if asked.what == "speed":
        for size in (7, 9, 11, 13, 19):
            print(f"{size}×{size}: {speed(size, 50_000):,.0f} simulations a second")
    elif asked.what == "spiel":
        against_spiel(asked.count, asked.seconds, asked.exploration)
    elif asked.what == "agents":
        limit = Limit(seconds=asked.seconds)
        for other in asked.others:
            sides = [agent(each, limit) for each in (f"{ours},threads={asked.threads}", other)]
            play(game, openings, sides[0], sides[1], f"against {other}: ")
    else:
        for nodes in (asked.nodes, 2 * asked.nodes, 4 * asked.nodes, 8 * asked.nodes):
            a, b = (agent(ours, Limit(nodes=each)) for each in (2 * nodes, nodes))
            play(game, openings, a, b, f"{2 * nodes} against {nodes} simulations: ")


if __name__ == "__main__":
    main()
