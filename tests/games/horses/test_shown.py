"""Horses as a person meets it: options, notation, text and picture."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.errors import InvalidAction, InvalidGame, InvalidOption
from ludoteca.games.horses.game import Horses
from tests.games.horses.matches import TURNS_ROUND, TURNS_ROUND_MATCH, make, play

pytestmark = pytest.mark.no_sanitize


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("horses", {0: "a8", 7: "h8", 8: "a7", 56: "a1", 63: "h1", 64: "pass"}),
        ("horses:size=10", {0: "a10", 9: "j10", 10: "a9", 90: "a1", 99: "j1", 100: "pass"}),
        ("horses:size=5", {0: "a5", 4: "e5", 5: "a4", 20: "a1", 24: "e1", 25: "pass"}),
    ],
)
def test_notation(spec: str, names: dict[int, str]) -> None:
    game = make(spec)
    assert {action: game.action_name(action) for action in names} == names
    assert game.num_actions == max(names) + 1


def test_notation_forgives_case_and_spaces() -> None:
    game = make("horses")
    assert game.parse_action(" A 8\n") == 0
    assert game.parse_action("PASS") == 64


@pytest.mark.parametrize("text", ["a9", "i1", "a0", "8a", "a", "a11", "a¹", "passs", "@", "a8b8"])
def test_unreadable_actions_are_named_in_the_error(text: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        make("horses").parse_action(text)
    assert str(caught.value) == (
        f"{text!r} is no action of horses: actions are a8 (top left) to h1 (bottom right) and pass"
    )


def test_squares_of_a_larger_board_are_unreadable_on_a_smaller_one() -> None:
    with pytest.raises(InvalidAction, match="'a8' is no action of horses:size=5: actions are a5 "):
        make("horses:size=5").parse_action("a8")


@pytest.mark.parametrize("action", [-1, 65])
def test_actions_out_of_range_have_no_name(action: int) -> None:
    with pytest.raises(InvalidAction, match=f"action {action} does not exist in horses: actions are 0 to 64"):
        make("horses").action_name(action)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("horses:size=4", "size=4 must be a whole number from 5 to 10"),
        ("horses:size=11", "size=11 must be a whole number from 5 to 10"),
        ("horses:size=big", "size=big is not a whole number"),
        ("horses:penalty=twice", "penalty=twice is none of once, every"),
        ("horses:colour=red", "horses has no option 'colour'; its options are size, penalty, charge, layout"),
        ("horses:layout=W@b1", "layout=W@b1: no knight B; both W and B are needed"),
        ("horses:layout=B@b1/+1@c1", "no knight W; both W and B are needed"),
        ("horses:layout=/", "layout=/: no knight W; both W and B are needed"),
        ("horses:layout=W@b1/B@g8/W@c3", "W stands on two squares, b1 and c3"),
        ("horses:layout=W@b1/B@b1", "two things on b1; each knight and each value needs a square of its own"),
        ("horses:layout=W@b1/B@g8/+1@b1", "two things on b1"),
        ("horses:layout=+1@c3/W@b1/B@g8/+2@c3", "two things on c3"),
        ("horses:layout=+1@c3/W@c3/B@g8", "two things on c3"),
        ("horses:layout=W@b1/B@g8/0@c3", "'0@c3' has no value from -10 to -1 or from +1 to +10"),
        ("horses:layout=W@b1/B@g8/+11@c3", "'+11@c3' has no value from -10 to -1 or from +1 to +10"),
        ("horses:layout=W@b1/B@g8/-11@c3", "'-11@c3' has no value"),
        ("horses:layout=W@b1/B@g9", "'B@g9' lies off the board, whose squares are a8 to h1"),
        ("horses:size=5,layout=W@b1/B@f2", "'B@f2' lies off the board, whose squares are a5 to e1"),
        ("horses:layout=W@b1/B@g8/N@c3", "'N@c3' is neither a knight on a square nor a value on a square"),
        (
            "horses:layout=W@b1/B@g8/c3",
            "'c3' is neither a knight on a square nor a value on a square; write W@b1/",
        ),
        ("horses:layout=W@b1/B@g8/+@c3", "'+@c3' is neither"),
        ("horses:layout=W@b1/B@g8/+1@", "'+1@' is neither"),
        pytest.param(f"horses:layout=W@b1/B@g8/{'1' * 5000}@c3", "1@c3' is neither", id="5000 digits"),
    ],
)
def test_wrong_options_say_what_is_right(spec: str, message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        ludoteca.game(spec)
    assert str(caught.value).startswith("horses")
    assert message in str(caught.value)


def test_a_comma_between_the_items_of_a_layout_is_no_spec() -> None:
    with pytest.raises(InvalidGame, match="'B@g8' is not of the form key=value"):
        ludoteca.game("horses:layout=W@b1,B@g8")


@pytest.mark.parametrize("size", [True, 8.0, "8", None])
def test_the_size_is_a_whole_number(size: object) -> None:
    with pytest.raises(InvalidOption, match="must be a whole number from 5 to 10"):
        Horses(size=size)  # type: ignore[arg-type]


def test_the_layout_is_a_text() -> None:
    with pytest.raises(InvalidOption, match=r"layout=\['W@b1'\] must be a text such as W@b1/B@g8"):
        Horses(layout=["W@b1"])  # type: ignore[arg-type]


def test_the_text_board() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    state = play(game, game.deal(0), TURNS_ROUND_MATCH[:2])
    assert game.text(state.view(0)).splitlines() == [
        "5    ·   ·   B   ·   ·",
        "4    ·   ·   ·   ·   ·",
        "3    ·  -1   W   #   ·",
        "2    ·   ·   ·   ·   #",
        "1    ·   ·  +5   ·   ·",
        "     a   b   c   d   e",
        "White (W) 0 to move   Black (B) 0",
    ]


@pytest.mark.parametrize(
    ("moves", "english", "spanish"),
    [
        (0, "White (W) 0 to move   Black (B) 0", "Blanco (W) 0 mueve   Negro (B) 0"),
        (6, "White (W) 5 must pass   Black (B) -1", "Blanco (W) 5 debe pasar   Negro (B) -1"),
        (7, "White (W) 1 stuck   Black (B) -1 to move", "Blanco (W) 1 sin salida   Negro (B) -1 mueve"),
        (10, "White (W) 1 wins   Black (B) -1", "Blanco (W) 1 gana   Negro (B) -1"),
    ],
)
def test_the_standing_in_both_languages(moves: int, english: str, spanish: str) -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    view = play(game, game.deal(0), TURNS_ROUND_MATCH[:moves]).view(0)
    assert game.text(view).splitlines()[-1] == english
    assert game.text(view, language="es").splitlines()[-1] == spanish


def shapes(svg: str) -> Counter[str]:
    return Counter(element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter())


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("text")]


def test_the_picture_shows_values_scores_and_standing() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    state = game.deal(0)
    shown = texts(game.svg(state.view(0)))
    assert {"−1", "+5", "White", "Black", "to move", "0", "a", "e", "1", "5"} <= set(shown)
    play(game, state, TURNS_ROUND_MATCH[:7])
    shown = texts(game.svg(state.view(1), language="es"))
    assert {"Blanco", "Negro", "sin salida", "mueve", "penalizado", "+1", "−1"} <= set(shown)
    assert "+5" not in shown


def test_numbers_are_readable_on_a_phone_on_the_largest_board() -> None:
    game = make("horses:size=10")
    drawn = ElementTree.fromstring(game.svg(game.deal(0).view(0)))
    scale = 366 / float((drawn.get("viewBox") or "").split()[2])
    sizes = [float(text.get("font-size", 0)) * scale for text in drawn.iter() if text.tag.endswith("text")]
    assert len(sizes) > 30 and min(sizes) >= 10


def test_the_text_board_has_room_for_two_digits() -> None:
    game = make("horses:size=10,layout=W@a10/B@j9/+10@b1")
    lines = game.text(game.deal(0).view(0)).splitlines()
    assert lines[0] == "10    W" + "   ·" * 9
    assert lines[1] == " 9 " + "   ·" * 9 + "   B"
    assert lines[10] == "   " + "".join(f"   {letter}" for letter in "abcdefghij")


def test_the_picture_takes_heat_last_and_line() -> None:
    game = make("horses:layout=W@b1/B@g8")
    view = game.deal(0).view(0)
    plain = shapes(game.svg(view))
    warm = shapes(game.svg(view, heat={game.parse_action("a3"): 1.0, game.parse_action("c3"): 0.0}))
    assert warm["rect"] == plain["rect"] + 2
    assert warm["circle"] == plain["circle"], "the rings around the legal moves stay"
    assert shapes(game.svg(view, last=0))["rect"] == plain["rect"] + 1
    numbered = game.svg(view, line=[game.parse_action(name) for name in ("c3", "f6", "e4")])
    assert Counter(texts(numbered)) - Counter(texts(game.svg(view))) == Counter(["1", "2", "3"])


def test_a_pass_is_not_drawn() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    view = play(game, game.deal(0), TURNS_ROUND_MATCH[:6]).view(0)
    without_frame = game.svg(view, last=game.pass_action)
    assert shapes(without_frame)["rect"] == shapes(game.svg(view))["rect"] - 1
    assert game.svg(view, last=game.pass_action, line=[game.pass_action]) == without_frame
    assert shapes(game.svg(view, heat={game.pass_action: 1.0}))["rect"] == shapes(game.svg(view))["rect"]


def test_a_view_of_another_game_is_not_drawn() -> None:
    with pytest.raises(TypeError, match="this game shows a HorsesView, not a HexView"):
        make("horses").svg(ludoteca.game("hex:size=3").deal(0).view(0))
