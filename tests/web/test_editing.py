from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca.errors import LudotecaError
from ludoteca.games.hex import Hex
from ludoteca.web.editing import Editing, hex_actions
from ludoteca.web.table import InvalidTable


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


def test_what_no_match_comes_to_is_refused() -> None:
    with pytest.raises(InvalidTable, match="as many, or one more"):
        hex_actions(Hex(3), {0: 1})
    with pytest.raises(InvalidTable, match="the match is over"):
        hex_actions(Hex(3), {0: 0, 1: 0, 2: 0, 6: 1, 7: 1, 8: 1})


def test_a_layout_of_horses() -> None:
    editing = Editing(ludoteca.game("horses:size=5"))
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
    editing = Editing(ludoteca.game("horses:size=5"))
    with pytest.raises(InvalidTable):
        editing.put(cell, brush)
    assert editing.things == {}
