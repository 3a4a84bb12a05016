"""Matches of Kittens that begin from a position set up by hand."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca import _core
from ludoteca.errors import InvalidPosition
from ludoteca.games.kittens.cards import CARDS
from ludoteca.games.kittens.game import Kittens
from ludoteca.protocols import CustomStart
from ludoteca.testing import check_refusals, check_state
from tests.chances import chances
from tests.games.kittens.matches import counted, kittens, play_in_step, random_start

START = "deck: safe bomb skip; 0: defuse skip; 1: attack; turn: 1; owed: 2"


def hands_of(state: _core.KittensState) -> list[dict[str, int]]:
    return [dict(counted(state.view(seat).hand)) for seat in (0, 1)]


def deck_of(game: Kittens, state: _core.KittensState) -> list[str]:
    return [CARDS[card].lower() for card in game.deck_of(state)]


def all_cards(game: Kittens) -> Counter[str]:
    return Counter(game.counts) + Counter(dict.fromkeys(("Defuse", "Skip", "Attack"), 2))


@st.composite
def games(draw: st.DrawFn) -> Kittens:
    """Games of few and of many cards, with all options."""
    most = draw(st.sampled_from((2, 7)))
    counts = draw(st.lists(st.integers(0, most), min_size=8, max_size=8).filter(any))
    deck = "+".join(f"{card}{count}" for card, count in zip(CARDS, counts, strict=True) if count)
    rules = draw(st.sampled_from(("clean", "original")))
    stack = rules == "clean" and draw(st.booleans())
    return Kittens(rules, deck, stack, draw(st.sampled_from(("thirds", "any"))), 60)  # type: ignore[arg-type]


def test_a_start_with_all_parts() -> None:
    game = kittens("kittens")
    assert isinstance(game, CustomStart)
    state = game.deal_from(START, seed=5)
    assert deck_of(game, state) == ["safe", "bomb", "skip"]
    assert hands_of(state) == [{"Defuse": 1, "Skip": 1}, {"Attack": 1}]
    assert state.turn == 1
    for seat in (0, 1):
        view = state.view(seat)
        assert (view.deck_size, view.bombs, view.owed, view.hand_sizes) == (3, 1, 2, (2, 1))
        assert view.gone == [3, 3, 2, 3, 1, 1, 1, 16]
        assert view.known == [] and view.suspects == [] and not any(view.holds) and view.log == []
        assert view.bomb_chance(0) == pytest.approx(1 / 3)


def test_what_is_left_open_comes_from_the_seed() -> None:
    game = kittens("kittens")
    cards = all_cards(game)
    seen = set()
    for seed in range(20):
        state, twin = game.deal_from("0: see; 1: 4", seed), game.deal_from("1: 4 ;; 0: SEE", seed)
        assert bytes(state) == bytes(twin)
        hands = hands_of(state)
        assert hands[0] == {"See": 1} and sum(hands[1].values()) == 4 and "Bomb" not in hands[1]
        deck = Counter(CARDS[card] for card in game.deck_of(state))
        assert deck + Counter(hands[0]) + Counter(hands[1]) == cards
        assert not any(state.view(0).gone) and (state.turn, state.view(0).owed) == (0, 1)
        seen.add((*game.deck_of(state), *state.view(1).hand))
    assert len(seen) == 20


def test_a_hand_that_is_not_given_is_dealt_but_not_known_to_the_other() -> None:
    state = kittens("kittens").deal_from("", seed=0)
    assert hands_of(state) == [{"Defuse": 1, "Skip": 1, "Attack": 1}] * 2
    assert [state.view(seat).holds for seat in (0, 1)] == [[0] * 8] * 2
    others = {tuple(state.view(0).sample(seed).view(1).hand) for seed in range(100)}
    assert len(others) > 10


def test_an_empty_hand_and_the_last_card() -> None:
    game = kittens("kittens:rules=original")
    for text in ("deck: bomb; 0:; 1: defuse", "deck: bomb; 0: 0; 1: defuse"):
        state = game.deal_from(text, seed=0)
        assert state.view(1).counted == (0, 1)
        state.apply(0)
        assert state.returns() == (-1, 1)


def test_later_chance_comes_from_the_seed() -> None:
    game = kittens("kittens:deck=rich")
    orders = set()
    for seed in range(20):
        state = game.deal_from("deck: safe skip see bottom bomb attack; 0: shuffle", seed)
        assert deck_of(game, state)[0] == "safe"
        state.apply(game.parse_action("shuffle"))
        orders.add(tuple(game.deck_of(state)))
    assert len(orders) > 15


def test_no_seat_is_shown_where_the_cards_are() -> None:
    for rules, hands in (("clean", ("skip see", "attack safe")), ("original", ("skip see", "attack bottom"))):
        game = kittens(f"kittens:rules={rules}")
        views = set()
        for hand in hands:
            deck = [card for card in ("skip", "see", "attack", "safe", "bottom", "bomb") if card not in hand]
            for order in (deck, deck[::-1]):
                state = game.deal_from(f"deck: {' '.join(order)}; 0: defuse; 1: {hand}", seed=1)
                views.add(bytes(state.view(0)))
        assert len(views) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deck: bomb bomb bomb bomb bomb", r"has 5 bomb \(deck: 5\), but the game only 4"),
        ("0: attack attack attack attack", r"has 5 attack \(0: 4, 1: 1\), but the game only 4"),
        ("deck: bomb; 0: bomb", "0: a bomb cannot be in a hand"),
        ("1: kitten", "1: 'kitten' is no card of Kittens: cards are bomb, defuse, skip"),
        ("deck: saef", "did you mean 'safe'"),
        ("deck: 3", "deck: '3' is no card"),
        ("1: 4 skip", "1: '4' is no card"),
        ("deck:", "the deck of the start has 0 cards, not 1 to 60"),
        ("1: 67", "1: '67' must be a whole number from 0 to 66"),
        ("0: 20; 1: 20", "draws 20 for seat 0 and 20 for seat 1, but only 32 cards that are no bombs are left"),
        ("turn: 2", "turn: '2' must be a whole number from 0 to 1"),
        ("owed: 3", "owed: '3' must be a whole number from 1 to 2"),
        ("owed: 0", "owed: '0' must be"),
        ("hand: skip", "'hand: skip' is no part of a start; these are: deck, 0, 1, turn, owed"),
        ("0: skip; 0: see", "'0' is there twice"),
    ],
)
def test_what_is_no_position_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        kittens("kittens").deal_from(text, seed=0)


def test_what_the_options_allow() -> None:
    assert kittens("kittens:stack=true").deal_from("owed: 4", 0).view(0).owed == 4
    with pytest.raises(InvalidPosition, match="from 1 to 4"):
        kittens("kittens:stack=true").deal_from("owed: 5", 0)
    with pytest.raises(InvalidPosition, match="from 1 to 2"):
        kittens("kittens:rules=original").deal_from("owed: 3", 0)
    assert kittens("kittens").deal_from("0: defuse", 0).view(0).deck_size == 32
    with pytest.raises(InvalidPosition, match="has 32 cards, not 1 to 30"):  # more than places have names
        kittens("kittens:place=any").deal_from("0: defuse", 0)
    with pytest.raises(InvalidPosition, match="has 62 cards, not 1 to 60"):
        kittens("kittens:deck=safe60").deal_from("0: defuse", 0)


def test_the_core_checks_a_start_itself() -> None:
    game = kittens("kittens")
    hand = [1, 2, 3]
    bad: list[tuple[list[int] | None, list[int], tuple[int, int], int]] = [
        ([8], hand, (0, 0), 1),
        ([-1], hand, (0, 0), 1),
        ([0] * 5, hand, (0, 0), 1),
        ([7] * 300, hand, (0, 0), 1),
        ([], hand, (0, 0), 1),
        (None, [0], (0, 0), 1),
        (None, hand, (-1, 0), 1),
        (None, hand, (20, 20), 1),
        (None, hand, (0, 0), 0),
        (None, hand, (0, 0), 9),
    ]
    for deck, first, more, owed in bad:
        with pytest.raises(ValueError, match="Kittens"):
            game.arrange_cards(deck, (first, hand), more, 0, owed, 0)
    with pytest.raises(ValueError, match="seat 2"):
        game.arrange_cards(None, (hand, hand), (0, 0), 2, 1, 0)


@given(games(), chances(), st.integers(0, 2**63))
def test_starts_are_read_as_they_are_written(game: Kittens, chance: random.Random, seed: int) -> None:
    cards = sorted((all_cards(game) - Counter(Bomb=99)).elements())
    chance.shuffle(cards)
    size = chance.randint(1, min(len(cards), game.max_deck))
    deck, first, second = cards[:size], cards[size : size + 3], cards[size + 3 : size + 8]
    if game.counts["Bomb"]:
        deck[chance.randrange(size)] = "Bomb"
    turn, owed = chance.randrange(2), chance.randint(1, game.max_owed)
    state = game.deal_from(game.start(deck=deck, hands=(first, second), turn=turn, owed=owed), seed)
    assert [CARDS[card] for card in game.deck_of(state)] == deck
    assert hands_of(state) == [Counter(first), Counter(second)]
    assert (state.turn, state.view(0).owed) == (turn, owed)
    gone = Counter(dict(counted(state.view(1).gone)))
    assert Counter(deck) + Counter(first) + Counter(second) + gone == all_cards(game)


def test_a_start_is_written_only_of_cards() -> None:
    with pytest.raises(InvalidPosition, match="deck: 'Kitten' is no card"):
        Kittens.start(deck=["Kitten"])
    assert Kittens.start() == "turn: 0; owed: 1"
    assert Kittens.start(hands=([], None)) == "0:; turn: 0; owed: 1"


@given(games(), chances(), st.integers(0, 2**63))
def test_matches_from_a_start_follow_the_reference(game: Kittens, chance: random.Random, seed: int) -> None:
    play_in_step(game, game.deal_from(random_start(game, chance), seed), chance)


@given(games(), chances(), st.integers(0, 2**63))
def test_matches_from_a_start_keep_the_promises(game: Kittens, chance: random.Random, seed: int) -> None:
    state, cards = game.deal_from(random_start(game, chance), seed), all_cards(game)
    while True:
        if state.turn is None or chance.random() < 0.25:  # these take longer than all the rest
            check_state(game, state, chance)
            check_refusals(game, state)
        views, truth = [state.view(0), state.view(1)], game.deck_of(state)
        found = Counter(CARDS[card] for card in truth) + Counter(dict(counted(views[0].gone)))
        found["Bomb"] += views[0].placing or views[0].loser is not None
        for view in views:
            other = views[1 - view.seat]
            found += Counter(dict(counted(view.hand))) + Counter(dict(counted(view.played[view.seat])))
            assert all(truth[depth] == card for depth, card in view.known)
            assert all(sure <= count for sure, count in zip(view.holds, other.hand, strict=True))
            assert (view.tensor() >= 0).all()
        assert +found == cards
        assert state.playouts(1, seed) == state.playouts(1, seed, stepwise=True)
        if state.turn is None:
            break
        state.apply(chance.choice(state.legal()))


@pytest.mark.parametrize(
    "spec",
    [
        "kittens:deck=bomb1+defuse57",
        "kittens:deck=bomb1+defuse59,place=any",
        "kittens:deck=bomb2+see29+bottom29",
        "kittens:rules=original,deck=skip20+attack20+shuffle20",
    ],
)
def test_the_largest_starts_stay_within_bounds(spec: str) -> None:
    game = kittens(spec)
    for seed in range(6):
        start = "0: 3; 1: 3" if seed % 2 else "0: defuse defuse; 1: 4"
        state, chance = game.deal_from(start, seed), random.Random(seed)
        assert state.view(0).deck_size >= 58
        while state.turn is not None:
            state.apply(chance.choice(state.legal()))
        assert all(state.view(seat).sample(seed).view(seat) == state.view(seat) for seat in (0, 1))
