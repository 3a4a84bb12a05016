"""What a visitor enters of a match at a real table: kept in the address, corrected, and refused where it cannot be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoteca import games
from ludoteca.errors import LudotecaError
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.advise.followed import MOST_EVENTS, Followed

HEX = games.game("hex:size=3")
DOMINOES = games.game("dominoes")
HAND = "6-6 5-4 3-1 2-2 6-1 4-0 5-0"


def dominoes(*events: str) -> Followed:
    """You hold HAND and begin."""
    return Followed(DOMINOES, 0, {"hand": HAND.split(), "begins": ["me"]}, events)


def test_what_is_entered_stands_in_the_address() -> None:
    followed = Followed(HEX)
    followed.play(4)
    followed.choose("a1")
    assert followed.events == ["b2", "a1"] and followed.is_my_turn
    again = Followed.read(HEX, followed.fields())
    assert again.events == followed.events and again.match is not None and again.match.view == followed.match.view  # type: ignore[union-attr]
    table = dominoes("6-6@left", "draw")
    assert Followed.read(DOMINOES, table.fields()).fields() == table.fields()


def test_the_hand_is_clicked_tile_by_tile() -> None:
    followed = Followed(DOMINOES)
    items = {each.text: each.item for each in followed.form[0].options}
    for number, tile in enumerate(HAND.split()):
        assert followed.match is None and len(followed.chosen) == number
        followed.click_item(items[tile] or 0)
    assert followed.is_my_turn  # with the highest double, nobody has to say who begins
    for _ in range(2):
        followed.undo()
    assert followed.chosen == HAND.split()[:5]
    followed.click_item(items["5-4"] or 0)  # a second click takes it back
    assert "5-4" not in followed.chosen and len(followed.chosen) == 4


def test_a_start_that_cannot_be_is_refused_and_can_be_answered_again() -> None:
    followed = Followed(DOMINOES, 0, {"line": ["6-6", "5-4"], "hand": ["5-5"], "other": ["4"]})
    with pytest.raises(LudotecaError, match="does not match"):
        followed.answer("me")
    while followed.may_undo:
        followed.undo()
    for text in ("6-6 6-4", "5-5 4-1", "4", "me"):
        followed.answer(text)
    assert followed.is_my_turn and "line: 6-6 6-4; hand: 5-5 4-1" in followed.fields()["start"]
    assert Followed.read(DOMINOES, followed.fields()).fields() == followed.fields()
    followed = Followed(DOMINOES, 0, {"hand": ["5-5", *HAND.split()[1:]]})
    assert followed.question is not None and followed.question.key == "begins"
    followed.answer("other")
    assert followed.turn == 1


def test_a_whole_list_is_entered_or_nothing() -> None:
    followed = dominoes("6-6@left")
    with pytest.raises(InvalidTable, match=r"Number 2 of the list, '6-1': .*in your hand"):
        followed.enter_list("draw, 6-1", "en")
    assert followed.events == ["6-6@left"]
    followed.enter_list("1. robar\n2. 6-2, 6-1 derecha", "es")
    assert followed.events == ["6-6@left", "draw", "6-2@left", "6-1@right"] and followed.turn == 1
    with pytest.raises(InvalidTable, match="how the match began"):
        Followed(DOMINOES).enter_list("draw", "en")
    with pytest.raises(InvalidTable, match="at most"):
        followed.enter_list("draw," * (MOST_EVENTS + 1), "en")
    board = Followed(HEX)
    board.enter_list("1. b2 a1 2. c3", "en")
    assert board.events == ["b2", "a1", "c3"]


def test_an_own_draw_asks_which_tile() -> None:
    hand = {"hand": ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "5-5"], "begins": ["me"]}
    followed = Followed(DOMINOES, 0, hand, ["6-6@left", "6-0@left", "6-5@right", "5-0@right"])
    followed.choose("draw")
    assert followed.question is not None and followed.turn == 0 and len(followed.events) == 4
    drawn = {each.text: each.item for each in followed.options()}
    assert "1-0" in drawn and "6-1" not in drawn and "5-0" not in drawn
    followed.undo()
    assert followed.question is None
    followed.play(next(each.action for each in followed.choices() if each.action is not None))  # the boneyard
    followed.click_item(drawn["1-0"] or 0)
    assert followed.events[4:] == ["draw 1-0"] and followed.is_my_turn


def test_a_tile_that_fits_both_ends_asks_for_the_end() -> None:
    followed = dominoes("6-6@left", "6-4@left", "6-1@right")
    tile = next(each.item for each in followed.form[0].options if each.text == "4-1")
    followed.click_item(tile or 0)
    assert followed.tile == tile and [each.text for each in followed.choices()] == ["4-1@left", "4-1@right"]
    followed.choose("4-1@right")
    assert followed.events[-1] == "4-1@right"


def test_a_correction_names_what_does_not_fit_any_more() -> None:
    followed = Followed(HEX, 0, events=["b2", "a1", "c3", "a2"])
    followed.change(1)
    assert followed.at == 1 and followed.turn == 1 and not followed.is_my_turn
    followed.choose("c3")
    assert followed.unfit is not None and followed.unfit.number == 2 and followed.at == 2
    assert "Entry 3" in str(followed.why_unfit) and followed.events == ["b2", "c3", "c3", "a2"]
    with pytest.raises(InvalidTable, match="First correct entry 3"):
        followed.change(3)
    followed.change(2)
    followed.choose("b3")
    assert followed.unfit is None and followed.events == ["b2", "c3", "b3", "a2"] and followed.is_my_turn


def test_what_was_forgotten_is_inserted_and_what_was_too_much_is_removed() -> None:
    followed = dominoes("6-6@left", "6-2@left", "2-2@left", "draw")
    followed.change(1, insert=True)
    followed.choose("draw")
    assert followed.events[:3] == ["6-6@left", "draw", "6-2@left"] and followed.unfit is None
    followed.remove(1)
    assert followed.events == ["6-6@left", "6-2@left", "2-2@left", "draw"]
    followed.remove(1)  # then I would have played twice
    assert followed.unfit is not None and followed.unfit.number == 1
    followed.choose("6-2@left")  # goes where it is missing
    assert followed.unfit is None and len(followed.events) == 4


def test_nonsense_is_refused_and_changes_nothing() -> None:
    followed = Followed(HEX, 0, events=["b2"])
    attempts: list[Callable[[], None]] = [
        lambda: followed.choose("b2"), lambda: followed.choose(""), lambda: followed.play(-1),
        lambda: followed.play(99),
        lambda: followed.click_item(3), lambda: followed.answer("me"), lambda: followed.take_back("me"),
        lambda: followed.change(1), lambda: followed.change(-1), lambda: followed.remove(7),
    ]  # fmt: skip
    for wrong in attempts:
        with pytest.raises(InvalidTable):
            wrong()
    assert followed.events == ["b2"] and followed.fields() == {"game": "hex:size=3", "events": "b2"}
    for fields in ({"events": "a1," * (MOST_EVENTS + 1)}, {"events": "x" * 300}, {"start": "x" * 2000}):
        with pytest.raises(LudotecaError):
            Followed.read(HEX, fields)
    assert Followed.read(HEX, {"events": "nonsense", "seat": "17"}).unfit is not None
