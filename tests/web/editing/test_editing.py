from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca._core import DominoesView, KittensView
from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes, chain, numbers, tile_of
from ludoteca.games.hex.game import Hex
from ludoteca.games.kittens.game import CARDS, Kittens
from ludoteca.messages import translate
from ludoteca.web.editing.dominoes import TARGETS, DominoesEditing
from ludoteca.web.editing.hex import HexEditing, hex_actions
from ludoteca.web.editing.horses import HorsesEditing
from ludoteca.web.editing.kittens import KittensEditing
from ludoteca.web.editing.positions import Unplayable
from ludoteca.web.errors import InvalidTable

BOMB, DEFUSE, SKIP, ATTACK, SEE, BOTTOM, SHUFFLE, SAFE = range(len(CARDS))


@given(st.permutations(range(16)), st.integers(0, 10))
def test_stones_become_actions_that_put_exactly_them(cells: list[int], count: int) -> None:
    game = Hex(4)
    stones = {cell: turn % 2 for turn, cell in enumerate(cells[:count])}
    try:
        actions = hex_actions(game, stones)
    except InvalidTable:
        return  # these stones connect two sides
    match = ludoteca.Match(game, 0, actions)
    placed = game.deal(0)
    for action in actions:
        placed.apply(action)
    assert {cell: owner for cell, owner in enumerate(placed.view(0).stones) if owner is not None} == stones
    assert match.turn in (count % 2, None)


def test_what_no_match_comes_to_is_refused_in_both_languages() -> None:
    with pytest.raises(Unplayable, match="as many, or one more") as caught:
        hex_actions(Hex(3), {0: 1})
    assert "las mismas o una más" in translate(caught.value.message, "es")
    with pytest.raises(Unplayable, match="the match is over"):
        hex_actions(Hex(3), {0: 0, 1: 0, 2: 0, 6: 1, 7: 1, 8: 1})


def test_a_layout_of_horses() -> None:
    editing = HorsesEditing(ludoteca.game("horses:size=5"))
    with pytest.raises(LudotecaError, match="both knights"):
        editing.match()
    editing.put(0, "W")
    with pytest.raises(LudotecaError, match="no knight B"):
        editing.match()
    editing.put(24, "B")
    editing.put(7, "+10")
    editing.put(3, "W")
    editing.put(8, "-5")
    editing.put(8, "-5")
    assert editing.match() == ludoteca.Match(ludoteca.game("horses:size=5,layout=W@d5/B@e1/+10@c4"), 0)


@pytest.mark.parametrize(("cell", "brush"), [(-1, "W"), (25, "W"), (0, "+7"), (0, "<script>")])
def test_odd_messages_change_nothing(cell: int, brush: str) -> None:
    editing = HorsesEditing(ludoteca.game("horses:size=5"))
    with pytest.raises(InvalidTable):
        editing.put(cell, brush)
    assert editing.things == {}


# Dominoes


def put(editing: DominoesEditing, target: str, *tiles: tuple[int, int]) -> None:
    for pair in tiles:
        editing.put(tile_of(*pair), target)


def table(match: ludoteca.Match, seat: int) -> DominoesView:
    return expect(match.view(seat), DominoesView)


def test_tiles_turn_so_that_they_fit() -> None:
    editing = DominoesEditing(Dominoes(), 3)
    put(editing, "right", (6, 4), (4, 1))
    put(editing, "left", (6, 6), (6, 2))
    put(editing, "0", (5, 5), (3, 1))
    assert editing.line == [(2, 6), (6, 6), (6, 4), (4, 1)]
    editing.counts[1] = 4
    editing.turn = 1
    assert editing.start() == "line: 2-6 6-6 6-4 4-1; 0: 3-1 5-5; 1: 4; turn: 1"
    match = editing.match()
    assert match.seed == 3 and match.view(1).turn == 1
    with pytest.raises(Unplayable, match="3-2 does not fit there"):
        put(editing, "right", (3, 2))
    assert editing.fits(tile_of(2, 3), "left") and not editing.fits(tile_of(2, 3), "right")


def test_only_what_is_free_or_at_an_end_can_be_taken() -> None:
    editing = DominoesEditing(Dominoes(), 0)
    put(editing, "right", (6, 4), (4, 1), (1, 1))
    put(editing, "1", (5, 0))
    with pytest.raises(Unplayable, match="Only the tiles at the ends"):
        put(editing, "0", (4, 1))
    put(editing, "0", (5, 0))
    assert editing.hands == ([], []) and editing.where(tile_of(5, 0)) == ""
    put(editing, "0", (1, 1))
    put(editing, "0", (6, 4))
    put(editing, "0", (4, 1))
    assert editing.line == [] and editing.hands == ([], [])


def test_what_cannot_be_dealt_or_played_is_told() -> None:
    editing = DominoesEditing(Dominoes(pips=3, variant="block"), 0)
    editing.counts = [9, 2]
    with pytest.raises(Unplayable, match="11 tiles are to be drawn by chance, but only 10 are left"):
        editing.match()
    put(editing, "left", (3, 3))
    put(editing, "0", (1, 1))
    put(editing, "1", (2, 1))
    with pytest.raises(Unplayable, match="Nobody can play"):
        editing.match()


