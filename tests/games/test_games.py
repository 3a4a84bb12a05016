"""What holds for all the games of the core alike."""

from __future__ import annotations

import copy
import hashlib
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core, games
from ludoteca.testing import check_game, random_actions

ALL = ["dominoes", "hex", "horses", "kittens"]


def test_all_games_are_installed() -> None:
    assert games.names() == ALL


@pytest.mark.parametrize("name", ALL)
def test_the_defaults_keep_the_promises(name: str) -> None:
    check_game(ludoteca.game(name), matches=1)


@pytest.mark.parametrize("name", ALL)
def test_games_are_values(name: str) -> None:
    game = ludoteca.game(name)
    assert game == ludoteca.game(name)
    assert hash(game) == hash(ludoteca.game(name))
    assert game.spec == name
    assert repr(game) == f"ludoteca.game('{name}')"
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("name", ALL)
def test_states_and_views_are_pickled_and_copied(name: str) -> None:
    game = ludoteca.game(name)
    state = game.deal(5)
    for action in random_actions(game, 5)[:7]:
        state.apply(action)
    for twin in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert [twin.view(seat) for seat in (0, 1)] == [state.view(seat) for seat in (0, 1)]
        while twin.turn is not None:  # future chance is the same too
            action = twin.legal()[-1]
            twin.apply(action)
    view = state.view(0)
    assert pickle.loads(pickle.dumps(view)) == view
    assert view != object()


@pytest.mark.parametrize("name", ALL)
def test_bytes_of_another_length_are_refused(name: str) -> None:
    game = ludoteca.game(name)
    data = bytes(game.deal(0).view(0))
    assert game.view_from(data) == game.deal(0).view(0)  # type: ignore[attr-defined]
    for wrong in (b"", data[:-1], data + b"\0"):
        with pytest.raises(ValueError, match=f"has {len(data)} bytes, not {len(wrong)}"):
            game.view_from(wrong)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ALL)
def test_seats_are_0_and_1(name: str) -> None:
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"seat {seat} does not exist"):
            ludoteca.game(name).deal(0).view(seat)


@pytest.mark.parametrize("name", ALL)
def test_views_of_another_game_are_not_drawn(name: str) -> None:
    other = ludoteca.game("hex" if name != "hex" else "horses")
    with pytest.raises(TypeError, match="this game shows a"):
        ludoteca.game(name).text(other.deal(0).view(0))


@pytest.mark.parametrize("name", ALL)
def test_actions_out_of_range_have_no_name(name: str) -> None:
    game = ludoteca.game(name)
    for action in (-1, game.num_actions):
        with pytest.raises(ludoteca.InvalidAction, match=f"action {action} does not exist in {name}"):
            game.action_name(action)


@pytest.mark.parametrize("name", ALL)
def test_a_batch_plays_the_same_matches_as_single_states(name: str) -> None:
    game = ludoteca.game(name)
    batch = ludoteca.batch(game, 5, seed=9)
    states = [game.deal(int(seed)) for seed in batch.seeds]
    finished = 0
    for _ in range(300):
        assert batch.turns.tolist() == [state.turn for state in states]
        mask = batch.legal()
        assert [np.flatnonzero(row).tolist() for row in mask] == [state.legal() for state in states]
        tensors = [state.view(state.turn or 0).tensor() for state in states]
        assert np.array_equal(batch.tensor(), np.stack(tensors))
        actions = batch.random_actions()
        returns, done = batch.step(actions)
        seeds = batch.seeds
        for index, state in enumerate(states):
            state.apply(int(actions[index]))
            assert done[index] == (state.turn is None)
            assert returns[index].tolist() == pytest.approx(state.returns())
            if done[index]:
                finished += 1
                states[index] = game.deal(int(seeds[index]))
            assert batch[index].view(0) == states[index].view(0)
    assert finished > 4


@pytest.mark.parametrize("name", ALL)
def test_a_batch_is_pickled_with_the_deals_and_the_chance_to_come(name: str) -> None:
    game = ludoteca.game(name)
    batch = ludoteca.batch(game, 4, seed=3)
    for _ in range(20):
        batch.step(batch.random_actions())
    twin = pickle.loads(pickle.dumps(batch))
    assert twin.game == game
    for _ in range(200):  # far beyond the matches that are under way
        actions = batch.random_actions()
        assert (twin.random_actions() == actions).all()
        for mine, its in zip(batch.step(actions), twin.step(actions), strict=True):
            assert np.array_equal(mine, its)
    assert twin.seeds.tolist() == batch.seeds.tolist()
    data = bytes(batch)  # type: ignore[call-overload]
    for wrong in (b"", data[:16], data[:-1]):
        with pytest.raises(ValueError, match="not the bytes of a batch"):
            game.batch_from(wrong)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ALL)
