"""Small games: best responses against brute force, and the equilibrium."""

from __future__ import annotations

from typing import Any

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import build, solved
from ludoteca.agents.kittens.solver import solve
from ludoteca.errors import InvalidOption
from tests.agents.kittens.oracle import best_response, deals, uniform


@pytest.mark.parametrize("deck", ["bomb1+safe1", "bomb2+see1", "bomb2+safe1,place=any"])
@pytest.mark.parametrize("seat", [0, 1])
def test_best_responses_are_those_of_brute_force(deck: str, seat: int) -> None:
    game: Any = ludoteca.game(f"kittens:deck={deck}")
    equilibrium = _core.KittensEquilibrium(game, 10**6)
    strategy = [[1 / len(view.legal())] * len(view.legal()) for view in equilibrium.views]
    expected = best_response(deals(game), seat, uniform, hand_open=False)
    assert equilibrium.best_responses(strategy)[seat] == pytest.approx(expected)


def test_cfr_finds_an_equilibrium() -> None:
    game: Any = ludoteca.game("kittens:deck=bomb2+safe2")
    equilibrium = build(game, 10**5)
    assert equilibrium is not None
    before = equilibrium.exploitability()
    equilibrium.iterate(200)
    average = equilibrium.average_strategy()
    assert before > 0.5 > 0.001 > equilibrium.exploitability(average) >= 0
    # Neither seat gets more than the value, give or take that.
    value = equilibrium.value(average)
    assert equilibrium.best_responses(average) == pytest.approx((value, -value), abs=0.002)
    assert equilibrium.best_responses() == equilibrium.best_responses(average)


def test_every_view_is_an_information_set_with_a_choice() -> None:
    game: Any = ludoteca.game("kittens:deck=bomb1+safe1")
    equilibrium = _core.KittensEquilibrium(game, 10**5)
    equilibrium.iterate(10)
    for view, probabilities in zip(equilibrium.views, equilibrium.average_strategy(), strict=True):
        assert view in equilibrium and len(view.legal()) > 1
        assert equilibrium.action_probabilities(view) == probabilities
    with pytest.raises(ValueError, match="one number for each legal action"):
        equilibrium.value([[1.0]] * len(equilibrium.views))
    other: Any = ludoteca.game("kittens")
    assert other.deal(0).view(0) not in equilibrium
    with pytest.raises(ValueError, match="cannot occur"):
        equilibrium.action_probabilities(other.deal(0).view(0))


def test_large_games_and_games_with_chance_are_not_built() -> None:
    assert build(ludoteca.game("kittens"), 1000) is None
    assert build(ludoteca.game("kittens:deck=bomb1+shuffle1"), 10**6) is None
    assert solved(ludoteca.game("kittens:rules=original,deck=bomb1+safe1")) is None


def test_solving_a_small_game_proves_it() -> None:
    game: Any = ludoteca.game("kittens:deck=bomb2+safe2")
    *_, last = solve(game, game.deal(0).view(0))
    assert last.proven and last.value == pytest.approx(-1 / 3, abs=0.002)
    state = game.deal(0)
    while len(state.view(state.turn).legal()) > 1:
        state.apply(state.view(state.turn).legal()[-1])
    *_, last = solve(game, state.view(state.turn))
    assert last.proven and last.action == state.view(state.turn).legal()[0], "forced, and part of the same game"
    large: Any = ludoteca.game("kittens")
    with pytest.raises(InvalidOption, match="small decks"):
        list(solve(large, large.deal(0).view(0), memory=1))
