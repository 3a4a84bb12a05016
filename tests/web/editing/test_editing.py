from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca._core import DominoesView, KittensView
from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import chain, numbers, tile_of
from ludoteca.games.hex.game import Hex
from ludoteca.games.horses.game import Horses
from ludoteca.games.kittens.cards import CARDS
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import translate
from ludoteca.web.editing.dominoes import TARGETS, DominoesEditor
from ludoteca.web.editing.hex import HexEditor, hex_actions
from ludoteca.web.editing.horses import HorsesEditor
from ludoteca.web.editing.kittens import KittensEditor
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
    editor = HorsesEditor(Horses(5))
    with pytest.raises(LudotecaError, match="both knights"):
        editor.match()
    editor.put(0, "W")
    with pytest.raises(LudotecaError, match="no knight B"):
        editor.match()
    editor.put(24, "B")
    editor.put(7, "+10")
    editor.put(3, "W")
    editor.put(8, "-5")
    editor.put(8, "-5")
    assert editor.match() == ludoteca.Match(ludoteca.game("horses:size=5,layout=W@d5/B@e1/+10@c4"), 0)


@pytest.mark.parametrize(("cell", "brush"), [(-1, "W"), (25, "W"), (0, "+7"), (0, "<script>")])
def test_odd_messages_change_nothing(cell: int, brush: str) -> None:
    editor = HorsesEditor(Horses(5))
    with pytest.raises(InvalidTable):
        editor.put(cell, brush)
    assert editor.placed == {}


# Dominoes


def put(editor: DominoesEditor, target: str, *tiles: tuple[int, int]) -> None:
    for pair in tiles:
        editor.put(tile_of(*pair), target)


def table(match: ludoteca.Match, seat: int) -> DominoesView:
    return expect(match.view(seat), DominoesView)


def test_tiles_turn_so_that_they_fit() -> None:
    editor = DominoesEditor(Dominoes(), 3)
    put(editor, "right", (6, 4), (4, 1))
    put(editor, "left", (6, 6), (6, 2))
    put(editor, "0", (5, 5), (3, 1))
    assert editor.line == [(2, 6), (6, 6), (6, 4), (4, 1)]
    editor.counts[1] = 4
    editor.turn = 1
    assert editor.start() == "line: 2-6 6-6 6-4 4-1; 0: 3-1 5-5; 1: 4; turn: 1"
    match = editor.match()
    assert match.seed == 3 and match.view(1).turn == 1
    with pytest.raises(Unplayable, match="3-2 does not fit there"):
        put(editor, "right", (3, 2))
    assert editor.fits(tile_of(2, 3), "left") and not editor.fits(tile_of(2, 3), "right")


def test_only_what_is_free_or_at_an_end_can_be_taken() -> None:
    editor = DominoesEditor(Dominoes(), 0)
    put(editor, "right", (6, 4), (4, 1), (1, 1))
    put(editor, "1", (5, 0))
    with pytest.raises(Unplayable, match="Only the tiles at the ends"):
        put(editor, "0", (4, 1))
    put(editor, "0", (5, 0))
    assert editor.hands == ([], []) and editor.where(tile_of(5, 0)) == ""
    put(editor, "0", (1, 1))
    put(editor, "0", (6, 4))
    put(editor, "0", (4, 1))
    assert editor.line == [] and editor.hands == ([], [])


def test_a_position_that_cannot_be_dealt_or_played_is_refused_with_a_reason() -> None:
    editor = DominoesEditor(Dominoes(pips=3, variant="block"), 0)
    editor.counts = [9, 2]
    with pytest.raises(Unplayable, match=r"11 tiles .* only 10 are left"):
        editor.match()
    put(editor, "left", (3, 3))
    put(editor, "0", (1, 1))
    put(editor, "1", (2, 1))
    with pytest.raises(Unplayable, match="none can be drawn"):
        editor.match()


def test_other_options_keep_the_tiles_and_another_set_does_not() -> None:
    editor = DominoesEditor(Dominoes(), 0)
    put(editor, "left", (6, 6))
    editor.change(Dominoes(variant="block", hand=5))
    assert editor.line == [(6, 6)] and editor.counts == [5, 5]
    editor.change(Dominoes(pips=4))
    assert editor.line == [] and table(editor.match(), 0).counts == (3, 3)


@pytest.mark.parametrize(("tile", "target"), [(-1, "left"), (28, "left"), (0, "2"), (0, "<script>")])
def test_odd_messages_move_no_tile(tile: int, target: str) -> None:
    editor = DominoesEditor(Dominoes(), 0)
    with pytest.raises(InvalidTable):
        editor.put(tile, target)
    assert editor == DominoesEditor(Dominoes(), 0)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 27), st.sampled_from(TARGETS)), max_size=60), st.integers(0, 2**62))
