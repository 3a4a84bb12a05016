"""The board of Hex for a phone: the same board, turned, with larger cells."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.games.hex.game import Hex
from ludoteca.games.hex.picture import RADIUS, STEP

PHONE = 370.0
"""Pixels that a board has on a phone 390 pixels wide."""


def scale(game: Hex, *, narrow: bool) -> float:
    """Pixels of a phone for one unit of the picture."""
    drawn = ElementTree.fromstring(game.svg(game.deal(0).view(0), narrow=narrow))
    return PHONE / float((drawn.get("viewBox") or "").split()[2])


@pytest.mark.parametrize(("size", "pixels"), [(5, 44.0), (11, 33.0), (13, 28.0), (19, 20.0)])
def test_cells_are_large_on_a_phone(size: int, pixels: float) -> None:
    assert STEP * scale(Hex(size), narrow=True) >= pixels
    assert STEP * scale(Hex(size), narrow=True) > 1.5 * STEP * scale(Hex(size), narrow=False)


@pytest.mark.parametrize("layout", ["axial", "even-r", "odd-r"])
def test_neighbours_touch_in_both_layouts_and_no_other_cells_do(layout: str) -> None:
    game = ludoteca.game(f"hex:size=5,layout={layout}")
    assert isinstance(game, Hex)
    for narrow in (False, True):
        for cell in range(25):
            here = game.centre(cell, narrow=narrow)
            near = {o for o in range(25) if o != cell and math.dist(here, game.centre(o, narrow=narrow)) < 1.1 * STEP}
            assert near == set(game.neighbours(cell))


@pytest.mark.parametrize("orientation", ["left-right", "standard"])
def test_left_and_right_top_and_bottom_are_true_in_both_layouts(orientation: str) -> None:
    game = ludoteca.game(f"hex:size=7,orientation={orientation}")
    assert isinstance(game, Hex)
    for narrow in (False, True):
        for left, right in zip(*game.edges(game.across), strict=True):
            assert game.centre(left, narrow=narrow)[0] < game.centre(right, narrow=narrow)[0] - 6 * RADIUS
        for top, bottom in zip(*game.edges(1 - game.across), strict=True):
            assert game.centre(top, narrow=narrow)[1] < game.centre(bottom, narrow=narrow)[1] - 6 * RADIUS


@pytest.mark.parametrize("size", [1, 9, 10, 19])
def test_labels_are_inside_the_picture_and_readable(size: int) -> None:
    game = Hex(size)
    drawn = ElementTree.fromstring(game.svg(game.deal(0).view(0), narrow=True))
    labels = [each for each in drawn.iter() if each.tag.endswith("text")]
    assert {each.text for each in labels} == {*map(str, range(1, size + 1)), *(chr(97 + i) for i in range(size))}
    for each in labels:
        font = float(each.get("font-size", 0))
        wide = 0.6 * font * len(each.text or "") / (1 if each.get("text-anchor") == "end" else 2)
        assert font * scale(game, narrow=True) >= 12
        assert float(each.get("x", 0)) - wide >= 0 and float(each.get("y", 0)) - font / 2 >= 0


def test_marks_and_chains_are_where_the_stones_are() -> None:
    game, state = Hex(2), Hex(2).deal(0)
    for name in ("a1", "a2", "b1"):
        state.apply(game.parse_action(name))
    for narrow in (False, True):
        chain = game.end_overlay(state.view(0), narrow=narrow)
        ends = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+),([\d.]+)", chain)]
        places = [game.centre(cell, narrow=narrow) for cell in (0, 1)]
        assert all(math.dist(end, place) < 0.1 for end, place in zip(ends, places, strict=True))
        drawn = ElementTree.fromstring(game.svg(state.view(0), narrow=narrow))
        last = next(each for each in drawn.iter() if each.get("data-last"))
        assert math.dist((float(last.get("cx", 0)), float(last.get("cy", 0))), places[1]) < 0.1
