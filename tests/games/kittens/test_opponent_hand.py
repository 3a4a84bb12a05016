"""What the other probably holds: its choices are evidence, and what is certain stays certain."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca import _core
from ludoteca.games import game as game_of
from ludoteca.games.kittens.cards import CARD_ACTIONS
from ludoteca.games.kittens.observed import opponents
from ludoteca.play.observed import ObservedMatch

ORIGINAL = "kittens:rules=original"
LARGE = "kittens:deck=bomb6+defuse6+skip8+attack8+see6+bottom6+shuffle6+safe14"
DRAWN = (1, 2, 3, 4)
"""Events that draw a card, from the top or the bottom: see EVENTS."""
PLAYED = {5: 2, 6: 3, 7: 4, 8: 5, 9: 6}
"""By event the card that it plays."""


def views(spec: str, seeds: range) -> Iterator[tuple[_core.KittensView, Any]]:
    """Views of random matches from both seats, with the truth."""
    for seed in seeds:
        state: Any = game_of(spec).deal(seed)
        chance = random.Random(seed)
        while state.turn is not None:
            yield state.view(state.turn), state
            state.apply(chance.choice(state.legal()))


def test_a_card_that_would_have_been_played_is_less_likely() -> None:
    """The same events in another order: counting says the same of both."""
    played, quiet = ["skip", "draw safe", "attack", "draw safe", "draw safe"], ["draw", "draw safe"] * 5
    early = ObservedMatch(game_of("kittens"), 0, "", ["draw safe", *played, *quiet])
    late = ObservedMatch(game_of("kittens"), 0, "", ["draw safe", *quiet, *played])
    beliefs = [{each.item: each.chance for each in match.belief().holdings} for match in (early, late)]  # type: ignore[union-attr]
    for card in CARD_ACTIONS.values():
        counted = [match.view.held_chances(card)[0] for match in (early, late)]  # type: ignore[attr-defined]
        assert counted[0] == pytest.approx(counted[1])
        assert beliefs[0][card] < beliefs[1][card] - 0.08


def test_what_is_certain_stays_certain_and_what_is_possible_stays_possible() -> None:
    for spec in ("kittens", ORIGINAL, "kittens:deck=rich,stack=true,place=any"):
        observer = game_of(spec).observer()  # type: ignore[attr-defined]
        for view, state in views(spec, range(6)):
            hand = state.view(1 - view.seat).hand
            belief = observer.belief(view)
            assert belief.exact and sum(each.expected for each in belief.holdings) == pytest.approx(sum(hand))
            for each in belief.holdings:
                counted = round(1 - view.held_chances(each.item)[0], 9)
                assert (each.chance in (0, 1)) == (counted in (0, 1))
                assert each.chance > 0 if hand[each.item] else each.chance < 1


def test_a_player_at_random_is_believed_to_hold_what_worlds_weighed_by_its_choices_say() -> None:
    """Against sampled worlds, replayed in Python; with original rules it also tries cards that it does not have."""
    anyhow = _core.KittensSoftmaxPolicy([[0.0] * 17] * 5, True)
    for spec in ("kittens", ORIGINAL):
        for number, (view, _) in enumerate(views(spec, range(1, 4))):
            if number % 9 < 8:
                continue
            other, total, held = 1 - view.seat, 0.0, defaultdict[int, float](float)
            for seed in range(400):
                world: Any = view.sample(seed)
                weight = likelihood(world.view(other).log, other, spec == ORIGINAL)
                total += weight
                for card, count in enumerate(world.view(other).hand):
                    held[card] += weight * (count > 0)
            kinds, policies, exact = view.held_by_policies([anyhow])
            assert exact and policies == [1.0]
            for card in range(1, 8):
                assert 1 - kinds[card][0][0] == pytest.approx(held[card] / total, abs=0.12)


def likelihood(log: list[Any], seat: int, original: bool) -> float:
    """Of the choices of a seat that acts at random, by the log in which it sees its own cards."""
    hand, chance, before = [0, 1, 1, 1, 0, 0, 0, 0], 1.0, None
    for who, event, cards, _, _ in log:
        held = sum(hand[card] > 0 for card in CARD_ACTIONS.values())
        new_turn, before = before != who, who
        if who != seat:
            continue
        if original and new_turn:
            chance *= 1 / 6 if event in PLAYED else (6 - held) / 6
        elif not original and event not in (3, 4):
            chance *= 1 / (1 + held)
        if event in PLAYED:
            hand[PLAYED[event]] -= 1
        elif event in DRAWN:
            hand[cards[0] or 1] += 1 if cards[0] else -1
    return chance


def test_sampled_chances_are_within_their_errors() -> None:
    for view, _ in list(views("kittens", range(3)))[::7]:
        sampled, types, exact = view.held_by_policies(opponents(), 0)
        counted, exact_types, _ = view.held_by_policies(opponents())
        assert not exact and types == pytest.approx(exact_types, abs=0.05)
        for (found, error), (right, none) in zip(sampled[1:], counted[1:], strict=True):
            assert none == 0 and abs(found[0] - right[0]) <= 5 * error + 1e-3
    view, _ = list(views(LARGE, range(1)))[-1]
    belief = game_of(LARGE).observer().belief(view)  # type: ignore[attr-defined]
    assert not belief.exact and max(each.error for each in belief.holdings) > 0
