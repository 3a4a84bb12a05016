"""Positions as people write them."""

from __future__ import annotations

import pytest

import ludoteca
from ludoteca.errors import InvalidPosition
from ludoteca.play.match import Match
from ludoteca.play.positions import position
from ludoteca.testing import random_actions


@pytest.mark.parametrize(
    "spec", ["hex:size=5,swap=true", "horses:size=5", "dominoes", "kittens", "kittens:rules=clean"]
)
@pytest.mark.parametrize("separator", [" ", ", "])
def test_the_names_of_the_actions_lead_to_the_position(spec: str, separator: str) -> None:
    game = ludoteca.game(spec)
    for seed in range(5):
        actions = random_actions(game, seed)
        names = separator.join(game.action_name(action) for action in actions)
        assert position(game, names, seed=seed) == Match(game, seed, actions)


def test_spanish_names_lead_there_too() -> None:
    assert position(ludoteca.game("kittens"), "robar", language="es").actions == [0]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("b2 z9", "action 2 of the position: 'z9' is no cell"),
        ("b2 b2", "action 2 of the position: 'b2' is not legal now"),
        ("a2 a1 b2 b1 c2 c1", "cannot be played: c1"),
    ],
)
def test_what_cannot_be_played_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InvalidPosition, match=complaint):
        position(ludoteca.game("hex:size=3"), text)


def test_a_position_set_up_by_hand_is_played_on_from() -> None:
    game = ludoteca.game("kittens")
    match = position(game, "draw", start="deck: safe bomb skip; 0: defuse; 1: attack")
    assert match.turn == 1
