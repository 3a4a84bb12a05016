"""Dominoes: lockstep with a slow reference, what views show, notation, pictures, properties."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca._core import DominoesState
from ludoteca.errors import IllegalAction, InvalidAction, InvalidOption
from ludoteca.games.dominoes.tiles import chain, numbers, tile_of
from ludoteca.testing import check_game
from tests.chances import chances
from tests.games.dominoes.checks import (
    boneyard_of,
    check_against,
    dominoes,
    faces,
    first_deal,
    hand_of,
    move_of,
    play,
    reference_of,
)
from tests.games.dominoes.reference import full_set, heaviest, perft
from tests.sanitizer import some

VARIANTS, STARTS, BLOCKED, SCORINGS = (
    ("draw", "block"),
    ("highest-double", "seat"),
    ("pips", "draw"),
    ("result", "points"),
)
SIZES = ((3, 1), (3, 2), (3, 5), (4, 0), (6, 0), (6, 14), (9, 2), (9, 27))
SPECS = [
    f"dominoes:pips={pips},hand={hand},variant={variant},start={start},blocked={blocked},scoring={scoring}"
    for (pips, hand), variant, start, (blocked, scoring) in product(
        SIZES, VARIANTS, STARTS, zip(BLOCKED, SCORINGS, strict=True)
    )
]

PROMISING = [SPECS[8 * size + options] for size in range(8) for options in (size, 7 - size)]
"""Each size with two opposite choices of the three options: every pair of values is among them. Pictures take time."""


# The rules


def test_it_keeps_every_promise() -> None:
    for spec in some(PROMISING):
        game = dominoes(spec)
        check_game(game, matches=1, knows_all=(0, 1) if 2 * game.hand == game.num_tiles else ())


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_like_the_reference(spec: str) -> None:
    game = dominoes(spec)
    for seed in range(12):
        chance = random.Random(seed)
        state = game.deal(seed)
        reference = reference_of(game, state)
        while True:
            check_against(game, state, reference)
            if state.turn is None:
                break
            action = chance.choice(state.legal())
            state.apply(action)
            reference.play(move_of(game, action))


PERFT = {
    "dominoes": [1, 1, 2, 4, 17, 43, 85, 196, 290, 525, 726, 1058],
    "dominoes:start=seat": [7, 19, 50, 162, 388, 855, 1691, 2731, 4365, 6175, 8273, 11249],
    "dominoes:variant=block": [1, 1, 2, 4, 17, 42, 85, 199, 292, 521, 666, 958],
    "dominoes:pips=3,hand=3,start=seat": [3, 4, 4, 4, 5, 6, 6, 3, 4, 3, 1, 0],
    "dominoes:pips=9,hand=12,start=seat": [12, 36, 140, 383, 1289, 3242, 9227, 20672, 51351, 103640],
}


@pytest.mark.parametrize("spec", PERFT)
def test_perft(spec: str) -> None:
    game, counts = dominoes(spec), PERFT[spec]
    state = game.deal(1)
    assert [state.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    reference = reference_of(game, state)
    assert [perft(reference, depth) for depth in range(1, 7)] == counts[:6]


def test_the_highest_double_starts() -> None:
    game = dominoes("dominoes")
    for seed in range(50):
        state = game.deal(seed)
        doubles = [n for n in range(7) if (n, n) in hand_of(state, 0) | hand_of(state, 1)]
        assert state.turn is not None
        if doubles:
            assert state.legal() == [2 * tile_of(doubles[-1], doubles[-1])]


def test_without_doubles_the_heaviest_tile_starts_and_of_two_that_with_the_higher_number() -> None:
    game = dominoes("dominoes:hand=2")

    def wanted(state: DominoesState) -> bool:
        tiles = sorted(hand_of(state, 0) | hand_of(state, 1), key=sum)
        return all(a != b for a, b in tiles) and sum(tiles[-1]) == sum(tiles[-2])

    state = first_deal(game, wanted)
    tiles = hand_of(state, 0) | hand_of(state, 1)
    weight = max(map(sum, tiles))
    best = max(tile for tile in tiles if sum(tile) == weight)
    assert state.legal() == [2 * tile_of(*best)]
    assert state.turn is not None and best in hand_of(state, state.turn)


def test_equal_ends_list_only_the_left_side() -> None:
    game = dominoes("dominoes:pips=3,hand=3,start=seat")
    state = first_deal(game, lambda state: (1, 1) in hand_of(state, 0) and (2, 1) in hand_of(state, 1))
    play(state, "1-1")
    assert game.parse_action("2-1@left") in state.legal()
    with pytest.raises(IllegalAction, match="2-1@right"):
        play(state, "2-1@right")


def test_a_tile_that_fits_both_ends_gives_two_actions() -> None:
    game = dominoes("dominoes:pips=3,hand=3,start=seat")
    state = first_deal(
        game, lambda state: {(1, 1), (3, 1)} < hand_of(state, 0) and {(2, 1), (3, 2)} < hand_of(state, 1)
    )
    play(state, "1-1 2-1@left 3-1@right")
    assert state.view(0).ends == (2, 3)
    left, right = game.parse_action("3-2@left"), game.parse_action("3-2@right")
    assert {left, right} <= set(state.legal())
    twin = state.copy()
    state.apply(left)
    twin.apply(right)
    assert (state.view(0).ends, twin.view(0).ends) == ((3, 3), (2, 2))


def test_draws_and_passes_are_forced() -> None:
    for spec in ("dominoes", "dominoes:variant=block", "dominoes:pips=3,hand=5"):
        game = dominoes(spec)
        for seed in range(20):
            state, chance = game.deal(seed), random.Random(seed)
            while state.turn is not None:
                legal = state.legal()
                if legal[-1] >= game.draw_action:
                    assert len(legal) == 1
                    can_draw = game.variant == "draw" and state.view(0).boneyard > 0
                    assert legal == [game.draw_action if can_draw else game.pass_action]
                state.apply(chance.choice(legal))


def test_the_end_is_blocked_at_once_and_pips_decide() -> None:
    """Neither seat passes into a blocked round; the seat with fewer pips wins it, or it is a draw."""
    seen = Counter[str]()
    for blocked in BLOCKED:
        game = dominoes(f"dominoes:pips=4,hand=5,variant=block,blocked={blocked}")
        for seed in range(60):
            state, chance = game.deal(seed), random.Random(seed)
            while state.turn is not None:
                state.apply(chance.choice(state.legal()))
            view = state.view(0)
            assert view.last != game.pass_action
            if 0 in view.counts:
                continue
            pips = [sum(sum(tile) for tile in hand_of(state, seat)) for seat in (0, 1)]
            if blocked == "draw" or pips[0] == pips[1]:
                assert view.winner is None and state.returns() == (0, 0)
                seen[f"{blocked}, nobody"] += 1
            else:
                assert view.winner == pips.index(min(pips))
                seen["pips, somebody"] += 1
    assert set(seen) == {"pips, nobody", "pips, somebody", "draw, nobody"}, seen


# What a view shows


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:variant=block", "dominoes:pips=9,hand=3,start=seat"])
def test_views_tell_the_whole_story(spec: str) -> None:
    game = dominoes(spec)
    for seed in range(8):
        state, chance = game.deal(seed), random.Random(seed)
        log: list[tuple[int, int]] = []
        stuck: list[tuple[int, int, int, int]] = []
        while state.turn is not None:
            action = chance.choice(state.legal())
            log.append((state.turn, action))
            ends = state.view(0).ends
            if action >= game.draw_action:
                assert ends is not None
                stuck.append((state.turn, action, *ends))
            state.apply(action)
            for seat in (0, 1):
                view = state.view(seat)
                assert view.log == log
                assert view.last == action
                assert view.stuck == stuck
                assert view.line == [(a // 2, by, a % 2) for by, a in log if a < game.draw_action]
                seen = {*view.hand, *(tile for tile, _, _ in view.line)}
                assert view.unseen == [tile for tile in range(game.num_tiles) if tile not in seen]


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:variant=block", "dominoes:pips=9,hand=2"])
def test_lacks_are_what_draws_and_passes_prove(spec: str) -> None:
    """They are true of every tile but one just drawn, and as many as the log proves, no fewer."""
    game = dominoes(spec)
    proved_after_a_draw = 0
    for seed in range(30):
        state, chance = game.deal(seed), random.Random(seed)
        proved: list[set[int]] = [set(), set()]  # for each seat, of all tiles but `newest`
        newest: list[int | None] = [None, None]
        while state.turn is not None:
            seat, action = state.turn, chance.choice(state.legal())
            before, ends = set(state.view(seat).hand), state.view(seat).ends
            state.apply(action)
            if action >= game.draw_action:
                if newest[seat] is not None:
                    proved[seat] = set()  # that tile has come to stay, and may have any other number
                assert ends is not None
                proved[seat] |= set(ends)
            drawn = set(state.view(seat).hand) - before
            newest[seat] = drawn.pop() if drawn else None
            for each in (0, 1):
                assert state.view(seat).lacks[each] == sorted(proved[each])
                for tile in state.view(each).hand:
                    if tile != newest[each]:
                        assert not proved[each] & set(numbers(tile))
            proved_after_a_draw += action < game.draw_action and bool(proved[seat])
    assert proved_after_a_draw


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:pips=3", "dominoes:pips=9,variant=block,start=seat"])
def test_the_tensor_is_laid_out_as_documented(spec: str) -> None:
    game = dominoes(spec)
    tiles, n = game.num_tiles, game.pips + 1
    assert game.tensor_shape == (3 * tiles + 4 * n + 6,)
    for seed in range(10):
        state, chance = game.deal(seed), random.Random(seed)
        while True:
            for seat in (0, 1):
                view, expected = state.view(seat), np.zeros(3 * tiles + 4 * n + 6, np.float32)
                expected[view.hand] = 1
                for tile, by, _ in view.line:
                    expected[(tiles if by == seat else 2 * tiles) + tile] = 1
                for side, end in enumerate(view.ends or ()):
                    expected[3 * tiles + side * n + end] = 1
                expected[[3 * tiles + 2 * n + number for number in view.lacks[1 - seat]]] = 1
                expected[[3 * tiles + 3 * n + number for number in view.lacks[seat]]] = 1
                counts = [view.counts[seat], view.counts[1 - seat], view.boneyard]
                drew = [view.log[-1:] == [(by, game.draw_action)] for by in (1 - seat, seat)]
                expected[-6:] = [*(count / tiles for count in counts), view.turn == seat, *drew]
                np.testing.assert_allclose(view.tensor(), expected, rtol=1e-6)
            if state.turn is None:
                break
            state.apply(chance.choice(state.legal()))


def test_hidden_tiles_lie_face_down_in_text_and_picture() -> None:
    game = dominoes("dominoes")
    for seed in range(6):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            for seat in (0, 1):
                view = state.view(seat)
                text, picture = game.text(view), game.svg(view)
                assert picture.count("fill='#fffdf8'") == len(view.hand) + len(view.line)
                assert picture.count("fill='#d9cfbb'") == view.counts[1 - seat] + view.boneyard
                hidden = [f"{a}-{b}" for a, b in map(numbers, view.unseen)]
                assert not any(name in text for name in hidden), text
            state.apply(chance.choice(state.legal()))
        view = state.view(0)
        assert game.svg(view).count("fill='#d9cfbb'") == view.boneyard  # at the end hands are turned up


def test_worlds_that_look_alike_have_the_same_bytes_text_and_picture() -> None:
    game = dominoes("dominoes")
    state, chance = game.deal(5), random.Random(5)
    different = 0
    while state.turn is not None:
        for seat in (0, 1):
            view, world = state.view(seat), state.view(seat).sample(chance.getrandbits(63))
            assert bytes(world.view(seat)) == bytes(view)
            assert game.svg(world.view(seat)) == game.svg(view)
            different += hand_of(world, 1 - seat) != hand_of(state, 1 - seat)
        state.apply(chance.choice(state.legal()))
    assert different > 10


# Notation, options, drawing


def test_options_are_checked() -> None:
    for options, message in {
        "pips=2": "pips=2 must be a whole number from 3 to 9",
        "pips=10": "pips=10 must be",
        "pips=3,hand=6": "pips=3: hand=6 must be a whole number from 0 to 5",
        "hand=-1": "hand=-1 must be a whole number from 0 to 14",
        "variant=blok": "did you mean 'block'",
        "start=double": "highest-double, seat",
        "blocked=points": "pips, draw",
        "scoring=pips": "result, points",
        "tiles=28": "no option 'tiles'",
    }.items():
        with pytest.raises(InvalidOption, match=message):
            ludoteca.game(f"dominoes:{options}")


@pytest.mark.parametrize(("pips", "hand"), [(3, 2), (4, 3), (5, 5), (6, 7), (7, 7), (8, 7), (9, 7)])
def test_the_usual_hand_is_a_quarter_of_the_set_and_at_most_seven(pips: int, hand: int) -> None:
    game = dominoes(f"dominoes:pips={pips}")
    assert game.hand == hand
    assert len(game.deal(1).view(0).hand) == hand
    assert dominoes(f"dominoes:pips={pips},hand={hand}") == game
    assert game.num_tiles == (pips + 1) * (pips + 2) // 2


def test_points_are_scaled_by_the_heaviest_hand_possible() -> None:
    assert dominoes("dominoes:scoring=points").points_scale == heaviest(full_set(6), 21)
    assert dominoes("dominoes:variant=block").points_scale == 12 + 11 + 10 + 10 + 9 + 9 + 8


def test_tiles_are_read_in_any_order_and_spelling() -> None:
    game = dominoes("dominoes")
    left, right = 2 * tile_of(6, 4), 2 * tile_of(6, 4) + 1
    assert game.action_name(left) == "6-4@left"
    for text in ("6-4@left", "4-6@l", "6-4 left", " 6 - 4 ", "6-4", "4-6 L", "6-4 @ LEFT"):
        assert game.parse_action(text) == left, text
    for text in ("6-4@right", "4-6@R", "6-4 r", "6-4right"):
        assert game.parse_action(text) == right, text
    assert game.parse_action(" Draw ") == game.draw_action == 56
    assert game.parse_action("PASS") == game.pass_action == 57


@pytest.mark.parametrize("text", ["7-1@left", "6-4@up", "64", "6-4@leftright", "draw 6-4", "6-", "٦-٤", "-1-2"])
def test_texts_that_name_nothing_are_refused(text: str) -> None:
    with pytest.raises(InvalidAction, match=r"0-0 to 6-6" if text == "7-1@left" else "3-1@left"):
        dominoes("dominoes").parse_action(text)


def test_tiles_and_numbers_lead_to_each_other() -> None:
    assert [numbers(tile) for tile in range(55)] == full_set(9)
    assert [tile_of(low, high) for high, low in full_set(9)] == list(range(55))


def test_pictures_show_heat_plan_and_last_tile_in_both_languages() -> None:
    game = dominoes("dominoes:start=seat")
    state = game.deal(2)
    view = state.view(0)
    legal = view.legal()
    picture = game.svg(view, heat={action: action for action in legal}, line=legal[:2], language="es")
    assert picture.count("<polygon") == len(legal)
    assert picture.count(">1</text>") == 1 and "Empieza con cualquier ficha." in picture
    assert "pozo (14)" in picture and "boneyard (14)" in game.svg(view)
    assert "stroke-width='4'" not in picture
    state.apply(legal[0])
    assert game.svg(state.view(0)).count("stroke-width='4'") == 1


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:pips=9,hand=2", "dominoes:pips=9,hand=27,variant=block"])
def test_no_two_tiles_of_a_picture_overlap(spec: str) -> None:
    game = dominoes(spec)
    for seed in range(10):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            state.apply(chance.choice(state.legal()))
        boxes = list(faces(game.svg(state.view(0))))
        assert len(boxes) == len(state.view(0).line) + sum(state.view(0).counts)
        for (x, y, right, bottom), (x2, y2, right2, bottom2) in combinations(boxes, 2):
            assert x >= right2 or x2 >= right or y >= bottom2 or y2 >= bottom


# Properties


@settings(max_examples=50)
@given(
    st.integers(3, 9),
    st.integers(1, 27),
    st.sampled_from(VARIANTS),
    st.sampled_from(STARTS),
    st.integers(0, 2**63),
    chances(),
)
def test_nothing_is_lost(pips: int, hand: int, variant: str, start: str, seed: int, chance: random.Random) -> None:
    tiles = len(full_set(pips))
    game = dominoes(f"dominoes:pips={pips},hand={min(hand, tiles // 2)},variant={variant},start={start}")
    state = game.deal(seed)
    while state.turn is not None:
        view = state.view(0)
        assert len(view.line) + sum(view.counts) + view.boneyard == tiles
        held = hand_of(state, 0) | hand_of(state, 1) | {numbers(tile) for tile, _, _ in view.line}
        assert held | set(boneyard_of(state)) == set(full_set(pips))
        state.apply(chance.choice(state.legal()))
    view = state.view(1)
    laid = chain(view.line)
    assert all(a.right == b.left for a, b in pairwise(laid))
    passes = [action == game.pass_action for _, action in view.log]
    assert not any(a and b for a, b in pairwise(passes))
    assert sum(state.returns()) == 0