def test_other_options_keep_the_tiles_and_another_set_does_not() -> None:
    editing = DominoesEditing(Dominoes(), 0)
    put(editing, "left", (6, 6))
    editing.change(Dominoes(variant="block", hand=5))
    assert editing.line == [(6, 6)] and editing.counts == [5, 5]
    editing.change(Dominoes(pips=4))
    assert editing.line == [] and table(editing.match(), 0).counts == (3, 3)


@pytest.mark.parametrize(("tile", "target"), [(-1, "left"), (28, "left"), (0, "2"), (0, "<script>")])
def test_odd_messages_move_no_tile(tile: int, target: str) -> None:
    editing = DominoesEditing(Dominoes(), 0)
    with pytest.raises(InvalidTable):
        editing.put(tile, target)
    assert editing == DominoesEditing(Dominoes(), 0)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 27), st.sampled_from(TARGETS)), max_size=60), st.integers(0, 2**62))
def test_whatever_is_clicked_the_match_begins_with_it(clicks: list[tuple[int, str]], seed: int) -> None:
    editing = DominoesEditing(Dominoes(), seed)
    for tile, target in clicks:
        try:
            editing.put(tile, target)
        except Unplayable:
            continue
    try:
        match = editing.match()
    except Unplayable:
        return  # too few tiles are left to be drawn
    for seat in (0, 1):
        view = table(match, seat)
        assert [(each.left, each.right) for each in chain(view.line)] == editing.line
        held = sorted(view.hand)
        assert held == sorted(editing.hands[seat]) if editing.hands[seat] else len(held) == editing.counts[seat]


def test_a_hand_set_up_is_in_no_view_of_the_other() -> None:
    editing = DominoesEditing(Dominoes(), 5)
    put(editing, "left", (6, 6))
    put(editing, "0", (1, 0))
    put(editing, "1", (5, 5), (4, 4))
    first = editing.match().view(0)
    put(editing, "1", (5, 5), (3, 2))
    assert editing.match().view(0) == first
    assert {numbers(tile) for tile in table(editing.match(), 1).hand} == {(4, 4), (3, 2)}


# Kittens


def test_cards_are_added_moved_and_taken() -> None:
    editing = KittensEditing(Kittens(), 0)
    for card in (SAFE, BOMB, SKIP):
        editing.add(card, "deck")
    editing.mark(1)
    editing.add(SEE, "deck")
    editing.add(ATTACK, "deck")
    assert editing.deck == [SAFE, SEE, ATTACK, BOMB, SKIP] and editing.marked == 3
    editing.move(-1)
    editing.move(-1)
    assert editing.deck == [SAFE, BOMB, SEE, ATTACK, SKIP] and editing.marked == 1
    editing.take()
    assert editing.deck == [SAFE, SEE, ATTACK, SKIP] and editing.marked == 1
    editing.mark(1)
    assert editing.marked is None
    editing.move(1)
    editing.take()
    assert editing.deck == [SAFE, SEE, ATTACK, SKIP]
    editing.mark(3)
    editing.move(1)
    assert editing.deck[-1] == SKIP
    editing.take()
    assert editing.deck == [SAFE, SEE, ATTACK] and editing.marked is None


def test_hands_begin_as_dealt_and_change_by_clicks() -> None:
    editing = KittensEditing(Kittens(), 0)
    editing.add(SHUFFLE, "1")
    editing.drop(1, SKIP)
    assert editing.hands == ([DEFUSE, SKIP, ATTACK], [DEFUSE, ATTACK, SHUFFLE])
    with pytest.raises(InvalidTable, match="seat 0 has no card 6"):
        editing.drop(0, SHUFFLE)
    editing.add(SAFE, "deck")
    editing.fill(9)
    used = [sum(pile.count(card) for pile in (editing.deck, *editing.hands)) for card in range(len(CARDS))]
    assert used == [4, 4, 4, 4, 1, 1, 1, 17] and len(editing.deck) == 30
    again = KittensEditing(Kittens(), 0)
    again.fill(9)
    assert again.deck != editing.deck
    editing.clear()
    assert editing == KittensEditing(Kittens(), 0)


@pytest.mark.parametrize(("card", "target"), [(-1, "deck"), (8, "deck"), (0, "2"), (0, "<script>")])
def test_odd_messages_move_no_card(card: int, target: str) -> None:
    editing = KittensEditing(Kittens(), 0)
    with pytest.raises(InvalidTable):
        editing.add(card, target)
    with pytest.raises(InvalidTable):
        editing.mark(0)
    assert editing == KittensEditing(Kittens(), 0)


