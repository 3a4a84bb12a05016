"""Small games as a whole: best replies against brute force, and the equilibrium."""

from __future__ import annotations

from typing import Any

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import solved, tree
from ludoteca.agents.kittens.solver import solve
from ludoteca.errors import InvalidOption
from tests.agents.kittens.oracle import best_reply, deals, uniform


@pytest.mark.parametrize("deck", ["bomb1+safe1", "bomb2+see1", "bomb2+safe1,place=any"])
@pytest.mark.parametrize("seat", [0, 1])
def test_best_replies_are_those_of_brute_force(deck: str, seat: int) -> None:
    game: Any = ludoteca.game(f"kittens:deck={deck}")
    small = _core.KittensEquilibrium(game, 10**6)
    views = [small.view(game, number) for number in range(small.views)]
    strategy = [[1 / len(view.legal())] * len(view.legal()) for view in views]
    expected = best_reply(deals(game), seat, uniform, hand_open=False)
    assert small.best_reply(strategy, seat) == pytest.approx(expected)


def test_regret_minimisation_finds_an_equilibrium() -> None:
    game: Any = ludoteca.game("kittens:deck=bomb2+safe2")
    small = tree(game, 10**5)
    assert small is not None
    before = small.exploitability(small.average())
    small.iterate(200)
    average = small.average()
    assert before > 0.5 > 0.001 > small.exploitability(average) >= 0
    # Neither seat gets more than the value, give or take that.
    assert small.best_reply(average, 0) == pytest.approx(small.value(average), abs=0.002)
    assert small.best_reply(average, 1) == pytest.approx(-small.value(average), abs=0.002)


def test_every_view_has_its_number() -> None:
    game: Any = ludoteca.game("kittens:deck=bomb1+safe1")
    small = _core.KittensEquilibrium(game, 10**5)
    assert all(small.number(small.view(game, number)) == number for number in range(small.views))
    assert all(len(small.view(game, number).legal()) > 1 for number in range(small.views))
    with pytest.raises(ValueError, match="one number for each legal action"):
        small.value([[1.0]] * small.views)
    other: Any = ludoteca.game("kittens")
    assert small.number(other.deal(0).view(0)) is None


def test_what_is_too_large_is_no_small_game() -> None:
    assert tree(ludoteca.game("kittens"), 1000) is None
    assert tree(ludoteca.game("kittens:deck=bomb1+shuffle1"), 10**6) is None
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
