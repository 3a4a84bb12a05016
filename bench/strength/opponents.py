"""``python -m bench.strength.opponents``: fit the policies by which the adviser's opponents in Kittens may play.

Each agent plays in both seats against all of them, with clean and with original rules. A softmax policy is fitted to
its choices between a draw and its cards: see core/kittens/belief/softmax_policy.hpp. Writes
src/ludoteca/games/kittens/opponents.json. The seeds are not those of bench.strength.beliefs, which measures the result.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import ludoteca
from ludoteca.games.kittens.cards import CARD_ACTIONS
from ludoteca.games.kittens.observed import OPPONENTS
from ludoteca.protocols import Limit

AGENTS = {"random": None, "v1": None, "v2": None, "dqn": None, "engine": 100, "mcts": 200}
"""The agents, and the nodes of those that search."""
RULES = ("clean", "original")
MATCHES = 480
"""Of each agent, for each of the rules."""
FIRST_SEED = 1_000_000
PENALTY = 1.0
"""Of the squares of the weights, to keep those small that the matches say little about."""
KINDS = sorted(CARD_ACTIONS.values())

Array = NDArray[np.float64]


class Choices(NamedTuple):
    """Choices of one agent, one row each."""

    inputs: Array
    held: NDArray[np.bool_]
    """By kind of card."""
    played: NDArray[np.intp]
    """0: a draw; else 1 + the place of the card in KINDS."""
    original: NDArray[np.bool_]
    """Whether a card that is not held could be tried."""


def choices(agent: str) -> Choices:
    """What the agent chose in its matches."""
    rows = [
        (*row, rules == "original")
        for rules in RULES
        for number in range(MATCHES)
        for row in _match(agent, rules, number)
    ]
    inputs, held, played, original = zip(*rows, strict=True)
    return Choices(np.array(inputs), np.array(held), np.array(played), np.array(original))


def _match(agent: str, rules: str, number: int) -> Iterator[tuple[list[float], list[bool], int]]:
    game, seat, seed = ludoteca.game(f"kittens:rules={rules}"), number % 2, FIRST_SEED + number
    names = [agent, agent]
    names[1 - seat] = list(AGENTS)[number // 2 % len(AGENTS)]
    players = [ludoteca.agent(name)(game, each, 2 * seed + each) for each, name in enumerate(names)]
    state: Any = game.deal(random.Random(seed).getrandbits(60))
    hands = []
    while state.turn is not None:
        view = state.view(state.turn)
        if state.turn == seat and not view.placing:
            hands.append(view.hand)
        decided = players[state.turn].act(view, Limit(nodes=AGENTS[names[state.turn]]))
        state.apply(decided if isinstance(decided, int) else decided.action)
    for hand, (card, facts) in zip(hands, state.view(1 - seat).opponent_choices, strict=True):
        own = [hand[1 + place // 2] > place % 2 for place in range(6)]
        yield [*facts, *map(float, own)], [hand[kind] > 0 for kind in KINDS], KINDS.index(card) + 1 if card else 0


def fit(seen: Choices, wasteful: bool) -> tuple[Array, float]:
    """The weights by kind of card, and the loss: the penalty less the logarithm of the likelihood."""
    shape = len(KINDS), seen.inputs.shape[1]
    tried = ~seen.held & seen.original[:, None] & wasteful
    draws, row = seen.played == 0, np.arange(len(seen.played))

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(shape)
        odds = np.exp(np.clip(seen.inputs @ weights.T, -30, 30))
        play, waste = odds * seen.held, odds * tried
        draw = 1 + waste.sum(1)
        total = draw + play.sum(1)
        chosen = np.where(draws, draw, odds[row, seen.played - 1])
        slope = waste / draw[:, None] * draws[:, None] - (play + waste) / total[:, None]
        slope[row[~draws], seen.played[~draws] - 1] += 1
        penalty = PENALTY * np.where(np.arange(shape[1]) == 0, 0.01, 1.0)
        return (
            float((penalty * weights**2).sum() - np.log(chosen / total).sum()),
            (2 * penalty * weights - slope.T @ seen.inputs).ravel(),
        )

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return found.x.reshape(shape), float(found.fun)


def main() -> None:
    """Fit and write."""
    policies = []
    for agent in AGENTS:
        seen = choices(agent)
        (weights, loss), wasteful = min(((fit(seen, each), each) for each in (False, True)), key=lambda one: one[0][1])
        if agent == "random":
            weights = np.zeros_like(weights)
        print(f"{agent}: {len(seen.played)} choices, loss {loss / len(seen.played):.3f} each", flush=True)
        policies.append({"agent": agent, "wasteful": wasteful, "weights": (weights.round(2) + 0.0).tolist()})
    text = json.dumps(policies).replace("[[", "[\n    [").replace("], [", "],\n    [").replace("]]", "]\n  ]")
    OPPONENTS.write_text(text.replace("}, {", "},\n{") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