def test_whatever_is_clicked_the_match_begins_with_it(clicks: list[tuple[int, str]], seed: int) -> None:
    editor = DominoesEditor(Dominoes(), seed)
    for tile, target in clicks:
        try:
            editor.put(tile, target)
        except Unplayable:
            continue
    try:
        match = editor.match()
    except Unplayable:
        return  # too few tiles are left to be drawn
    for seat in (0, 1):
        view = table(match, seat)
        assert [(each.left, each.right) for each in chain(view.line)] == editor.line
        held = sorted(view.hand)
        assert held == sorted(editor.hands[seat]) if editor.hands[seat] else len(held) == editor.counts[seat]


def test_a_hand_set_up_is_in_no_view_of_the_other() -> None:
    editor = DominoesEditor(Dominoes(), 5)
    put(editor, "left", (6, 6))
    put(editor, "0", (1, 0))
    put(editor, "1", (5, 5), (4, 4))
    first = editor.match().view(0)
    put(editor, "1", (5, 5), (3, 2))
    assert editor.match().view(0) == first
    assert {numbers(tile) for tile in table(editor.match(), 1).hand} == {(4, 4), (3, 2)}


# Kittens


def test_cards_are_added_moved_and_taken() -> None:
    editor = KittensEditor(Kittens(), 0)
    for card in (SAFE, BOMB, SKIP):
        editor.add(card, "deck")
    editor.mark(1)
    editor.add(SEE, "deck")
    editor.add(ATTACK, "deck")
    assert editor.deck == [SAFE, SEE, ATTACK, BOMB, SKIP] and editor.marked == 3
    editor.move(-1)
    editor.move(-1)
    assert editor.deck == [SAFE, BOMB, SEE, ATTACK, SKIP] and editor.marked == 1
    editor.take()
    assert editor.deck == [SAFE, SEE, ATTACK, SKIP] and editor.marked == 1
    editor.mark(1)
    assert editor.marked is None
    editor.move(1)
    editor.take()
    assert editor.deck == [SAFE, SEE, ATTACK, SKIP]
    editor.mark(3)
    editor.move(1)
    assert editor.deck[-1] == SKIP
    editor.take()
    assert editor.deck == [SAFE, SEE, ATTACK] and editor.marked is None


def test_hands_begin_as_dealt_and_change_by_clicks() -> None:
    editor = KittensEditor(Kittens(), 0)
    editor.add(SHUFFLE, "1")
    editor.drop(1, SKIP)
    assert editor.hands == ([DEFUSE, SKIP, ATTACK], [DEFUSE, ATTACK, SHUFFLE])
    with pytest.raises(InvalidTable, match="seat 0 has no card 6"):
        editor.drop(0, SHUFFLE)
    editor.add(SAFE, "deck")
    editor.fill(9)
    used = [sum(pile.count(card) for pile in (editor.deck, *editor.hands)) for card in range(len(CARDS))]
    assert used == [4, 4, 4, 4, 1, 1, 1, 17] and len(editor.deck) == 30
    again = KittensEditor(Kittens(), 0)
    again.fill(9)
    assert again.deck != editor.deck
    editor.clear()
    assert editor == KittensEditor(Kittens(), 0)


@pytest.mark.parametrize(("card", "target"), [(-1, "deck"), (8, "deck"), (0, "2"), (0, "<script>")])
def test_odd_messages_move_no_card(card: int, target: str) -> None:
    editor = KittensEditor(Kittens(), 0)
    with pytest.raises(InvalidTable):
        editor.add(card, target)
    with pytest.raises(InvalidTable):
        editor.mark(0)
    assert editor == KittensEditor(Kittens(), 0)


def test_there_are_only_so_many_cards() -> None:
    editor = KittensEditor(Kittens(deck="bomb1+see1"), 0)
    assert [editor.left(card) for card in range(len(CARDS))] == [1, 0, 0, 0, 1, 0, 0, 0]
    with pytest.raises(Unplayable, match="A bomb cannot be in a hand"):
        editor.add(BOMB, "0")
    editor.add(BOMB, "deck")
    for card in (BOMB, SKIP):
        with pytest.raises(Unplayable, match="no more of these cards"):
            editor.add(card, "deck")
    editor.drop(1, SKIP)
    editor.add(SKIP, "deck")
    assert editor.deck == [BOMB, SKIP]
    for card in (DEFUSE, ATTACK):
        editor.drop(1, card)
    editor.counts[1] = 4
    with pytest.raises(Unplayable, match=r"4 cards .* only 3 without bombs"):
        editor.match()
    editor.counts[1] = 3
    assert expect(editor.match().view(0), KittensView).hand_sizes == (3, 3)


