from __future__ import annotations

from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.protocols import Clickable
from ludoteca.web.board import board, words_needed

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
            spots = game.spots(view)
            actions = [spot.action for spot in spots]
            assert len(actions) == len(set(actions))
            assert all(0 <= action < game.num_actions for action in actions)
            assert set(view.legal()) <= set(actions) | set(words_needed(view))
            if step % 5 == 0:
                drawn = ElementTree.fromstring(board(view, playable=True))
                marked = [path for path in drawn.iter() if "spot" in (path.get("class") or "").split()]
                legal = {int(path.get("data-action") or -1) for path in marked if "legal" in (path.get("class") or "")}
                assert legal == set(view.legal()) & set(actions)
            legal_actions = state.legal()
            state.apply(legal_actions[(7 * step + seed) % len(legal_actions)])
            step += 1
        assert "data-action" not in board(state.view(0), playable=False)


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
        assert game.spots(view.sample(seed).view(0)) == game.spots(view)
