from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import ludoteca
from ludoteca.adapters.pettingzoo import StepsEnv, TurnsEnv, env, parallel_env
from tests.adapters.games import SPECS, installed_nim, other_worlds

# Their test would rather see a bare array than the dictionary with a mask that their own classic games have, which it
# knows by name; and it takes for a mistake that an agent whose match is over has no legal action.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def play(table: TurnsEnv, seed: int, actions: int = 10_000) -> dict[str, float]:
    """Random legal actions; the rewards that each agent was handed."""
    chance, rewards = np.random.default_rng(seed), dict.fromkeys(table.possible_agents, 0.0)
    table.reset(seed=seed)
    for agent in table.agent_iter(actions):
        observation, reward, over, cut, _ = table.last()
        rewards[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        assert (over or cut) == (len(legal) == 0)
        table.step(None if over or cut else chance.choice(legal))
    return rewards


@pytest.mark.parametrize("spec", SPECS)
def test_it_passes_pettingzoos_own_tests(spec: str) -> None:
    api_test(env(spec), num_cycles=60)
    seed_test(lambda: env(spec), num_cycles=40)
    pictures = {"svg": lambda shown: shown.startswith("<svg"), "ansi": lambda shown: "\n" in shown}
    render_test(lambda render_mode: env(spec, render_mode=render_mode), pictures)


@pytest.mark.parametrize("spec", SPECS)
def test_the_parallel_form_passes_them_too(spec: str) -> None:
    parallel_api_test(parallel_env(spec), num_cycles=120)


def test_it_passes_their_test_of_seeds_in_parallel() -> None:
    """It draws actions without looking at masks; on an empty board of Hex all are legal."""
    parallel_seed_test(lambda: parallel_env("hex:size=4"), num_cycles=40)


@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")  # as Nim's heaps are at the end
def test_a_strangers_game_passes_them() -> None:
    with installed_nim():
        api_test(env("nim"), num_cycles=60)
        parallel_api_test(parallel_env("nim"), num_cycles=60)
        with pytest.raises(ludoteca.InvalidOption, match="nim draws no pictures"):
            env("nim", render_mode="svg")


def test_it_passes_their_test_of_cycles() -> None:
    """It draws actions without looking at masks: on a large board, with these seeds, they hit empty cells."""

    def seeded(table: Any) -> Any:
        for seat, agent in enumerate(table.possible_agents):
            table.action_space(agent).seed(seat + 1)
        return table

    max_cycles_test(
        SimpleNamespace(
            env=lambda max_cycles: seeded(env("hex:size=19", max_cycles=max_cycles)),
            parallel_env=lambda max_cycles: seeded(parallel_env("hex:size=19", max_cycles=max_cycles)),
        )
    )


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_are_the_returns_of_the_seats(spec: str) -> None:
    table, seen = env(spec), set()
    for seed in range(15):
        rewards = play(table, seed)
        assert tuple(rewards.values()) == pytest.approx(table._current().returns())
        assert table.agents == []
        seen.add(tuple(rewards.values()))
    assert len(seen) > 1
    with pytest.raises(ResetNeeded, match="the match is over: call reset"):
        table.step(0)


def test_a_seed_is_that_of_the_deal() -> None:
    table = env("dominoes")
    table.reset(seed=9)
    assert bytes(table._current()) == bytes(table.game.deal(9))  # type: ignore[call-overload]
    table.reset(seed=np.int64(9))  # type: ignore[arg-type]
    assert bytes(table._current()) == bytes(table.game.deal(9))  # type: ignore[call-overload]
    for wrong in (-1, 2**64):
        with pytest.raises(ludoteca.InvalidOption, match=f"seed={wrong} is none of a deal"):
            table.reset(seed=wrong)
    table.reset()
    after = bytes(table._current())  # type: ignore[call-overload]
    table.reset(seed=9)
    table.reset()
    assert bytes(table._current()) == after  # type: ignore[call-overload]


@pytest.mark.parametrize("spec", ["dominoes", "kittens"])
@pytest.mark.parametrize("kind", [env, parallel_env])
def test_an_observation_holds_no_secret_of_the_other_seat(spec: str, kind: Any) -> None:
    table = env(spec)
    compared = 0
    for seed in range(10):
        play(table, seed, actions=seed)
        for seat, agent in enumerate(table.possible_agents):
            for world in other_worlds(table._current(), seat):
                one, two = kind(spec), kind(spec)
                one._state, two._state = table._state, world
                assert_same(observed(one, agent), observed(two, agent))
                compared += 1
    assert compared > 50


def observed(table: TurnsEnv | StepsEnv, agent: str) -> dict[str, Any]:
    return table.observe(agent) if isinstance(table, TurnsEnv) else table._look(table._current())[0][agent]


def assert_same(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert one.keys() == two.keys() == {"observation", "action_mask"}
    assert all(np.array_equal(one[key], two[key]) for key in one)


def test_an_agent_that_is_not_on_turn_has_no_legal_action() -> None:
    table = env("hex:size=3")
    table.reset(seed=1)
    assert table.observe("player_0")["action_mask"].all()
    assert not table.observe("player_1")["action_mask"].any()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    table = env("hex:size=3")
    with pytest.raises(ResetNeeded, match="call reset"):
        table.step(0)
    table.reset(seed=1)
    table.step(np.int32(4))
    before = table.observe("player_1")
    for wrong, kind in ((4, ludoteca.IllegalAction), (99, ludoteca.IllegalAction), (None, ludoteca.InvalidAction)):
        with pytest.raises(kind):
            table.step(wrong)
    with pytest.raises(TypeError):
        table.step(0.5)  # type: ignore[arg-type]
    assert table.agent_selection == "player_1"
    assert_same(table.observe("player_1"), before)


def test_their_wrapper_makes_an_illegal_action_a_loss() -> None:
    table = TerminateIllegalWrapper(env("hex:size=3"), illegal_reward=-1)
    table.reset(seed=1)
    for _ in range(2):
        table.last()
        table.step(4)
    found = {}
    for agent in table.agent_iter():
        _, found[agent], over, _, _ = table.last()
        assert over
        table.step(None)
    assert found == {"player_0": 0, "player_1": -1}


def test_a_pickled_match_goes_on_as_it_would_have() -> None:
    table = env("kittens")
    play(table, 1, actions=5)
    copy = pickle.loads(pickle.dumps(table))
    for _ in range(5):
        action = int(table.last()[0]["action_mask"].argmax())
        table.step(action)
        copy.step(action)
        assert table.agent_selection == copy.agent_selection
        assert_same(table.last()[0], copy.last()[0])


def test_in_the_parallel_form_one_agent_acts_and_the_other_waits() -> None:
    table = parallel_env("hex:size=3")
    observations, infos = table.reset(seed=1)
    assert infos == {"player_0": {"waiting": False}, "player_1": {"waiting": True}}
    assert np.flatnonzero(observations["player_1"]["action_mask"]).tolist() == [0]
    with pytest.raises(ludoteca.InvalidAction, match="player_0 is on turn"):
        table.step({"player_1": 3})
    observations, *_ = table.step({"player_0": 4, "player_1": 777})
    assert observations["player_1"]["action_mask"].sum() == 8
    state = table._current()
    while state.turn is not None:
        _, rewards, over, cut, _ = table.step(dict.fromkeys(table.agents, state.legal()[0]))
    assert rewards == dict(zip(table.possible_agents, state.returns(), strict=True))
    assert all(over.values()) and not any(cut.values()) and table.agents == []
    with pytest.raises(ResetNeeded, match="the match is over"):
        table.step({})


def test_a_match_without_a_single_cycle_is_refused() -> None:
    with pytest.raises(ludoteca.InvalidOption, match="max_cycles=0 is no match: at least 1, or None"):
        env("hex", max_cycles=0)
