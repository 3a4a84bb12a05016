from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import ludoteca
from ludoteca.adapters.env_spaces import env_id
from ludoteca.adapters.gymnasium_vector import BatchEnv
from tests.adapters.games import SPECS, installed_nim

ROWS = 6
Opponent = str | Callable[[Any, Any], Any]


def last_legal(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> Any:
    """A policy without chance."""
    assert len(observations) == len(masks) and masks.any(axis=1).all()
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def states_of(env: BatchEnv) -> list[ludoteca.State]:
    assert env._batch is not None
    return [env._batch[row] for row in range(env.num_envs)]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("opponent", ["self", "random", last_legal])
def test_each_row_is_a_match_of_its_own(spec: str, opponent: Opponent) -> None:
    """Compared at every step with single states; of a row that waits nothing is seen."""
    env = BatchEnv(ROWS, spec, opponent)
    chance, ended = np.random.default_rng(1), 0
    observations, infos = env.reset(seed=1)
    for _ in range(100):
        states = states_of(env)
        for row, state in enumerate(states):
            waits = opponent != "self" and state.turn != row % 2
            seat = infos["seat"][row]
            assert seat == (state.turn if opponent == "self" else row % 2)
            if waits:
                assert infos["waiting"][row] and not observations[row].any()
                assert np.flatnonzero(infos["action_mask"][row]).tolist() == [0]
            else:
                assert np.array_equal(observations[row], state.view(seat).tensor())
                assert np.flatnonzero(infos["action_mask"][row]).tolist() == state.legal()
        assert np.array_equal(infos["action_mask"], env.action_masks())
        assert observations in env.observation_space
        actions = np.array([chance.choice(np.flatnonzero(each)) for each in infos["action_mask"]])
        movers = infos["seat"]
        observations, rewards, done, cut, infos = env.step(actions)
        assert not cut.any()
        for row, state in enumerate(states):
            waits = opponent != "self" and state.turn != row % 2
            if waits and opponent == "random":
                continue
            assert state.turn is not None
            theirs = last_legal(np.zeros((1, 1), np.float32), mask_of(state)) if waits else [actions[row]]
            state.apply(int(theirs[0]))
            assert done[row] == (state.turn is None)
            assert rewards[row] == pytest.approx(state.returns()[movers[row]])
            assert infos["returns"][row] == pytest.approx(state.returns())
        assert not rewards[~done].any()
        ended += int(done.sum())
    assert ended >= ROWS, "matches end and begin again"


def mask_of(state: ludoteca.State) -> NDArray[np.int8]:
    mask = np.zeros((1, state.game.num_actions), np.int8)
    mask[0, state.legal()] = 1
    return mask


def test_what_is_played_in_a_row_that_waits_is_ignored() -> None:
    one, two = (BatchEnv(ROWS, "kittens", last_legal) for _ in range(2))
    _, infos = one.reset(seed=2)
    two.reset(seed=2)
    waited = 0
    for _ in range(60):
        actions = infos["action_mask"].argmax(axis=1)
        nonsense = np.where(infos["waiting"], 12345, actions)
        waited += int(infos["waiting"].sum())
        seen, *_, infos = one.step(actions)
        assert np.array_equal(seen, two.step(nonsense)[0])
    assert waited > 20


@pytest.mark.parametrize("name", ["hex", "horses", "dominoes", "kittens"])
def test_a_seed_decides_everything(name: str) -> None:
    one, two = (gymnasium.make_vec(env_id(name), num_envs=ROWS) for _ in range(2))
    assert isinstance(one.unwrapped, BatchEnv)
    assert one.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    (seen, infos), (again, _) = one.reset(seed=3), two.reset(seed=3)
    for _ in range(30):
        assert np.array_equal(seen, again)
        actions = infos["action_mask"].argmax(axis=1)
        (seen, *_, infos), (again, *_) = one.step(actions), two.step(actions)


@pytest.mark.parametrize("wrong", [np.full(ROWS, 99), np.full(ROWS, 2**32), np.full(ROWS, -1)])
def test_an_illegal_action_is_refused_and_changes_nothing(wrong: NDArray[np.int64]) -> None:
    env = BatchEnv(ROWS, "hex:size=4", "self")
    before, _ = env.reset(seed=1)
    with pytest.raises(ludoteca.IllegalAction):
        env.step(wrong)
    assert np.array_equal(env._look(env._current())[0], before)


def test_actions_must_be_whole_numbers_one_for_each_row() -> None:
    env = BatchEnv(ROWS, "hex:size=4")
    env.reset(seed=1)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(np.zeros(ROWS))
    with pytest.raises(ValueError, match="5 actions for a batch of 6"):
        env.step(np.zeros(ROWS - 1, np.int64))


def test_before_the_first_reset_there_are_no_matches() -> None:
    with pytest.raises(ResetNeeded, match="call reset"):
        BatchEnv(ROWS).step(np.zeros(ROWS, np.int32))


def test_an_agent_by_name_plays_in_a_loop_instead() -> None:
    with pytest.raises(ludoteca.InvalidOption, match=r"'v1' has no batched form.*vectorization_mode='sync'"):
        gymnasium.make_vec("ludoteca/Kittens-v0", num_envs=2, opponent="v1")
    envs = gymnasium.make_vec("ludoteca/Kittens-v0", num_envs=2, opponent="v1", vectorization_mode="sync")
    assert isinstance(envs, SyncVectorEnv)
    _, infos = envs.reset(seed=1)
    for _ in range(20):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert infos["action_mask"].shape == (2, 9)


def test_a_seat_must_fit() -> None:
    assert set(BatchEnv(ROWS, seat=1).reset(seed=1)[1]["seat"]) == {1}
    wrong: list[dict[str, Any]] = [{"seat": 2}, {"seat": 0, "opponent": "self"}]
    for options in wrong:
        with pytest.raises(ludoteca.InvalidOption, match="does not fit"):
            BatchEnv(ROWS, **options)


def test_a_strangers_game_in_pure_python_has_it_too() -> None:
    with installed_nim():
        env = BatchEnv(ROWS, "nim:heaps=1-2")
        _, infos = env.reset(seed=1)
        ended = 0
        for _ in range(40):
            _, rewards, done, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            assert np.array_equal(np.abs(rewards) == 1, done)
            ended += int(done.sum())
        assert ended > ROWS


def test_it_renders_every_row() -> None:
    env = BatchEnv(2, "hex:size=2", "self", render_mode="ansi")
    env.reset(seed=1)
    env.step(np.array([0, 3]))
    shown = env.render()
    assert shown is not None and len(shown) == 2 and shown[0] != shown[1]
