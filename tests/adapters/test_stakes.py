"""Rewards are amounts in games with stakes: points of Dominoes, in every kind of environment."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoteca
from ludoteca.adapters.gymnasium import SeatEnv
from ludoteca.adapters.gymnasium_vector import BatchEnv
from ludoteca.adapters.pettingzoo import env, parallel_env

GAME = "dominoes:pips=3,scoring=points"
STAKE = 29.0
"""The pips of the ten tiles are 30, and the winner has laid at least one of them."""


def first(mask: NDArray[np.int8]) -> int:
    return int(np.flatnonzero(mask)[0])


def points(seed: int) -> tuple[float, float]:
    """What each seat wins where both play their first legal action."""
    state = ludoteca.game(GAME).deal(seed)
    while state.turn is not None:
        state.apply(state.legal()[0])
    one, other = state.returns()
    return one * STAKE, other * STAKE


def test_gymnasium_rewards_points() -> None:
    seat = SeatEnv(GAME, opponent="random")
    won = set()
    for seed in range(8):
        _, info = seat.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = seat.step(first(info["action_mask"]))
        assert seat._state is not None
        assert reward == pytest.approx(STAKE * seat._state.returns()[seat.seat])
        won.add(abs(round(reward, 6)))
    assert len(won) > 2 and all(each == int(each) for each in won)
    seat.reset(seed=1)
    assert seat.step(seat.game.num_actions - 1)[1:3] == (-STAKE, True), "an illegal action loses as much as there is"


def test_batches_reward_points() -> None:
    batch = BatchEnv(64, GAME, opponent="self")
    _, infos = batch.reset(seed=3)
    won: set[float] = set()
    for _ in range(20):
        _, rewards, done, _, infos = batch.step(infos["action_mask"].argmax(axis=1))
        assert not infos["returns"][~done].any()
        assert (infos["returns"].sum(axis=1) == 0).all()
        won |= {abs(round(float(each), 4)) for each in rewards[done]}
    assert len(won) > 2 and all(each == int(each) for each in won)


@pytest.mark.parametrize("seed", range(4))
def test_pettingzoo_rewards_points(seed: int) -> None:
    table = env(GAME)
    table.reset(seed=seed)
    won = {}
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        won[agent] = reward
        table.step(None if over else first(observation["action_mask"]))
    assert (won["player_0"], won["player_1"]) == pytest.approx(points(seed))
    both = parallel_env(GAME)
    seen, _ = both.reset(seed=seed)
    while both.agents:
        seen, rewards, *_ = both.step({agent: first(seen[agent]["action_mask"]) for agent in both.agents})
    assert tuple(rewards.values()) == pytest.approx(points(seed))
