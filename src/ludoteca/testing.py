"""`check_game`: checks that a game keeps the promises of the protocols. For the tests of any game.

>>> import ludoteca
>>> from ludoteca.testing import check_game
>>> check_game(ludoteca.game("hex:size=4"), matches=2)
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ludoteca.errors import IllegalAction, InvalidAction
from ludoteca.games.details import details_of
from ludoteca.protocols import Action, Drawable, Game, Seat, State

Make = Callable[[str], Game]


def check_game(game: Game, *, matches: int = 10, seed: int = 0, max_actions: int = 10_000) -> None:
    """Plays random matches and checks each promise of the protocols at every step.

    Raises AssertionError with the game, the seed and the actions of the match that broke a promise.
    """
    check_names(game)
    for number in range(seed, seed + matches):
        played: list[Action] = []
        try:
            check_match(game, number, played, max_actions)
        except AssertionError as error:
            names = " ".join(game.action_name(action) for action in played)
            raise AssertionError(f"{game.spec}, seed {number}, after [{names}]: {error}") from error


def random_actions(game: Game, seed: int) -> list[Action]:
    """The actions of one random match dealt from `seed`; the same ones every time."""
    state, chance = game.deal(seed), random.Random(seed)
    played = []
    while state.turn is not None:
        played.append(chance.choice(state.legal()))
        state.apply(played[-1])
    return played


def check_names(game: Game) -> None:
    """Every action has its own name, and `parse_action` reads it back."""
    assert game.seats == 2, f"{game.spec}: {game.seats} seats"
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == len(names), f"{game.spec}: two actions share a name"
    for action, name in enumerate(names):
        for text in (name, name.upper(), f" {name} "):
            assert game.parse_action(text) == action, f"{game.spec}: {text!r} is not action {action}"
    for text in ("", "no such action", "\u2603"):
        try:
            found = game.parse_action(text)
        except InvalidAction:
            continue
        raise AssertionError(f"{game.spec}: {text!r} was read as action {found}")


def check_match(game: Game, seed: int, played: list[Action], max_actions: int) -> None:
    """One random match dealt from `seed`; its actions are appended to `played`."""
    chance = random.Random(seed)
    state, twin = game.deal(seed), game.deal(seed)
    while state.turn is not None:
        assert len(played) < max_actions, f"not over after {max_actions} actions"
        check_state(game, state, chance)
        check_refusals(game, state)
        check_equal(state, twin)
        action = chance.choice(state.legal())
        before = bytes(state.view(0))
        branch = state.copy()
        branch.apply(action)
        assert bytes(state.view(0)) == before, "applying to a copy changed the original"
        state.apply(action)
        twin.apply(action)
        check_equal(state, branch)
        played.append(action)
    check_state(game, state, chance)
    check_equal(state, twin)


def check_equal(state: State, twin: State) -> None:
    """Two states that must be equal look the same from both seats."""
    assert state.turn == twin.turn, "the same deal and actions gave another turn"
    assert state.legal() == twin.legal(), "the same deal and actions gave other legal actions"
    assert state.returns() == twin.returns(), "the same deal and actions gave other returns"
    for seat in (0, 1):
        view, other = state.view(seat), twin.view(seat)
        assert view == other, "the same deal and actions gave another view"
        assert hash(view) == hash(other), "equal views have different hashes"
        assert bytes(view) == bytes(other), "equal views have different bytes"


def check_state(game: Game, state: State, chance: random.Random) -> None:
    """The promises about one position."""
    legal = state.legal()
    assert legal == sorted(set(legal)), f"legal actions are not ascending: {legal}"
    assert all(0 <= action < game.num_actions for action in legal), f"legal actions out of range: {legal}"
    assert (state.turn is None) == (not legal), "legal actions must be empty exactly when the match is over"
    returns = state.returns()
    assert len(returns) == 2 and all(-1 <= value <= 1 for value in returns), f"returns {returns}"
    if details_of(game).stake is None:
        assert set(returns) <= {-1, 0, 1}, (
            f"returns {returns} are more than win, draw and loss: the game must say its stake"
        )
    if state.turn is not None:
        assert returns == (0, 0), f"returns {returns} before the end"
    for seat in (0, 1):
        check_view(game, state, seat, chance)


def check_view(game: Game, state: State, seat: Seat, chance: random.Random) -> None:
    """The promises about one seat's view: it fits the state and reveals nothing hidden."""
    view = state.view(seat)
    assert (view.seat, view.turn) == (seat, state.turn), "the view has another seat or turn"
    assert view.legal() == (state.legal() if state.turn == seat else []), "the view has other legal actions"
    tensor = view.tensor()
    assert tensor.shape == game.tensor_shape and tensor.dtype == np.float32, f"tensor {tensor.shape}"
    assert np.isfinite(tensor).all(), "the tensor has infinities or NaN"
    assert game.text(view), "the text board is empty"
    assert game.text(view, language="es"), "the Spanish text board is empty"
    if isinstance(game, Drawable):
        assert game.svg(view).startswith("<svg"), "the picture is no SVG"
    for _ in range(3):
        world = view.sample(chance.getrandbits(63))
        assert world.view(seat) == view, f"seat {seat} sees something else in a sampled world"
        assert world.legal() == state.legal() or state.turn != seat, "a sampled world has other legal actions"
        assert np.array_equal(world.view(seat).tensor(), tensor), "the tensor depends on what is hidden"
        if world.turn is not None:
            world.apply(chance.choice(world.legal()))  # a sampled world can be played


def check_refusals(game: Game, state: State) -> None:
    """Illegal actions raise and change nothing."""
    seen = [bytes(state.view(seat)) for seat in (0, 1)]
    legal = set(state.legal())
    illegal = [action for action in range(game.num_actions) if action not in legal]
    for action in (-1, game.num_actions, *illegal[:5], *illegal[-5:]):
        try:
            state.apply(action)
        except IllegalAction:
            assert [bytes(state.view(seat)) for seat in (0, 1)] == seen, "a refused action changed the state"
        else:
            raise AssertionError(f"action {action} was played although it is not legal")
