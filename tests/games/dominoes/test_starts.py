"""Dominoes from positions set up by hand: notation, rules, secrecy, sampling, pictures and agents."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca._core import DominoesState, DominoesView
from ludoteca.errors import InvalidPosition
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import chain, numbers, tile_of
from ludoteca.play.match import Match, play_out
from ludoteca.protocols import CustomStart, Decision, Limit
from ludoteca.testing import check_state
from tests.chances import chances
from tests.games.dominoes.checks import (
    boneyard_of,
    check_against,
    dominoes,
    exact_worlds,
    faces,
    hand_of,
    move_of,
    play,
    reference_of,
    sampled_worlds,
    surprise,
    traits,
)
from tests.games.dominoes.reference import Round, Tile, full_set

EXAMPLE = "line: 6-6 6-4 4-1; 0: 5-5 3-1; 1: 4; turn: 1"


class Start(NamedTuple):
    """A position as somebody may set it up: each hand as tiles or as a number."""

    line: list[tuple[int, int]]
    hands: tuple[list[Tile] | int, list[Tile] | int]
    turn: int

    @property
    def text(self) -> str:
        return Dominoes.start(line=self.line, hands=self.hands, turn=self.turn)


def random_start(game: Dominoes, chance: random.Random, *, most_line: int = 99, most_hand: int = 99) -> Start:
    """A line that grows at its right end by any tile that fits, then hands; at least three tiles are left for them."""
    tiles = full_set(game.pips)
    chance.shuffle(tiles)
    line: list[tuple[int, int]] = []
    for _ in range(chance.randint(0, min(most_line, len(tiles) - 3))):
        fits = [tile for tile in tiles if not line or line[-1][1] in tile]
        if len(tiles) == 3 or not fits:
            break
        tiles.remove(tile := chance.choice(fits))
        one, other = chance.sample(tile, 2)
        line.append((one, other) if not line or one == line[-1][1] else (other, one))
    hands: list[list[Tile] | int] = []
    left = len(tiles)
    for reserved in (1, 0):
        count = chance.randint(1, min(most_hand, left - reserved))
        left -= count
        hands.append([tiles.pop() for _ in range(count)] if chance.random() < 0.5 else count)
    return Start(line, (hands[0], hands[1]), chance.randint(0, 1))


def arranged(game: Dominoes, text: str, seed: int) -> DominoesState | None:
    """The position, or None if neither seat can play in it."""
    try:
        return game.deal_from(text, seed)
    except InvalidPosition as error:
        if "neither seat can play" in str(error):
            return None
        raise


# Notation


def test_a_start_is_read_as_it_is_written() -> None:
    game = dominoes("dominoes")
    assert isinstance(game, CustomStart)
    state = game.deal_from(EXAMPLE, 1)
    assert [(each.left, each.right, each.seat) for each in chain(state.view(0).line)] == [
        (6, 6, None), (6, 4, None), (4, 1, None),
    ]  # fmt: skip
    assert (state.turn, state.view(1).ends, state.view(1).counts, state.view(1).boneyard) == (1, (6, 1), (2, 4), 19)
    assert hand_of(state, 0) == {(5, 5), (3, 1)}
    assert (state.view(0).log, state.view(0).last, state.view(0).stuck, state.view(0).lacks) == ([], None, [], ([], []))
    for text in ("LINE:6-6 4-6  1-4;0:3-1 5-5;1:4;turn:1;", "turn: 1; 1: 4; 0: 5-5 1-3; line: 6-6 6-4 4-1"):
        assert bytes(game.deal_from(text, 1)) == bytes(state)


def test_a_single_tile_lies_as_it_is_written() -> None:
    for text, ends in (("line: 4-6", (4, 6)), ("line: 6-4", (6, 4)), ("line: 5-5", (5, 5))):
        view = dominoes("dominoes").deal_from(text, 0).view(0)
        assert view.ends == ends and [(each.left, each.right) for each in chain(view.line)] == [ends]


def test_what_is_left_out_is_as_in_a_deal() -> None:
    for spec in ("dominoes", "dominoes:pips=3,hand=5", "dominoes:hand=3"):
        game = dominoes(spec)
        view = game.deal_from("turn: 0", 5).view(0)
        assert view.counts == (game.hand, game.hand) and view.turn == 0 and not view.line


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:start=seat"])
def test_without_a_line_the_seat_on_turn_begins_with_any_tile(spec: str) -> None:
    state = dominoes(spec).deal_from("0: 6-6 5-5; 1: 2-1 3-0; turn: 1", 0)
    assert state.turn == 1 and [state.game.action_name(each) for each in state.legal()] == ["2-1@left", "3-0@left"]
    play(state, "2-1")
    assert state.view(0).ends == (2, 1)


def test_a_seed_draws_only_what_is_left_and_always_the_same() -> None:
    game = dominoes("dominoes")
    seen = set()
    for seed in range(40):
        state = game.deal_from(EXAMPLE, seed)
        assert bytes(state) == bytes(game.deal_from(EXAMPLE, seed))
        assert not hand_of(state, 1) & {(6, 6), (6, 4), (4, 1), (5, 5), (3, 1)}
        seen.add(frozenset(hand_of(state, 1)))
    assert len(seen) > 35


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("line: 6-6 6-4 5-1", r"line: 5-1 does not match the 4 of 6-4, which lies left of it"),
        ("line: 6-4 3-1", r"line: 3-1 does not match either number of 6-4"),
        ("line: 6-4 4-6", r"6-4 is there twice: in the line"),
        ("line: 6-4; 0: 4-6", r"6-4 is there twice: in the line and in the hand of seat 0"),
        ("0: 5-5; 1: 4-1 5-5", r"5-5 is there twice: in the hand of seat 0 and in the hand of seat 1"),
        ("line: 7-1", r"line: '7-1' is no tile of dominoes: tiles are 0-0 to 6-6"),
        ("0: 5-5 3", r"0: '3' is no tile"),
        ("0: ٥-٥", r"is no tile of dominoes"),
        ("1:", r"the hand of seat 1 is empty: it needs at least one tile"),
        ("1: 0", r"1: '0' must be a whole number from 1 to 28"),
        ("0: 20; 1: 9", r"draws 20 for seat 0 and 9 for seat 1, but only 28 of 28 tiles are left"),
        ("line: 6-6 6-5; 0: 27", r"draws 27 for seat 0 and 7 for seat 1, but only 26 of 28"),
        ("turn: 2", r"turn: '2' must be a whole number from 0 to 1"),
        ("deck: 6-6", r"'deck: 6-6' is no part of a start; these are: line, 0, 1, turn"),
    ],
)
def test_what_cannot_be_set_up_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        dominoes("dominoes").deal_from(text, 0)


def test_a_position_in_which_no_seat_can_play_is_refused() -> None:
    blocked = "line: 3-2; 0: 1-1; 1: 0-0"
    with pytest.raises(InvalidPosition, match="neither seat can play: no tile of the hands fits 2 or 3"):
        dominoes("dominoes:pips=3,variant=block").deal_from(blocked, 0)
    assert dominoes("dominoes:pips=3").deal_from(blocked, 0).legal() == [20]  # draws
    game, drawn = dominoes("dominoes:pips=3,variant=block"), "line: 3-3; 0: 1-1; 1: 1"
    blocked_seeds = [seed for seed in range(30) if arranged(game, drawn, seed) is None]
    assert 0 < len(blocked_seeds) < 30
    with pytest.raises(InvalidPosition, match=f"neither seat can play with seed {blocked_seeds[0]}: no tile"):
        game.deal_from(drawn, blocked_seeds[0])


# The rules from there on


@settings(max_examples=50)
@given(
    st.integers(3, 9),
    st.sampled_from(["variant=draw", "variant=block", "variant=block,blocked=draw", "scoring=points",
                     "variant=block,scoring=points"]),
    st.sampled_from(["seat", "highest-double"]),
    st.integers(0, 2**63),
    chances(),
)  # fmt: skip
def test_it_plays_like_the_reference(pips: int, rest: str, rule: str, seed: int, chance: random.Random) -> None:
    game = dominoes(f"dominoes:pips={pips},start={rule},{rest}")
    start = random_start(game, chance)
    state = arranged(game, start.text, seed)
    if state is None:
        return
    for seat, hand in enumerate(start.hands):
        if isinstance(hand, int):
            assert len(hand_of(state, seat)) == hand
        else:
            assert hand_of(state, seat) == set(hand)
    line = {(max(pair), min(pair)) for pair in start.line}
    everywhere = [*hand_of(state, 0), *hand_of(state, 1), *line, *boneyard_of(state)]
    assert sorted(everywhere) == sorted(full_set(pips))
    reference = reference_of(game, state, arranged=True)
    assert (reference.line, reference.turn) == (start.line, start.turn)
    while True:
        check_position(game, state.turn is None, state, reference)
        if state.turn is None or chance.random() < 0.25:  # the promises take ten times as long to check as the rules
            check_state(game, state, chance)
        if state.turn is None:
            break
        action = chance.choice(state.legal())
        state.apply(action)
        reference.play(move_of(game, action))


def check_position(game: Dominoes, over: bool, state: DominoesState, reference: Round) -> None:
    """In lockstep with the reference but for points."""
    if game.options["scoring"] == "points" and over:
        lost = sum(map(sum, reference.hands[1 - (reference.winner or 0)]))
        won = 0.0 if reference.winner is None else min(1.0, lost / game.points_scale)
        assert max(state.returns()) == pytest.approx(won)
    else:
        check_against(game, state, reference)


def test_points_stay_within_one_though_a_hand_is_heavier_than_any_deal() -> None:
    game = dominoes("dominoes:variant=block,scoring=points,hand=2")
    assert game.points_scale == 23
    state = game.deal_from("line: 0-0; 0: 1-0; 1: 6-6 5-5 4-4; turn: 0", 0)
    play(state, "1-0")
    assert state.returns() == (1, -1)


def test_the_longest_logs_fit() -> None:
    """All tiles but a few on the line or in the boneyard, and what comes of it."""
    game = dominoes("dominoes:pips=9")
    longest = 0
    for seed in range(2000):
        chance = random.Random(seed)
        start = random_start(game, chance, most_line=2, most_hand=1)
        state = game.deal_from(start.text, seed)
        while state.turn is not None:
            state.apply(chance.choice(state.legal()))
        view = state.view(0)
        longest = max(longest, len(view.line) + len(view.stuck))
        assert len(view.log) + len(start.line) == len(view.line) + len(view.stuck)
    assert longest > 90


def test_a_match_goes_on_from_a_start() -> None:
    game = dominoes("dominoes")
    match = Match(game, 3, start=EXAMPLE)
    while match.turn is not None:
        match.play(match.view(match.turn).legal()[0])
    assert match.before(0).view(0) == game.deal_from(EXAMPLE, 3).view(0)
    assert Match(game, 3, match.actions, start=EXAMPLE) == match != Match(game, 3, start=EXAMPLE)


# What each seat knows


def test_a_hand_that_was_set_up_is_not_seen_by_the_other_seat() -> None:
    game = dominoes("dominoes")
    hands = ["6-3 5-2 4-0 2-2", "5-5 4-4 3-3 1-0", "4"]
    views = [game.deal_from(f"line: 6-6 6-4 4-1; 0: 2-1 3-1; 1: {hand}; turn: 1", 7).view(0) for hand in hands]
    assert len({bytes(view) for view in views}) == 1 and len(set(views)) == 1
    assert game.svg(views[0]) == game.svg(views[1]) and game.text(views[0]) == game.text(views[1])
    assert {bytes(views[0].sample(seed)) for seed in range(5)} == {bytes(views[1].sample(seed)) for seed in range(5)}


def test_the_tensor_has_the_line_among_the_tiles_that_the_other_laid() -> None:
    game = dominoes("dominoes")
    state = game.deal_from("line: 6-6 6-4 4-1; 0: 2-1 3-1; 1: 6-2 6-3; turn: 1", 7)
    play(state, "6-2@left")
    line = [tile_of(6, 6), tile_of(6, 4), tile_of(4, 1)]
    for seat, (mine, theirs) in enumerate((([], [*line, tile_of(6, 2)]), ([tile_of(6, 2)], line))):
        tensor = state.view(seat).tensor()
        assert tensor.shape == game.tensor_shape
        assert np.flatnonzero(tensor[28:56]).tolist() == sorted(mine)
        assert np.flatnonzero(tensor[56:84]).tolist() == sorted(theirs)


SAMPLED = [
    *(
        (f"dominoes:pips=3,variant={variant},start={rule}", 900, 10)
        for variant in ("draw", "block")
        for rule in ("highest-double", "seat")
    ),
    ("dominoes:pips=4", 200, 5),
]
ALWAYS = {"nothing laid, own turn", "nothing laid, other's turn"}
WANTED = {
    "draw": ALWAYS | {"0 runs", "1 runs", "2 runs", "a run in progress", "own draws too"},
    "block": ALWAYS | {"0 passes", "1 passes", "stuck, own turn", "stuck, other's turn", "stuck at once, own turn",
                       "stuck at once, other's turn"},
}  # fmt: skip


@pytest.mark.no_sanitize
@pytest.mark.parametrize(("spec", "matches", "each"), SAMPLED)
def test_samples_are_as_frequent_as_their_deals(spec: str, matches: int, each: int) -> None:
    game = dominoes(spec)
    found, uneven, unequal = Counter[str](), 0, 0
    for view, begun in views_from_starts(game, matches):
        new = {trait for trait in traits(game, view) if found[trait] < each}
        if not new or len(view.stuck) > 6:
            continue
        exact = exact_worlds(game, view, begun)
        if len(exact) < 2:
            continue
        found.update(new)
        assert surprise(exact, sampled_worlds(view, 1500)) < 4, (begun.line, view.log)
        uneven += len(set(exact.values())) > 1
        unequal += len(begun.hands[0]) != len(begun.hands[1])
    assert set(found) >= WANTED[game.variant], found
    assert unequal >= 10 and uneven >= (0 if game.variant == "block" else 3)


def views_from_starts(game: Dominoes, matches: int) -> Iterator[tuple[DominoesView, Round]]:
    """What both seats see in random matches from random starts, with how each began."""
    for seed in range(matches):
        chance = random.Random(seed)
        state = arranged(game, random_start(game, chance, most_line=4, most_hand=4).text, seed)
        if state is None:
            continue
        begun = reference_of(game, state, arranged=True)
        while state.turn is not None:
            yield from ((state.view(seat), begun) for seat in (0, 1))
            state.apply(chance.choice(state.legal()))


def test_a_tile_above_the_first_may_be_anywhere_after_a_start() -> None:
    """After a deal no seat can hold 6-6 when 5-5 was laid first; after a start it may."""
    game = dominoes("dominoes")
    state = game.deal_from("0: 5-5 1-0; 1: 7; turn: 0", 0)
    play(state, "5-5")
    view = state.view(0)
    held = sum((6, 6) in hand_of(view.sample(seed), 1) for seed in range(2000))
    assert abs(held / 2000 - 7 / 26) < 0.04


# Pictures


def test_text_and_picture_show_the_line() -> None:
    game = dominoes("dominoes")
    view = game.deal_from(EXAMPLE, 1).view(0)
    assert "6 [6|6][6|4][4|1] 1" in game.text(view)
    assert game.svg(view).count("fill='#fffdf8' stroke='#b9ad98'") == 3  # in neither seat's colour
    assert "stroke-width='4'" not in game.svg(view)  # and none of them is the last one laid


def test_a_long_line_lies_in_the_middle_and_no_two_tiles_overlap() -> None:
    game = dominoes("dominoes:pips=9")
    for seed in range(20):
        start = random_start(game, random.Random(seed))
        view = game.deal_from(start.text, seed).view(0)
        boxes = list(faces(game.svg(view)))
        assert len(boxes) == len(start.line) + len(view.hand)
        for (x, y, right, bottom), (x2, y2, right2, bottom2) in combinations(boxes, 2):
            assert x >= right2 or x2 >= right or y >= bottom2 or y2 >= bottom


# Agents


@pytest.mark.parametrize("agent", ["tumbafichas:depth=3", "tumbafichas:depth=2,opponent=mean", "cases", "random"])
def test_agents_play_from_starts(agent: str) -> None:
    for seed in range(12):
        game = dominoes("dominoes:variant=block" if seed % 2 else "dominoes")
        start = random_start(game, random.Random(seed), most_line=12, most_hand=8)
        if arranged(game, start.text, seed) is None:
            continue
        match = Match(game, seed, start=start.text)
        players = {seat: ludoteca.agent(agent)(game, seat, seed) for seat in (0, 1)}
        for seat, decision in play_out(match, players, Limit()):
            assert decision.action in range(game.num_actions), seat
        assert match.turn is None


@pytest.mark.parametrize("agent", ["tumbafichas", "cases"])
def test_agents_decide_as_if_the_position_had_been_played(agent: str) -> None:
    """They look at hands, line and counts, not at who laid which tile: if no seat was stuck, all is the same."""
    game, compared = dominoes("dominoes:hand=4"), 0
    for seed in range(25):
        state, chance = game.deal(seed), random.Random(seed)
        for _ in range(4):
            state.apply(chance.choice(state.legal()))
        if state.turn is None or state.view(0).stuck:
            continue
        view = state.view(state.turn)
        line = [(each.left, each.right) for each in chain(view.line)]
        hands = (list(hand_of(state, 0)), list(hand_of(state, 1)))
        again = game.deal_from(Dominoes.start(line=line, hands=hands, turn=state.turn), seed).view(state.turn)
        assert again.ends == view.ends and again.unseen == view.unseen
        decisions = []
        for each in (view, again):
            decision = ludoteca.agent(agent)(game, view.seat, 1).act(each, Limit())
            assert isinstance(decision, Decision)
            # A reason may use more: who began with which tile says what the other cannot hold.
            decisions.append(replace(decision, reasons=()))
        assert decisions[0] == decisions[1]
        compared += 1
    assert compared > 5


def test_numbers_and_names_of_the_line_belong_to_no_seat() -> None:
    view = dominoes("dominoes").deal_from(EXAMPLE, 0).view(1)
    assert {seat for _, seat, _ in view.line} == {None}
    assert sorted(numbers(tile) for tile, _, _ in view.line) == [(4, 1), (6, 4), (6, 6)]
    assert not {tile for tile, _, _ in view.line} & set(view.unseen)
