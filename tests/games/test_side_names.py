from __future__ import annotations

import pytest

from ludoteca.games import game, names, rules_text, summary
from ludoteca.games.picture import SEATS
from ludoteca.games.side_names import aim, goal, side
from ludoteca.messages import translate
from ludoteca.protocols import Seat

pytestmark = pytest.mark.no_sanitize


@pytest.mark.parametrize(
    ("spec", "seat", "expected"),
    [
        ("hex", 0, "You are red: connect left and right."),
        ("hex", 1, "You are blue: connect top and bottom."),
        ("hex:orientation=standard", 0, "You are red: connect top and bottom."),
        ("hex:orientation=standard", 1, "You are blue: connect left and right."),
        ("horses", 0, "You are white: gather more points than black."),
        ("dominoes", 1, "You are blue: be the first without tiles."),
        ("kittens", 0, "You are red: let blue draw the bomb."),
    ],
)
def test_a_goal_names_the_side_and_what_it_is_after(spec: str, seat: Seat, expected: str) -> None:
    assert goal(game(spec), seat) == expected


@pytest.mark.parametrize("orientation", ["left-right", "standard"])
def test_a_seat_wins_by_connecting_the_sides_that_it_is_shown(orientation: str) -> None:
    rules = game(f"hex:size=2,orientation={orientation}")
    state = rules.deal(seed=0)
    for cell in ("a1", "a2", "b1", "b2"):  # a row each: only one of the seats is after that
        if state.turn is not None:
            state.apply(rules.parse_action(cell))
    assert aim(rules, state.returns().index(1.0)) == "connect left and right"


def test_the_colour_that_is_said_is_the_colour_that_is_drawn() -> None:
    for seat, brightest in enumerate(("r", "b")):
        painted = SEATS[seat].removeprefix("#")
        parts = {"r": painted[:2], "g": painted[2:4], "b": painted[4:]}
        assert max(parts, key=parts.__getitem__) == brightest
    assert [side(game("hex"), seat) for seat in (0, 1)] == ["red", "blue"]


class Foreign:
    name, spec = "chess", "chess"


class Sided(Foreign):
    def side(self, seat: Seat) -> str:
        return ("gold", "silver")[seat]

    def aim(self, seat: Seat) -> str:
        return "capture the king"


def test_a_game_of_another_has_players_or_its_own_words() -> None:
    assert goal(Foreign(), 1) == "You are player 2."  # type: ignore[arg-type]
    assert goal(Sided(), 1) == "You are silver: capture the king."  # type: ignore[arg-type]


def test_every_game_of_ours_has_words_in_spanish_too() -> None:
    for name in names():
        for seat in (0, 1):
            said = goal(game(name), seat)
            assert ": " in said and translate(said, "es") != said
        for text in (summary(name), rules_text(name)):
            assert text and translate(text, "es") != text
