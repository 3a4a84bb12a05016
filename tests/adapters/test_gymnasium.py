from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import ludoteca
from ludoteca.adapters.env_spaces import env_id
from ludoteca.adapters.gymnasium import SeatEnv, register_games
from ludoteca.errors import LudotecaError
from tests.adapters.games import SPECS, installed_nim, other_worlds


def play(env: SeatEnv, seed: int, actions: int = 10_000) -> tuple[list[Any], float]:
    """All observations of a match with random legal actions, and the sum of its rewards."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen, total = [observation], 0.0
    for _ in range(actions):
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, cut, info = env.step(action)
        assert not cut
        seen.append(observation)
        total += reward
        if over:
            break
    return seen, total


@pytest.mark.parametrize("name", ["hex", "horses", "dominoes", "kittens"])
def test_it_passes_gymnasiums_own_check(name: str) -> None:
    """Warnings are errors in these tests; the check plays actions that need not be legal."""
    env = gymnasium.make(env_id(name))
    assert env.spec is not None and env.spec.id == f"ludoteca/{name.title()}-v0"
    check_env(env.unwrapped)


@pytest.mark.parametrize("make", [gymnasium.make, partial(gymnasium.make_vec, num_envs=2)])
def test_an_id_is_of_one_game_only(make: Callable[..., Any]) -> None:
    """A learner that asks for Hex and is given Kittens would learn the wrong game without a word."""
    wrong = (
        r"game='kittens:deck=v1' is not hex, which ludoteca/Hex-v0 is: "
        r"give a variant of it such as 'hex:OPTION=VALUE', or make ludoteca/Kittens-v0"
    )
    with pytest.raises(ludoteca.InvalidOption, match=wrong):
        make("ludoteca/Hex-v0", game="kittens:deck=v1")
    with pytest.raises(ludoteca.InvalidGame, match="chess"):
        make("ludoteca/Hex-v0", game="chess")
    assert make("ludoteca/Hex-v0", game="hex:size=4").unwrapped.game == ludoteca.game("hex:size=4")


def test_a_strangers_game_is_registered_too() -> None:
    with installed_nim():
        register_games()
        try:
            check_env(gymnasium.make("ludoteca/Nim-v0", game="nim:heaps=2-3").unwrapped, skip_render_check=True)
            with pytest.raises(
                ludoteca.InvalidOption, match="nim draws no pictures: render it with render_mode='ansi'"
            ):
                SeatEnv("nim", render_mode="svg")
        finally:
            del gymnasium.registry["ludoteca/Nim-v0"]


@pytest.mark.parametrize("spec", SPECS)
def test_the_reward_is_the_return_of_the_own_seat_at_the_end(spec: str) -> None:
    env = SeatEnv(spec)
    seats, totals = set(), set()
    for seed in range(20):
        observations, total = play(env, seed)
        state = env._state
        assert state is not None and state.turn is None
        assert total == pytest.approx(state.returns()[env.seat])
        assert all(observation in env.observation_space for observation in observations)
        assert not env.action_masks().any()
        seats.add(env.seat)
        totals.add(total)
    assert seats == {0, 1}, "a seat that is not said is drawn"
    assert len(totals) > 1


@pytest.mark.parametrize("spec", SPECS)
def test_a_seed_decides_everything(spec: str) -> None:
    one, two = (play(SeatEnv(spec), 5)[0] for _ in range(2))
    assert len(one) == len(two)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("spec", ["dominoes", "kittens"])
@pytest.mark.parametrize("seat", [0, 1])
def test_an_observation_holds_no_secret_of_the_other_seat(spec: str, seat: int) -> None:
    env = SeatEnv(spec, seat=seat)
    compared = 0
    for seed in range(30):
        play(env, seed, actions=seed % 6)
        assert env._state is not None
        seen, legal = env._observation(env._state), env._mask(env._state)
        for world in other_worlds(env._state, seat):
            env._state = world
            assert np.array_equal(env._observation(world), seen)
            assert np.array_equal(env._mask(world), legal)
            compared += 1
    assert compared > 20


def test_any_agent_is_an_opponent() -> None:
    """A perfect player of a small board beats chance from either seat that can win, which random play does not."""
    lost = [play(SeatEnv("hex:size=3", "mcts:simulations=300", seat=1), seed)[1] for seed in range(10)]
    assert np.mean(lost) < -0.7


def test_an_opponent_may_be_a_class_and_is_made_anew_for_each_match() -> None:
    made: list[tuple[int, int]] = []

    class Last:
        def __init__(self, game: ludoteca.Game, seat: int, seed: int) -> None:
            made.append((seat, seed))

        def act(self, view: ludoteca.View, limit: ludoteca.Limit) -> int:
            assert limit.nodes == 7
            return view.legal()[-1]

    env = SeatEnv("hex:size=3", Last, seat=1, limit="7n")
    env.reset(seed=1)
    assert not env.action_masks()[-1], "seat 0 begins"
    env.reset()
    assert [seat for seat, _ in made] == [0, 0]
    assert made[0] != made[1]


def test_an_illegal_action_of_the_opponent_is_called_the_opponents() -> None:
    """A learner must not take it for its own fault, nor count it as a win."""

    class Stubborn(Drawer):
        def act(self, view: ludoteca.View, limit: ludoteca.Limit) -> int:
            return 4

    env = SeatEnv("hex:size=3", Stubborn, seat=0)
    env.reset(seed=1)
    with pytest.raises(ludoteca.IllegalAction) as raised:
        env.step(4)
    assert raised.value.__notes__ == ["It was the opponent's action, in seat 1."]


def test_an_illegal_action_loses_or_is_refused() -> None:
    env = SeatEnv("hex:size=3", seat=0)
    env.reset(seed=1)
    env.step(4)
    observation, reward, over, _, info = env.step(np.int64(4))
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert not info["action_mask"].any()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    strict = SeatEnv("hex:size=3", seat=0, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(ludoteca.IllegalAction):
        strict.step(999)
    assert np.array_equal(strict.step(4)[0][0], observation[0])
    with pytest.raises(TypeError):
        strict.step(1.5)  # type: ignore[arg-type]


def test_before_the_first_reset_there_is_no_match() -> None:
    asked: list[Callable[[SeatEnv], object]] = [lambda env: env.step(0), SeatEnv.action_masks, SeatEnv.render]
    for ask in asked:
        with pytest.raises(ResetNeeded, match="call reset"):
            ask(SeatEnv(render_mode="ansi"))


def test_a_seat_that_never_has_a_turn_is_an_error_and_not_a_loop() -> None:
    with pytest.raises(LudotecaError, match="in 1000 matches of kittens:max_turns=1 seat 1 never had a turn"):
        SeatEnv("kittens:max_turns=1", Drawer, seat=1).reset(seed=1)


class Drawer:
    """Ends its turn."""

    def __init__(self, game: ludoteca.Game, seat: int, seed: int) -> None:
        pass

    def act(self, view: ludoteca.View, limit: ludoteca.Limit) -> int:
        return 0 if 0 in view.legal() else view.legal()[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"opponent": "nobody"}, "no agent is called 'nobody'"),
        ({"seat": 2}, "seat=2 does not exist in hex; it is 0 to 1, or None"),
        ({"illegal": "pass"}, "illegal"),
        ({"limit": "60s/match"}, "limit=60s/match must be per action here"),
        ({"render_mode": "rgb_array"}, "render_mode='rgb_array' does not exist; it is one of ansi, svg"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(LudotecaError, match=message):
        SeatEnv(**options)


def test_it_renders_what_the_own_seat_sees() -> None:
    env = SeatEnv("dominoes", seat=1, render_mode="ansi")
    env.reset(seed=3)
    state = env._state
    assert state is not None
    assert env.render() == env.game.text(state.view(1)) != env.game.text(state.view(0))
    drawn = SeatEnv("dominoes", seat=1, render_mode="svg")
    drawn.reset(seed=3)
    assert str(drawn.render()).startswith("<svg")


def test_without_the_extra_the_message_names_it() -> None:
    program = """
import importlib, sys
for package in ("gymnasium", "pettingzoo"):
    sys.modules[package] = None
    try:
        importlib.import_module(f"ludoteca.adapters.{package}")
    except ImportError as error:
        print(error)
    del sys.modules[package]
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for found, package in zip(run.stdout.splitlines(), ("gymnasium", "pettingzoo"), strict=True):
        assert found.endswith(f"needs {package}, which is not installed: pip install 'ludoteca[gym]'")
