"""The best response to a known policy: its values and its belief, against brute force over all orders of the deck."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.kittens.policies import response_tables
from ludoteca.agents.kittens.solver import solve
from ludoteca.errors import InvalidOption
from ludoteca.protocols import Decision
from tests.agents.kittens.oracle import best_response, deals, v2

TINY = ["bomb1+safe2", "bomb2+safe1", "bomb1+defuse1", "bomb2+skip1", "bomb1+bottom1"]


@pytest.mark.parametrize("deck", TINY)
def test_values_of_tiny_decks_are_those_of_brute_force(deck: str) -> None:
    game: Any = ludoteca.game(f"kittens:rules=original,deck={deck}")
    found = _core.kittens_best_response(game.deal(0).view(0), response_tables("v2", 1, False)).run()
    assert found.complete
    assert found.value == pytest.approx(best_response(deals(game), 0, v2, hand_open=True), abs=1e-5)


def test_the_belief_is_that_of_enumeration() -> None:
    for seed in range(4):
        game: Any = ludoteca.game("kittens:rules=original,deck=bomb1+defuse1+skip1+attack1+see1+safe1")
        chance = random.Random(seed)
        truth, worlds = game.deal(seed), deals(game)
        seen = 0
        while truth.turn is not None:
            if truth.turn == 0:
                seen += 1
                _compare(truth.view(0), worlds)
                actions = {chance.choice(truth.legal()): 1.0}
            else:
                actions = dict(v2(truth.view(1)))
            action = chance.choices(list(actions), list(actions.values()))[0]
            if truth.turn == 1:
                worlds = [(weight * v2(world.view(1)).get(action, 0.0), world) for weight, world in worlds]
            truth.apply(action)
            for _, world in worlds:
                world.apply(action)
            worlds = [(weight, world) for weight, world in worlds if weight > 0 and world.view(0) == truth.view(0)]
        assert seen


def _compare(view: Any, worlds: list[tuple[float, Any]]) -> None:
    expected: Counter[tuple[int, ...]] = Counter()
    for weight, world in worlds:
        expected[tuple(world.view(1).hand[1:4])] += weight / sum(each for each, _ in worlds)  # type: ignore[assignment]
    found = {tuple(hand): weight for weight, *hand in _core.kittens_hand_belief(view, response_tables("v2", 1))}
    for hand in expected.keys() | found.keys():
        assert found.get(hand, 0) == pytest.approx(expected.get(hand, 0), abs=2e-3)


@pytest.mark.no_sanitize
def test_the_best_response_wins_close_to_its_bound() -> None:
    game: Any = ludoteca.game("kittens:rules=original,deck=bomb2+defuse1+skip1+attack1+safe5")
    view = game.deal(0).view(0)
    bound = _core.kittens_best_response(view, response_tables("v2", 64, False)).run()
    matches = 2000
    wins = _core.kittens_best_response_wins(game, response_tables("v2", 64), matches, 1)
    assert bound.complete and 0 < (1 + bound.value) / 2 < 1
    assert -0.03 < wins / matches - (1 + bound.value) / 2 < 0.025


def test_solving_ends_with_a_bound() -> None:
    game: Any = ludoteca.game("kittens:rules=original,deck=bomb2+defuse1+safe3")
    decisions = list(solve(game, game.deal(0).view(0), against="v2", memory=64))
    assert isinstance(decisions[-1], Decision)
    assert "at most" in str(decisions[-1].note) and "20000 matches" in str(decisions[-1].note)


def test_only_known_opponents_have_a_best_response() -> None:
    game: Any = ludoteca.game("kittens:rules=original")
    with pytest.raises(InvalidOption, match="random"):
        list(solve(game, game.deal(0).view(0), against="random"))
    clean: Any = ludoteca.game("kittens")
    with pytest.raises(InvalidOption, match="original"):
        list(solve(clean, clean.deal(0).view(0), against="v2"))