def test_a_batch_refuses_an_illegal_action_and_changes_nothing(name: str) -> None:
    game = ludoteca.game(name)
    batch = ludoteca.batch(game, 3, seed=2)
    actions = batch.random_actions()
    batch.step(actions)
    actions = batch.random_actions()
    illegal = next(action for action in range(game.num_actions) if not batch.legal()[1][action])
    wrong = actions.copy()
    wrong[1] = illegal
    before = [batch[index].view(0) for index in range(3)]
    with pytest.raises(ludoteca.IllegalAction, match="is not legal"):
        batch.step(wrong)
    assert [batch[index].view(0) for index in range(3)] == before
    with pytest.raises(ValueError, match="2 actions for a batch of 3 states"):
        batch.step(actions[:2])
    batch.step(actions)
    for count in (0, -1):
        with pytest.raises(ValueError, match=f"a batch of {count} states"):
            ludoteca.batch(game, count)


@pytest.mark.parametrize("name", ALL)
def test_random_batches_are_uniform_over_legal_actions(name: str) -> None:
    game = ludoteca.game(name)
    batch = ludoteca.batch(game, 1, seed=4)
    legal = np.flatnonzero(batch.legal()[0])
    counts = np.bincount([int(batch.random_actions()[0]) for _ in range(200 * len(legal))], minlength=game.num_actions)
    assert counts.sum() == counts[legal].sum()
    assert (abs(counts[legal] - 200) < 6 * 200**0.5).all()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("action", [2**31, 2**40, 2**63, 2**200, -1, -(2**31), -(2**31) - 1, -(2**200)])
def test_an_action_of_any_size_that_does_not_exist_is_illegal(name: str, action: int) -> None:
    state = ludoteca.game(name).deal(1)
    before = bytes(state)  # type: ignore[call-overload]
    assert not state.is_legal(action)  # type: ignore[attr-defined]
    with pytest.raises(ludoteca.IllegalAction, match=f"action {action} does not exist in {name}: actions are 0 to"):
        state.apply(action)
    assert bytes(state) == before  # type: ignore[call-overload]
    if -(2**63) <= action < 2**64:
        batch = ludoteca.batch(state.game, 2)
        actions: NDArray[Any] = batch.random_actions().astype(np.uint64 if action > 0 else np.int64)
        actions[1] = action
        with pytest.raises(ludoteca.IllegalAction, match=f"action {action} does not exist in {name}"):
            batch.step(actions)


@pytest.mark.parametrize("action", [1.0, 1.5, "a1", None, np.float32(2)])
def test_what_is_no_whole_number_is_no_action(action: object) -> None:
    state = ludoteca.game("hex").deal(0)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        state.apply(action)  # type: ignore[arg-type]


def test_a_batch_takes_whole_numbers_of_any_type_and_nothing_else() -> None:
    game = ludoteca.game("hex:size=4")
    actions = [3, 7, 11]
    expected = ludoteca.batch(game, 3, seed=1)
    expected.step(np.array(actions, np.int32))
    for kind in (np.int8, np.uint8, np.int64, np.uint64):
        batch = ludoteca.batch(game, 3, seed=1)
        batch.step(np.array(actions, kind))
        assert [batch[i].view(0) for i in range(3)] == [expected[i].view(0) for i in range(3)]
    batch = ludoteca.batch(game, 3, seed=1)
    batch.step(np.repeat(np.array(actions, np.int32), 2)[::2])  # not in one piece
    assert [batch[i].view(0) for i in range(3)] == [expected[i].view(0) for i in range(3)]
    for wrong in (np.array([1.0, 2.0, 3.0]), np.array(["a", "b", "c"]), np.array([[1, 2, 3]])):
        with pytest.raises(TypeError, match="an array of whole numbers, one for each state"):
            batch.step(wrong)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("stepwise", [False, True])
def test_the_mean_of_no_playouts_is_refused(name: str, stepwise: bool) -> None:
    state: Any = ludoteca.game(name).deal(1)
    for count in (0, -1, -(2**40)):
        with pytest.raises(ValueError, match=f"the mean of {count} playouts: at least 1 is needed"):
            state.playouts(count, 0, stepwise)
    first, second = state.playouts(1, 0, stepwise)
    assert abs(first) <= 1 and abs(second) <= 1


def test_perft_wants_no_negative_depth() -> None:
    state: Any = ludoteca.game("hex:size=3").deal(1)
    assert state.perft(0) == 1
    with pytest.raises(ValueError, match="sequences of -1 actions"):
        state.perft(-1)


def test_the_core_knows_the_digest_of_its_sources() -> None:
    """It covers the game's files and those that name no game. If this fails, build the core again."""
    root = Path(__file__).parents[2]
    sources = sorted(
        path.relative_to(root).as_posix() for pattern in ("*.hpp", "*.cpp") for path in (root / "core").rglob(pattern)
    )
    shared = {"zero": ("hex", "horses"), "mmd": ("dominoes", "kittens")}
    for game in ("dominoes", "hex", "horses", "kittens"):
        text = f"game {game}\n"
        for path in sources:
            named = re.match("core/(?:bind/)?(dominoes|hex|horses|kittens|zero|mmd)[/_.]", path)
            if not named or named[1] == game or game in shared.get(named[1], ()):
                text += f"{path} {hashlib.sha256((root / path).read_bytes()).hexdigest()}\n"
        assert _core.source_digest(game) == hashlib.sha256(text.encode()).hexdigest()