def test_a_deck_left_open_is_all_that_is_left() -> None:
    editor = KittensEditor(Kittens(), 5)
    editor.add(SEE, "0")
    assert expect(editor.match().view(0), KittensView).deck_size == 29
    editor = KittensEditor(Kittens(deck="see1"), 5)
    editor.add(SEE, "0")
    with pytest.raises(Unplayable, match="No card is left for the deck"):
        editor.match()
    with pytest.raises(Unplayable, match="No card is left for the deck"):
        editor.fill(1)


def test_other_options_keep_the_cards_if_there_are_so_many() -> None:
    editor = KittensEditor(Kittens(deck="rich"), 0)
    for _ in range(3):
        editor.add(SEE, "deck")
    editor.change(Kittens(deck="rich", place="any"))
    assert editor.deck == [SEE, SEE, SEE]
    editor.change(Kittens())
    assert editor.deck == [] and editor.match().turn == 0


def test_a_match_of_kittens_begins_with_what_was_set_up() -> None:
    game = Kittens()
    editor = KittensEditor(game, 4, turn=1, owed=2)
    for card in (SAFE, BOMB, SKIP):
        editor.add(card, "deck")
    editor.add(SEE, "0")
    assert editor.start() == "deck: safe bomb skip; 0: defuse skip attack see; 1: defuse skip attack; turn: 1; owed: 2"
    match = editor.match()
    view = expect(match.view(0), KittensView)
    assert (match.turn, view.owed, view.deck_size, view.bombs, view.hand_sizes) == (1, 2, 3, 1, (4, 3))
    assert [card for card, count in enumerate(view.hand) for _ in range(count)] == editor.hands[0]
    assert game.deck_of(game.deal_from(match.start, match.seed)) == editor.deck


@given(st.dictionaries(st.integers(0, 24), st.sampled_from(["0", "1"])))
def test_stones_stand_in_the_address(things: dict[int, str]) -> None:
    editor = HexEditor(Hex(5), things)
    assert HexEditor.read(Hex(5), editor.fields()) == editor


def test_a_layout_stands_in_the_address() -> None:
    game = Horses(5, penalty="every")
    editor = HorsesEditor(game, {0: "W", 7: "+10", 8: "-5", 24: "B"})
    assert editor.fields() == {"game": game.spec, "at": "W@a5/+10@c4/-5@d4/B@e1"}
    assert HorsesEditor.read(game, editor.fields()) == editor


@pytest.mark.parametrize("at", ["0", "0@", "@a1", "2@a1", "0@z9", "0@a1/1@a1", "W@a1"])
def test_stones_that_cannot_be_are_refused(at: str) -> None:
    with pytest.raises(LudotecaError):
        HexEditor.read(Hex(3), {"at": at})


def test_a_line_and_hands_stand_in_the_address() -> None:
    game = Dominoes()
    editor = DominoesEditor(game, 5, turn=1, counts=[3, 4])
    for pair, target in (((6, 4), "right"), ((4, 1), "right"), ((6, 6), "left"), ((3, 2), "1"), ((5, 0), "1")):
        editor.put(tile_of(*pair), target)
    again = DominoesEditor.read(game, editor.fields())
    assert again.start() == editor.start() == "line: 6-6 6-4 4-1; 0: 3; 1: 3-2 5-0; turn: 1"
    assert (again.line, again.seed, again.turn) == (editor.line, 5, 1)


@pytest.mark.parametrize(
    "start",
    ["line: 6-4 3-1", "line: 6-4 4-6", "line: 7-4", "line: x", "0: 6-4 6-4", "0: 6-4; 1: 4-6", "0: 99", "turn: 2", "?"],
)
def test_a_line_that_cannot_be_is_refused(start: str) -> None:
    with pytest.raises(LudotecaError):
        DominoesEditor.read(Dominoes(), {"start": start})


def test_a_deck_and_hands_stand_in_the_address() -> None:
    game = Kittens()
    editor = KittensEditor(game, 5, turn=1, owed=2, deck=[SAFE, BOMB, SKIP], counts=[0, 3])
    editor.hands[1].clear()
    assert KittensEditor.read(game, editor.fields()).start() == editor.start()
    with pytest.raises(Unplayable, match="no more of these cards"):
        KittensEditor.read(game, {"start": "deck: " + "see " * 9})
