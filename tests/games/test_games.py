"""What holds for all the games of the core alike."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import ludoteca
from ludoteca import _core, games
from ludoteca.testing import check_game, random_actions

ALL = ["dominoes", "hex", "horses", "kittens"]


def test_all_games_are_installed() -> None:
    assert games.names() == ALL


@pytest.mark.parametrize("name", ALL)
def test_the_defaults_keep_the_promises(name: str) -> None:
    check_game(ludoteca.game(name), matches=2)


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


def test_the_stub_names_what_the_core_has() -> None:
    """Each class of the core has what its stub says; mypy believes the stub, so somebody must check it."""
    import ast
    from pathlib import Path

    stub = Path(ludoteca.__file__).with_name("_core.pyi")
    top = ast.parse(stub.read_text()).body
    classes = {node.name: node for node in top if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in top if isinstance(node, ast.FunctionDef)}
    for name, node in classes.items():
        if name.startswith("_"):
            continue
        real = getattr(_core, name)
        parents = [
            base.value.id for base in node.bases if isinstance(base, ast.Subscript) and isinstance(base.value, ast.Name)
        ]
        for body in [node.body, *(classes[parent].body for parent in parents)]:
            for member in body:
                if isinstance(member, ast.FunctionDef):
                    assert hasattr(real, member.name), f"{name}.{member.name}"
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert public == functions | {name for name in classes if not name.startswith("_")}