def test_there_are_only_so_many_cards() -> None:
    editing = KittensEditing(Kittens(deck="bomb1+see1"), 0)
    assert [editing.left(card) for card in range(len(CARDS))] == [1, 0, 0, 0, 1, 0, 0, 0]
    with pytest.raises(Unplayable, match="A bomb cannot be in a hand"):
        editing.add(BOMB, "0")
    editing.add(BOMB, "deck")
    for card in (BOMB, SKIP):
        with pytest.raises(Unplayable, match="no more of these cards"):
            editing.add(card, "deck")
    editing.drop(1, SKIP)
    editing.add(SKIP, "deck")
    assert editing.deck == [BOMB, SKIP]
    for card in (DEFUSE, ATTACK):
        editing.drop(1, card)
    editing.counts[1] = 4
    with pytest.raises(Unplayable, match="4 cards are to be drawn by chance, but only 3 that are no bombs are left"):
        editing.match()
    editing.counts[1] = 3
    assert expect(editing.match().view(0), KittensView).hand_sizes == (3, 3)


def test_a_deck_left_open_is_all_that_is_left() -> None:
    editing = KittensEditing(Kittens(), 5)
    editing.add(SEE, "0")
    assert expect(editing.match().view(0), KittensView).deck_size == 29
    editing = KittensEditing(Kittens(deck="see1"), 5)
    editing.add(SEE, "0")
    with pytest.raises(Unplayable, match="No card is left for the deck"):
        editing.match()
    with pytest.raises(Unplayable, match="No card is left for the deck"):
        editing.fill(1)


def test_other_options_keep_the_cards_if_there_are_so_many() -> None:
    editing = KittensEditing(Kittens(deck="rich"), 0)
    for _ in range(3):
        editing.add(SEE, "deck")
    editing.change(Kittens(deck="rich", place="any"))
    assert editing.deck == [SEE, SEE, SEE]
    editing.change(Kittens())
    assert editing.deck == [] and editing.match().turn == 0


def test_a_match_of_kittens_begins_with_what_was_set_up() -> None:
    game = Kittens()
    editing = KittensEditing(game, 4, turn=1, owed=2)
    for card in (SAFE, BOMB, SKIP):
        editing.add(card, "deck")
    editing.add(SEE, "0")
    assert editing.start() == "deck: safe bomb skip; 0: defuse skip attack see; 1: defuse skip attack; turn: 1; owed: 2"
    match = editing.match()
    view = expect(match.view(0), KittensView)
    assert (match.turn, view.owed, view.deck_size, view.bombs, view.hand_sizes) == (1, 2, 3, 1, (4, 3))
    assert [card for card, count in enumerate(view.hand) for _ in range(count)] == editing.hands[0]
    assert game.deck_of(game.deal_from(match.start, match.seed)) == editing.deck


@given(st.dictionaries(st.integers(0, 24), st.sampled_from(["0", "1"])))
def test_stones_stand_in_the_address(things: dict[int, str]) -> None:
    editing = HexEditing(Hex(5), things)
    assert HexEditing.read(Hex(5), editing.written()) == editing


def test_a_layout_stands_in_the_address() -> None:
    game = ludoteca.game("horses:size=5,penalty=every")
    editing = HorsesEditing(game, {0: "W", 7: "+10", 8: "-5", 24: "B"})
    assert editing.written() == {"game": game.spec, "at": "W@a5/+10@c4/-5@d4/B@e1"}
    assert HorsesEditing.read(game, editing.written()) == editing


@pytest.mark.parametrize("at", ["0", "0@", "@a1", "2@a1", "0@z9", "0@a1/1@a1", "W@a1"])
def test_stones_that_cannot_be_are_refused(at: str) -> None:
    with pytest.raises(LudotecaError):
        HexEditing.read(Hex(3), {"at": at})


def test_a_line_and_hands_stand_in_the_address() -> None:
    game = Dominoes()
    editing = DominoesEditing(game, 5, turn=1, counts=[3, 4])
    for pair, target in (((6, 4), "right"), ((4, 1), "right"), ((6, 6), "left"), ((3, 2), "1"), ((5, 0), "1")):
        editing.put(tile_of(*pair), target)
    again = DominoesEditing.read(game, editing.written())
    assert again.start() == editing.start() == "line: 6-6 6-4 4-1; 0: 3; 1: 3-2 5-0; turn: 1"
    assert (again.line, again.seed, again.turn) == (editing.line, 5, 1)


@pytest.mark.parametrize(
    "start",
    ["line: 6-4 3-1", "line: 6-4 4-6", "line: 7-4", "line: x", "0: 6-4 6-4", "0: 6-4; 1: 4-6", "0: 99", "turn: 2", "?"],
)
def test_a_line_that_cannot_be_is_refused(start: str) -> None:
    with pytest.raises(LudotecaError):
        DominoesEditing.read(Dominoes(), {"start": start})


def test_a_deck_and_hands_stand_in_the_address() -> None:
    game = Kittens()
    editing = KittensEditing(game, 5, turn=1, owed=2, deck=[SAFE, BOMB, SKIP], counts=[0, 3])
    editing.hands[1].clear()
    assert KittensEditing.read(game, editing.written()).start() == editing.start()
    with pytest.raises(Unplayable, match="no more of these cards"):
        KittensEditing.read(game, {"start": "deck: " + "see " * 9})
