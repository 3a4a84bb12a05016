"""`check_game`: checks that a game keeps the promises of the protocols. For the tests of any game.

>>> import ludoteca
>>> from ludoteca.testing import check_game
>>> check_game(ludoteca.game("hex:size=4"), matches=2)
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from ludoteca.catalogues import languages
from ludoteca.errors import IllegalAction, InvalidAction
from ludoteca.games.details import details_of
from ludoteca.protocols import Action, Drawable, Game, Seat, State

Make = Callable[[str], Game]
TRIED = 12
"""Actions in a position of which the public names are compared."""
DEALS = 300
"""Deals that are compared with sampled worlds."""
MOST_ERRORS = 7.0
"""Standard errors by which sampled worlds may differ from deals; there may be thousands of numbers to compare."""


def check_game(
    game: Game, *, matches: int = 10, seed: int = 0, max_actions: int = 10_000, all_known: bool = False
) -> None:
    """Plays random matches and checks each promise of the protocols at every step.

    Where something is hidden: sampled worlds differ from the true one, as often as deals do, and in all of them the
    seat sees, reads and may do the same. all_known: these options leave nothing to be hidden, as when all cards are
    dealt and each seat can name the other's. Raises AssertionError with the game, the seed and the actions of the match
    that broke a promise.
    """
    check_names(game)
    varied = False
    for number in range(seed, seed + matches):
        played: list[Action] = []
        try:
            varied |= check_match(game, number, played, max_actions)
        except AssertionError as error:
            names = " ".join(game.action_name(action) for action in played)
            raise AssertionError(f"{game.spec}, seed {number}, after [{names}]: {error}") from error
    hidden = details_of(game).hidden_information
    assert varied or not hidden or all_known, (
        f"{game.spec}: every sampled world is the true one. Either the view holds what is hidden, or nothing is "
        "hidden: then the game should say hidden_information = False"
    )
    assert hidden or not varied, f"{game.spec}: sampled worlds differ although the game says hidden_information = False"
    if hidden:
        check_samples(game, seed)


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


def check_match(game: Game, seed: int, played: list[Action], max_actions: int) -> bool:
    """One random match dealt from `seed`; its actions are appended to `played`.

    Returns whether a sampled world differed from the true one in what the other seat sees.
    """
    chance, varied = random.Random(seed), False
    state, twin = game.deal(seed), game.deal(seed)
    while state.turn is not None:
        assert len(played) < max_actions, f"not over after {max_actions} actions"
        varied |= check_state(game, state, chance)
        check_refusals(game, state)
        check_public_names(game, state)
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
    return varied


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


def check_state(game: Game, state: State, chance: random.Random) -> bool:
    """The promises about one position. Returns whether a sampled world differed in what the other seat sees."""
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
    varied = [check_view(game, state, seat, chance) for seat in (0, 1)]
    return any(varied)


def check_view(game: Game, state: State, seat: Seat, chance: random.Random) -> bool:
    """The promises about one seat's view: it fits the state and reveals nothing hidden.

    Returns whether a sampled world differed in what the other seat sees.
    """
    view = state.view(seat)
    assert (view.seat, view.turn) == (seat, state.turn), "the view has another seat or turn"
    assert view.legal() == (state.legal() if state.turn == seat else []), "the view has other legal actions"
    tensor = view.tensor()
    assert tensor.shape == game.tensor_shape and tensor.dtype == np.float32, f"tensor {tensor.shape}"
    assert np.isfinite(tensor).all(), "the tensor has infinities or NaN"
    language = chance.choice(languages())  # over a match all of them are tried
    board = game.text(view, language=language)
    assert board, f"the text board is empty in the language {language!r}"
    if isinstance(game, Drawable):
        assert game.svg(view).startswith("<svg"), "the picture is no SVG"
    varied, others = False, state.view(1 - seat)
    for number in range(3):
        world = view.sample(chance.getrandbits(63))
        seen = world.view(seat)
        assert seen == view and bytes(seen) == bytes(view), f"seat {seat} sees something else in a sampled world"
        assert seen.legal() == view.legal(), "the legal actions depend on what is hidden"
        assert np.array_equal(seen.tensor(), tensor), "the tensor depends on what is hidden"
        if world.view(1 - seat) != others and not number:  # once is enough: texts and pictures take time
            varied = True
            assert game.text(seen, language=language) == board, "the text board depends on what is hidden"
            assert not isinstance(game, Drawable) or game.svg(seen) == game.svg(view), (
                "the picture shows what is hidden"
            )
        if world.turn is not None:
            world.apply(chance.choice(world.legal()))  # a sampled world can be played
    return varied


def check_public_names(game: Game, state: State) -> None:
    """Two actions that look alike to the other seat have one public name."""
    assert state.turn is not None
    names: dict[bytes, str] = {}
    details, view = details_of(game), state.view(state.turn)
    for action in state.legal()[:TRIED]:
        if details.may_waste_actions and details.is_wasted(view, action):
            continue  # it does something else than its name says
        after = state.copy()
        after.apply(action)
        name = game.public_name(action)
        known = names.setdefault(bytes(after.view(1 - state.turn)), name)
        assert name == known, f"the other seat cannot tell {known!r} from {name!r}, but their public names do"


def check_samples(game: Game, seed: int) -> None:
    """Sampled worlds are as likely as the deals make them: on average the other seat sees the same in both.

    Compares each number of the other seat's tensor over many deals. A sampler with the right probabilities fails with
    a probability of less than one in a million.
    """
    chance = random.Random(seed)  # a sampler may use the same generator as the deal: no seed may be that of a deal
    for seat in (0, 1):
        apart = []
        for number in range(seed, seed + DEALS):
            state = game.deal(number)
            world = state.view(seat).sample(chance.getrandbits(63))
            apart.append(world.view(1 - seat).tensor().ravel() - state.view(1 - seat).tensor().ravel())
        difference = np.array(apart, dtype=np.float64)
        error = difference.std(axis=0) / np.sqrt(DEALS)
        surprise = np.abs(difference.mean(axis=0)) / np.where(error > 0, error, 1.0)
        worst = int(surprise.argmax())
        assert surprise[worst] < MOST_ERRORS, (
            f"{game.spec}: sampled worlds are not as likely as deals: number {worst} of the tensor of seat {1 - seat} "
            f"is {difference[:, worst].mean():+.3g} larger in them on average ({surprise[worst]:.1f} standard errors)"
        )


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
