"""The sampler of Dominoes against all deals, replayed by a slow reference."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from ludoteca._core import DominoesView
from ludoteca.games.dominoes.game import Dominoes
from tests.games.dominoes.checks import (
    boneyard_of,
    dominoes,
    exact_worlds,
    first_deal,
    hand_of,
    play,
    sampled_worlds,
    surprise,
    traits,
)
from tests.games.dominoes.reference import Tile

VARIANTS, STARTS = ("draw", "block"), ("highest-double", "seat")


def interesting_views(
    game: Dominoes, *, matches: int, each: int, most_draws: int
) -> tuple[set[str], list[DominoesView]]:
    """Up to `each` views with each trait, from random matches, and the traits found."""
    found, views = Counter[str](), list[DominoesView]()
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            for seat in (0, 1):
                view = state.view(seat)
                new = {trait for trait in traits(game, view) if found[trait] < each}
                if new and len(view.stuck) <= most_draws:
                    found.update(new)
                    views.append(view)
            state.apply(chance.choice(state.legal()))
    return set(found), views


ALWAYS = {"nothing laid, own turn", "nothing laid, other's turn"}
TRAITS = {
    "draw": ALWAYS | {"0 runs", "1 runs", "2 runs", "a run in progress", "own draws too"},
    "block": ALWAYS | {"0 passes", "1 passes", "stuck, own turn", "stuck, other's turn"},
}
SAMPLED = [
    *(
        (f"dominoes:pips=3,hand={hand},variant={variant},start={start}", 600, 6, 8)
        for hand, variant, start in product((2, 3), VARIANTS, STARTS)
    ),
    ("dominoes:pips=3,hand=4,variant=block", 200, 8, 8),
    ("dominoes:pips=4,hand=2", 300, 3, 6),
    ("dominoes:pips=4,hand=3", 300, 3, 6),
    ("dominoes:pips=4,hand=3,start=seat", 300, 3, 6),
]


@pytest.mark.no_sanitize
@pytest.mark.parametrize(("spec", "matches", "each", "most_draws"), SAMPLED)
def test_samples_are_as_frequent_as_their_deals(spec: str, matches: int, each: int, most_draws: int) -> None:
    game = dominoes(spec)
    found, views = interesting_views(game, matches=matches, each=each, most_draws=most_draws)
    uneven = 0
    for view in views:
        exact = exact_worlds(game, view)
        assert surprise(exact, sampled_worlds(view, 1500)) < 4, view.log
        uneven += len(set(exact.values())) > 1
    assert found >= TRAITS[game.variant]
    if game.pips == 4:
        assert found >= {"held tiles laid after both of two runs", "a tile laid late that was not dealt"}
    assert uneven >= (0 if game.variant == "block" else 3)


def pinned(spec: str, seed: int, text: str, *, seat: int = 0) -> tuple[Dominoes, DominoesView]:
    game = dominoes(spec)
    state = game.deal(seed)
    play(state, text)
    return game, state.view(seat)


@pytest.mark.no_sanitize
def test_a_tile_that_can_only_have_been_drawn_is_rarer() -> None:
    """What a sampler that looks only at the last draw gets wrong, counted by hand.

    Seat 1 was dealt two tiles. It lacked 3 and 1 and drew 1-0; it lacked 3 and drew two tiles, kept one and
    laid 3-3; then it laid 2-0, one of the three tiles it had. Of the other two we know that they are among
    0-0, 2-2 and 2-1; 2-1 would have fitted the first time, so it can only be the one drawn and kept. With
    0-0 and 2-2, that one was 2-0, 0-0 or 2-2: three cases. With 2-1 and another one, it was 2-1: one case.
    """
    game, view = pinned(
        "dominoes:pips=3,hand=2,start=seat",
        3727,
        "3-1@left draw 1-0@right draw 3-0@right draw draw 3-3@left draw 3-2@left 2-0@left",
    )
    counted = {frozenset({(0, 0), (2, 2)}): 3, frozenset({(0, 0), (2, 1)}): 1, frozenset({(2, 2), (2, 1)}): 1}
    exact = exact_worlds(game, view)
    assert exact == counted
    sampled = sampled_worlds(view, 10_000)
    assert surprise(exact, sampled) < 4
    naive = Counter(dict.fromkeys(exact, 1))  # every hand without a 3
    assert surprise(naive, sampled) > 20


def test_a_tile_above_the_first_one_was_not_dealt() -> None:
    """Seat 0 started with 2-2, so 3-3 was in no hand: if seat 1 has it, it is the one tile drawn and kept."""
    game, view = pinned(
        "dominoes:pips=3,hand=3",
        1226,
        "2-2@left draw draw 2-1@left 2-0@right 3-1@left draw 3-2@left 3-0@right",
    )
    exact = exact_worlds(game, view)
    assert exact == {
        frozenset({(1, 0), (0, 0)}): 4,
        frozenset({(3, 3), (0, 0)}): 1,
        frozenset({(3, 3), (1, 0)}): 1,
    }
    sampled = sampled_worlds(view, 10_000)
    assert surprise(exact, sampled) < 4
    assert surprise(Counter(dict.fromkeys(exact, 1)), sampled) > 20


def test_a_tile_laid_late_may_tell_which_ones_were_dealt() -> None:
    """Seat 0 drew, kept one tile and laid 2-2 later; after 1-1 that one was not dealt, so the rest was."""
    game, view = pinned("dominoes:pips=3,hand=3", 187, "1-1@left draw draw 2-1@left 1-0@right 2-2@left", seat=1)
    exact = exact_worlds(game, view)
    assert len(exact) == 4 and not any((3, 3) in hand for hand in exact)  # three of 0-0, 2-0, 3-0 and 3-2
    assert surprise(exact, sampled_worlds(view, 1500)) < 4


def test_who_is_on_turn_tells_who_has_the_best_tile() -> None:
    game = dominoes("dominoes:pips=3,hand=3")
    state = first_deal(game, lambda state: state.turn == 1 and (2, 2) in hand_of(state, 0))
    view = state.view(0)
    exact = exact_worlds(game, view)
    assert all((3, 3) in hand for hand in exact) and len(exact) == 15  # two more of the other six tiles
    assert surprise(exact, sampled_worlds(view, 1500)) < 4


@pytest.mark.no_sanitize
def test_the_rest_of_the_boneyard_lies_in_any_order() -> None:
    """Each order is as likely as any other, whatever the other seat holds."""
    game = dominoes("dominoes:pips=3,hand=3")
    state = game.deal(0)
    while state.view(0).boneyard == 4:
        state.apply(state.legal()[0])
    view = state.view(state.view(0).log[-1][0])  # who has just drawn
    chance = random.Random(2)
    orders: dict[frozenset[Tile], Counter[tuple[Tile, ...]]] = {}
    for _ in range(12_000):
        world = view.sample(chance.getrandbits(63))
        hand = frozenset(hand_of(world, 1 - view.seat))
        orders.setdefault(hand, Counter())[tuple(boneyard_of(world))] += 1
    assert len(orders) > 1
    for hand, seen in orders.items():
        assert len(seen) == 6, hand
        assert all(abs(count / seen.total() - 1 / 6) < 0.03 for count in seen.values()), (hand, seen)


def test_when_nothing_is_hidden_there_is_one_world() -> None:
    game = dominoes("dominoes:pips=3,hand=3")
    known = 0
    for seed in range(30):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            state.apply(chance.choice(state.legal()))
            for seat in (0, 1):
                view = state.view(seat)
                if view.boneyard == 0 or state.turn is None:
                    known += 1
                    world = view.sample(chance.getrandbits(63))
                    assert hand_of(world, 1 - seat) == hand_of(state, 1 - seat)
                    assert set(boneyard_of(world)) == set(boneyard_of(state))
    assert known > 60
