"""Information states as numbers: equal just when a seat cannot tell two histories apart, and never too short."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs open-spiel")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import ludoteca  # noqa: E402
from ludoteca.adapters.openspiel.exported_game import as_spiel_game  # noqa: E402
from ludoteca.adapters.openspiel.information_state import shape_of  # noqa: E402

SPECS = [
    "hex:size=3,swap=true,orientation=standard",
    "horses:size=5",
    "dominoes:pips=3,hand=2",
    "dominoes:pips=3,hand=3,variant=block",
    "kittens:deck=bomb1+safe2",
    "kittens:deck=bomb2+defuse1+see2+bottom2+shuffle1+safe2,place=any",
    "kittens:deck=attack2+safe1,stack=true,max_turns=30",
    "kittens:rules=original,deck=bomb3+defuse2+attack2+bottom2+safe1,max_turns=30",
]
PAGE = Path(__file__).parents[3] / "docs" / "openspiel.md"
FORMS = {spec: as_spiel_game(ludoteca.game(spec), deals=12) for spec in SPECS}

Known = tuple[tuple[bytes, int | None], ...]


def played(game: Any, deal: int, choices: list[int]) -> tuple[Any, list[Known]]:
    """A state after choices among the legal actions, and all that each seat saw and did on the way there."""
    state = game.new_initial_state()
    if game.outcomes:
        state.apply_action(deal)
    known: list[Known] = [((bytes(state.world.view(seat)), None),) for seat in (0, 1)]
    for choice in choices:
        if state.is_terminal():
            break
        mover, legal = state.current_player(), state.legal_actions()
        action = legal[choice % len(legal)]
        state.apply_action(action)
        for seat in (0, 1):
            known[seat] += ((bytes(state.world.view(seat)), action if seat == mover else None),)
    return state, known


# The second history has the first one's deal or another one, and leaves its choices at some point.
@settings(max_examples=100)
@given(
    st.sampled_from(SPECS),
    st.integers(0, 11),
    st.integers(0, 11),
    st.lists(st.integers(0, 7), max_size=16),
    st.integers(0, 16),
    st.lists(st.integers(0, 7), max_size=2),
)
def test_tensors_are_equal_just_when_a_seat_cannot_tell(
    spec: str, deal: int, other_deal: int, choices: list[int], shared: int, others: list[int]
) -> None:
    one, known = played(FORMS[spec], deal, choices)
    other, others_known = played(FORMS[spec], other_deal, choices[:shared] + others)
    for seat in (0, 1):
        same = known[seat] == others_known[seat]
        assert (one.information_state_tensor(seat) == other.information_state_tensor(seat)) == same
        assert (one.information_state_string(seat) == other.information_state_string(seat)) == same


@pytest.mark.parametrize("spec", SPECS)
def test_worlds_that_look_the_same_get_different_states_when_they_differ(spec: str) -> None:
    """By what a seat draws or is shown, and by hands that are turned up at the end; not any earlier."""
    game, chance = FORMS[spec], random.Random(3)
    met = set()
    for _ in range(60):
        state, _ = played(game, chance.randrange(12), [chance.randrange(8) for _ in range(chance.randrange(10))])
        if state.is_terminal():
            continue
        for seat in (0, 1):
            one, other = (state.resample_from_infostate(seat, chance.random) for _ in (0, 1))
            same = True
            while same and not (one.is_terminal() or other.is_terminal()):
                both = sorted({*one.legal_actions()} & {*other.legal_actions()})
                if one.current_player() != other.current_player() or not both:
                    break
                action = chance.choice(both)
                one.apply_action(action)
                other.apply_action(action)
                same = one.world.view(seat) == other.world.view(seat)
            assert (one.information_state_tensor(seat) == other.information_state_tensor(seat)) == same
            met.add(same)
    assert met == ({True, False} if spec.startswith(("dominoes", "kittens")) else {True})


def test_where_the_other_put_a_bomb_and_what_it_drew_stay_hidden() -> None:
    """Seat 0 draws a bomb and puts it back: seat 1 sees the same wherever it goes, seat 0 does not."""
    game = as_spiel_game(ludoteca.game("kittens:deck=bomb1+safe2"), deals=0)
    for deal, _ in game.outcomes:
        start = game.new_initial_state().child(deal).child(0)  # draw
        if start.world.view(0).placing:
            places = [start.child(action) for action in start.legal_actions()]
            assert len({tuple(each.information_state_tensor(0)) for each in places}) == len(places) == 3
            assert len({tuple(each.information_state_tensor(1)) for each in places}) == 1
            return
    raise AssertionError("no deal has the bomb on top")


@pytest.mark.parametrize("spec", SPECS)
def test_what_the_other_did_for_all_to_see_is_remembered(spec: str) -> None:
    """Each first action of seat 0, all of them public, leads to another information state of seat 1."""
    game = FORMS[spec]
    start = game.new_initial_state().child(0) if game.outcomes else game.new_initial_state()
    first, second = start.current_player(), 1 - start.current_player()
    nexts = [start.child(action) for action in start.legal_actions()]
    seen = {start.child(action).world.view(second) for action in start.legal_actions()}
    assert len({tuple(each.information_state_tensor(second)) for each in nexts}) == len(seen) > 1 - ("dom" in spec)
    assert len({tuple(each.information_state_tensor(first)) for each in nexts}) == len(nexts)


@pytest.mark.parametrize("spec", SPECS)
def test_no_match_is_longer_than_there_are_rows(spec: str) -> None:
    """Also not that of a seat that plays whatever makes it last: passes, draws, and cards before draws."""
    game = FORMS[spec]
    rows = game.max_game_length()
    for deal in range(12):
        for choose in (min, max, random.Random(deal).choice):
            state, length = game.new_initial_state(), 0
            if game.outcomes:
                state.apply_action(deal)
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                length += 1
            assert length <= rows
            assert len(state.information_state_tensor(0)) == game.information_state_tensor_size()


@pytest.mark.parametrize(
    ("spec", "size"), [("hex:size=11", 15_488), ("horses", 9_216), ("dominoes", 6_306), ("kittens", 4_193)]
)
def test_sizes_are_those_of_the_docs(spec: str, size: int) -> None:
    shape = shape_of(ludoteca.game(spec))
    assert shape is not None and shape.size == size
    assert f"`{spec}` | {size:,}" in PAGE.read_text()
