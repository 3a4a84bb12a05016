"""The winning chain of Hex joins the right sides by stones of the winner that touch, however rows lie."""

from __future__ import annotations

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.games.hex.game import Hex
from ludoteca.web.drawing.board import board


@pytest.mark.parametrize("options", ["", ",orientation=standard", ",layout=odd-r", ",layout=even-r", ",swap=true"])
def test_a_chain_joins_the_winners_sides(options: str) -> None:
    game = ludoteca.game(f"hex:size=5{options}")
    assert isinstance(game, Hex)
    for seed in range(12):
        state = game.deal(seed)
        step = 0
        while state.turn is not None:
            assert game.winning_chain(state.view(0)) == []
            legal = state.legal()
            state.apply(legal[(7 * step + 3 * seed) % len(legal)])
            step += 1
        view = state.view(0)
        assert isinstance(view, _core.HexView)
        winner = state.returns().index(1.0)
        chain = game.winning_chain(view)
        assert len(set(chain)) == len(chain) >= 5 and all(view.stones[cell] == winner for cell in chain)
        ends = [(cell % 5 if winner == game.across else cell // 5) for cell in (chain[0], chain[-1])]
        assert ends == [0, 4]
        assert "class='chain'" in game.end_overlay(view) and "class='chain'" in board(view, playable=False)


def test_a_chain_of_one_cell() -> None:
    game = Hex(1)
    state = game.deal(0)
    state.apply(0)
    assert game.winning_chain(state.view(0)) == [0] and game.end_overlay(state.view(0))
