from __future__ import annotations

from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.protocols import Clickable
from ludoteca.web.drawing.board import actions_as_words, board, text_board

GAMES = ["hex:size=5", "hex:size=4,swap=true", "hex:size=4,layout=odd-r", "horses:size=5", "dominoes",
         "dominoes:pips=9,hand=20", "kittens", "kittens:place=any,deck=rich"]  # fmt: skip


@pytest.mark.parametrize("spec", GAMES)
def test_every_legal_action_is_a_spot_or_a_word(spec: str) -> None:
    game = ludoteca.game(spec)
    assert isinstance(game, Clickable)
    for seed in range(4):
        state = game.deal(seed)
        step = 0
        while state.turn is not None:
            view = state.view(state.turn)
            spots = game.click_areas(view)
            actions = [spot.action for spot in spots]
            assert len(actions) == len(set(actions))
            assert all(0 <= action < game.num_actions for action in actions)
            assert set(view.legal()) <= set(actions) | set(actions_as_words(view))
            if step % 5 == 0:
                drawn = ElementTree.fromstring(board(view, playable=True))
                marked = [path for path in drawn.iter() if "spot" in (path.get("class") or "").split()]
                legal = {int(path.get("data-action") or -1) for path in marked if "legal" in (path.get("class") or "")}
                assert legal == set(view.legal()) & set(actions)
            legal_actions = state.legal()
            state.apply(legal_actions[(7 * step + seed) % len(legal_actions)])
            step += 1
        assert "legal" not in board(state.view(0), playable=False)
        assert "data-action" not in board(state.view(0), playable=False, named=False)


@pytest.mark.parametrize("spec", ["dominoes", "kittens"])
def test_spots_give_nothing_away(spec: str) -> None:
    """Worlds that a seat cannot tell apart have the same spots."""
    game = ludoteca.game(spec)
    assert isinstance(game, Clickable)
    state = game.deal(3)
    for _ in range(4):
        state.apply(state.legal()[0])
    view = state.view(0)
    for seed in range(5):
        other = view.sample(seed).view(0)
        assert game.click_areas(other) == game.click_areas(view)
        for narrow in (False, True):
            assert board(other, playable=True, narrow=narrow) == board(view, playable=True, narrow=narrow)


@pytest.mark.parametrize("playable", [True, False])
@pytest.mark.parametrize("spec", GAMES)
def test_every_spot_has_a_name_and_one_is_reached_by_the_tabulator(spec: str, playable: bool) -> None:
    state = ludoteca.game(spec).deal(2)
    for step in range(6):
        state.apply(state.legal()[step % len(state.legal())])
    view = state.view(state.turn or 0)
    spots = [path for path in ElementTree.fromstring(board(view, playable=playable)).iter() if path.get("data-action")]
    assert all(path.get("role") == "button" and path.get("aria-label") for path in spots)
    assert [path.get("tabindex") for path in spots].count("0") == 1
    dimmed = {int(path.get("data-action") or -1) for path in spots if path.get("aria-disabled") == "true"}
    assert dimmed.isdisjoint(view.legal()) if playable else len(dimmed) == len(spots)


def test_names_say_what_is_there() -> None:
    game = ludoteca.game("hex:size=3")
    state = game.deal(0)
    state.apply(game.parse_action("b2"))
    state.apply(game.parse_action("c1"))
    drawn = board(state.view(0), playable=True)
    for name in ("b2, red stone", "c1, blue stone", "a3, empty"):
        assert f"aria-label='{name}'" in drawn
    assert "aria-label='b2, piedra roja'" in board(state.view(0), playable=True, language="es")
    layout = ludoteca.game("horses:size=5,layout=W@a1/B@e5/-3@c3/+5@b3").deal(0)
    layout.apply(layout.legal()[0])
    drawn = board(layout.view(0), playable=False)
    assert "aria-label='a1, destroyed'" in drawn and "aria-label='e5, black knight'" in drawn
    assert "points'" in drawn and "white knight'" in drawn
    tiles = ludoteca.game("dominoes").deal(1)
    assert "boneyard (14)'" in board(tiles.view(tiles.turn or 0), playable=True)
    tiles.apply(tiles.legal()[0])
    assert "to the " in board(tiles.view(tiles.turn or 0), playable=True)
    assert "aria-label='the line from left to right: " in board(tiles.view(0), playable=False)
    assert "Defuse" in board(ludoteca.game("kittens").deal(0).view(0), playable=False)


def test_letters_on_a_board_become_squares_and_other_text_stays() -> None:
    drawn = text_board("2x.\n1.o\n ab\n<next>")
    assert drawn.count("square dark") == drawn.count("square light") == 1 and drawn.count("square empty") == 2
    assert drawn.count("square label") == 5 and drawn.endswith("\n&lt;next&gt;</pre>")
    for text in ("[Observer: 0]", "a. <b>\nc. d e\nf. g h", "–", "", "abc\ndef\nghi"):
        assert "square" not in text_board(text)
