from __future__ import annotations

import pytest

from ludoteca.protocols import Decision
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table


def looking(game: str, seats: tuple[str, str] = (PERSON, "random")) -> tuple[Table, TabState]:
    table = Table(new_match(MatchRequest(game, seats, 1)))
    return table, TabState(table)


def step(table: Table, tab: TabState) -> None:
    """The seat on turn plays its first legal action; agents say what they thought."""
    turn = table.turn
    assert turn is not None
    action = table.match.view(turn).legal()[0]
    if turn in table.person_seats:
        table.play(action)
    else:
        table.answer(Decision(action, value=0.5), 0.1)
    tab.table_changed()


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_hidden_hands_stay_hidden_until_the_end(game: str) -> None:
    table, tab = looking(game)
    while not table.over:
        tab.look_from(1)
        view = tab.view()
        assert tab.seats == [0] and view is not None and view.seat == 0
        assert all(tab.thought(ply) is None for ply in range(len(table.match.actions)))
        assert (tab.position_to_ask() is None) is (table.turn == 1)
        step(table, tab)
    tab.look_from(1)
    assert tab.go_to(1)
    view = tab.view()
    assert tab.seats == [0, 1] and view is not None and view.seat == 1
    assert any(tab.thought(ply) for ply in range(len(table.match.actions)))


def test_where_a_bomb_went_back_is_not_shown() -> None:
    table, tab = looking("kittens:deck=bomb5+safe1", ("random", PERSON))
    while "place the bomb" not in tab.action_names():
        step(table, tab)
    assert "place top" not in tab.action_names()
    table.resign(1)
    assert "place top" in tab.action_names()


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_two_persons_see_the_seat_on_turn_once_it_is_uncovered(game: str) -> None:
    table, tab = looking(game, (PERSON, PERSON))
    turns = set()
    while not table.over and len(table.match.actions) < 12:
        before = table.turn
        assert tab.covered and tab.view() is None and tab.position_to_ask() is None
        assert "Show the hand" in tab.obstacle and tab.legal() == [] and not tab.go_to(0)
        tab.uncover()
        while table.turn == before:
            view = tab.view()
            assert view is not None and view.seat == table.turn and tab.legal() == view.legal() != []
            step(table, tab)
        turns.add(before)
    assert turns == {0, 1}


def test_who_was_cut_off_uncovers_again() -> None:
    _, tab = looking("dominoes", (PERSON, PERSON))
    tab.uncover()
    assert not tab.covered
    tab.cover()
    assert tab.covered


def test_where_nothing_is_hidden_everything_is_shown() -> None:
    table, tab = looking("hex:size=3", (PERSON, "random"))
    step(table, tab)
    step(table, tab)
    assert tab.seats == [0, 1] and tab.thought(1) is not None and tab.position_to_ask() is not None
    assert tab.go_to(1) and "earlier position" in tab.obstacle and not tab.go_to(9)
    view = tab.view()
    assert view is not None and len(view.legal()) in (0, 8)


def test_a_match_of_agents_is_shown_from_both_sides() -> None:
    table, tab = looking("dominoes", ("random", "random"))
    step(table, tab)
    tab.look_from(1)
    view = tab.view()
    assert view is not None and view.seat == 1 and tab.thought(0) is not None
    assert tab.obstacle == "It is not your turn."
