"""What a seat of Kittens may know, and what it is not shown."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.games.kittens.cards import CARDS
from ludoteca.games.kittens.game import Kittens
from tests.games.kittens.matches import counted, follow, kittens, play


def test_the_other_does_not_see_where_a_bomb_went() -> None:
    game = kittens("kittens:place=any,deck=bomb4+defuse1+safe20")
    for seed in range(40):
        state = game.deal(seed)
        while not state.view(0).placing:
            state.apply(0)
        seat = state.turn
        assert seat is not None
        branches = []
        for action in state.legal():
            branch = state.copy()
            branch.apply(action)
            branches.append(branch)
        assert len({bytes(branch.view(1 - seat)) for branch in branches}) == 1
        assert len({bytes(branch.view(seat)) for branch in branches}) == len(branches)


def test_the_other_does_not_see_which_card_was_drawn() -> None:
    game = kittens("kittens:deck=defuse1+skip1+see1+safe1")
    seen = {CARDS[game.deck_of(state)[0]]: state for state in map(game.deal, range(40))}
    assert len(seen) == 4
    for state in seen.values():
        state.apply(0)
    assert len({bytes(state.view(1)) for state in seen.values()}) == 1
    assert len({bytes(state.view(0)) for state in seen.values()}) == 4


def test_in_the_original_a_card_not_held_looks_like_a_draw() -> None:
    game = kittens("kittens:rules=original")
    state = game.deal(1)
    views = []
    for action in ("draw", "see", "bottom", "shuffle"):
        branch = state.copy()
        play(branch, action)
        views.append((bytes(branch.view(0)), bytes(branch.view(1))))
    assert len(set(views)) == 1


def test_see_is_remembered_while_cards_move() -> None:
    game = kittens("kittens:deck=see20+safe20")
    state = next(state for state in map(game.deal, range(99)) if CARDS[game.deck_of(state)[0]] == "See")
    play(state, "draw, draw")
    deck = game.deck_of(state)
    play(state, "see")
    assert state.view(0).known == list(enumerate(deck[:3])) and state.view(1).known == []
    play(state, "draw, draw")
    assert state.view(0).known == [(0, deck[2])]
    assert state.view(0).holds[deck[1]] == 1 + (CARDS[deck[1]] in ("Defuse", "Skip", "Attack"))


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8), st.booleans(), st.booleans(), st.integers(0, 2**63))
def test_nothing_is_lost_and_nothing_false_is_known(
    counts: list[int], original: bool, any_place: bool, seed: int
) -> None:
    if not any(counts):
        counts[0] = 1
    deck = "+".join(f"{card}{count}" for card, count in zip(CARDS, counts, strict=True) if count)
    game = Kittens("original" if original else "clean", deck.lower(), False, "any" if any_place else "thirds", 60)
    state, chance = game.deal(seed), random.Random(seed)
    total = Counter(dict(zip(CARDS, counts, strict=True)))
    total.update(dict.fromkeys(("Defuse", "Skip", "Attack"), 2))
    while state.turn is not None:
        state.apply(chance.choice(state.legal()))
        views, truth = [state.view(0), state.view(1)], game.deck_of(state)
        found = Counter(CARDS[card] for card in truth)
        for view in views:
            found.update(dict(counted(view.hand)))
            found.update(dict(counted(view.played[view.seat])))
            other = views[1 - view.seat]
            assert all(truth[depth] == card for depth, card in view.known)
            assert not view.suspects or any(truth[depth] == 0 for depth in view.suspects)
            assert all(sure <= count for sure, count in zip(view.holds, other.hand, strict=True))
            assert sum(other.hand) == view.hand_sizes[other.seat]
        out = state.view(0).placing or state.view(0).loser is not None  # a bomb in somebody's hands
        found["Bomb"] += out
        assert +found == +total


@pytest.mark.no_sanitize
@pytest.mark.parametrize("place", ["thirds", "any"])
@pytest.mark.parametrize("deck", ["bomb3+defuse9+see9+bottom4", "bomb4+defuse8+see8+shuffle1"])
def test_memories_follow_hidden_bombs(deck: str, place: str) -> None:
    game = kittens(f"kittens:deck={deck},place={place}")
    followed: Counter[str] = Counter()
    for seed in range(600):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            legal, seat = state.legal(), state.turn
            action = 6 if 6 in legal and chance.random() < 0.5 else chance.choice(legal)
            before = state.view(seat)
            state.apply(action)
            truth = game.deck_of(state)
            for view in (state.view(0), state.view(1)):
                assert all(truth[depth] == card for depth, card in view.known), (seed, view.known, truth)
                assert not view.suspects or any(truth[depth] == 0 for depth in view.suspects)
                assert len(view.suspects) != 1
            after, event = state.view(seat), game.events(state.view(seat))[-1]
            if not before.suspects:
                continue
            if before.placing:  # a bomb on top or at the bottom leaves no doubt what it moves
                assert event.depth is not None
                if event.depth in (0, before.deck_size):
                    assert after.suspects == [depth + (depth >= event.depth) for depth in before.suspects]
                    followed["place"] += 1
            elif action == 6 and "Bomb" not in event.cards:
                left = [depth for depth in before.suspects if depth >= len(event.cards)]
                assert after.suspects == left or (len(left) == 1 and (left[0], 0) in after.known)
                followed["see"] += 1
            elif action == 0 and event.what == "draw":
                left = [depth - 1 for depth in before.suspects if depth]
                assert after.suspects == left or (len(left) == 1 and (left[0], 0) in after.known)
                followed["draw"] += 1
    assert min(followed[what] for what in ("place", "see", "draw")) > 1, followed


def test_only_the_original_shows_which_draws_are_counted() -> None:
    for rules, kinds in (("clean", 1), ("original", 2)):
        game = kittens(f"kittens:rules={rules},deck=defuse1+skip1+attack1+see1+bottom1+shuffle1+safe1")
        drawn = {CARDS[game.deck_of(state)[0]]: state for state in map(game.deal, range(60))}
        assert len(drawn) == 7
        for state in drawn.values():
            state.apply(0)
        seen = {card: bytes(state.view(1)) for card, state in drawn.items()}
        assert len(set(seen.values())) == kinds
        assert seen["Defuse"] == seen["Skip"] == seen["Attack"] == seen["Safe"]
        assert seen["See"] == seen["Bottom"] == seen["Shuffle"]
        told = [state.view(1).counted for state in (drawn["Safe"], drawn["See"])]
        assert told == ([(4, 3), (3, 3)] if rules == "original" else [None, None])


def test_all_samples_agree_with_what_the_original_tells() -> None:
    game = kittens("kittens:rules=original,deck=rich")
    for seed in range(30):
        state = follow(game, seed, 8 + seed % 12).state
        for seat in (0, 1):
            view, worlds = state.view(seat), [state.view(seat).sample(number) for number in range(20)]
            hands = [world.view(1 - seat).hand for world in worlds]
            assert view.counted is not None
            assert {sum(hand[card] for card in (1, 2, 3, 7)) for hand in hands} == {view.counted[1 - seat]}
