"""The end of a match in words, and what is on a table's page while it goes on."""

from __future__ import annotations

import pytest

import ludoteca
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.kittens.game import Kittens
from ludoteca.protocols import Decision
from ludoteca.web.editing.dominoes import DominoesEditor
from ludoteca.web.editing.kittens import KittensEditor
from ludoteca.web.pages.edit.dominoes import DominoesPage
from ludoteca.web.pages.edit.kittens import KittensPage
from ludoteca.web.pages.frame import Visit, control, game_title
from ludoteca.web.pages.play.ending import end_buttons, hands, result, why
from ludoteca.web.pages.play.parts import goals, last_moves, rules, swap_offer, tab_title
from ludoteca.web.pages.thoughts import sentences
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table

VISIT = Visit("en", "ana", "auto", "/")


def table_of(game: str, seats: tuple[str, str] = (PERSON, "random"), start: str = "", seed: int = 1) -> Table:
    return Table(new_match(MatchRequest(game, seats, seed, start=start)))


def step(table: Table, which: int = 0) -> None:
    turn = table.turn
    assert turn is not None
    legal = table.match.view(turn).legal()
    action = legal[which % len(legal)]
    if turn in table.person_seats:
        table.play(action)
    else:
        table.answer(Decision(action), 0.1)


def named(table: Table, *actions: str) -> None:
    for name in actions:
        action = table.game.parse_action(name)
        if table.turn in table.person_seats:
            table.play(action)
        else:
            table.answer(Decision(action), 0.1)


def test_hex_says_which_sides_are_joined() -> None:
    table = table_of("hex:size=2")
    named(table, "a1", "a2", "b1")
    assert result(VISIT, TabState(table)) == "You win!"
    assert why(VISIT, table) == ["Red has connected left and right."]
    table = table_of("hex:size=2,orientation=standard")
    named(table, "a1", "b1", "a2")
    assert why(VISIT, table) == ["Red has connected top and bottom."] and hands(VISIT, table) == []


@pytest.mark.parametrize(
    ("penalty", "expected"), [("once", "that cost 4 points, already"), ("every", "at each such turn")]
)
def test_the_end_of_horses_shows_points_and_penalties(penalty: str, expected: str) -> None:
    for seed in range(20):
        table = table_of(f"horses:size=5,penalty={penalty}", seed=seed)
        while not table.over:
            step(table, seed)
        view = table.match.view(0)
        points, *paid = why(VISIT, table)
        white, black = view.scores  # type: ignore[attr-defined]
        assert points == f"Neither knight can move: white has {white} points, black {black}."
        assert len(paid) == sum(view.penalised)  # type: ignore[attr-defined]
        if paid:
            assert expected in paid[0] and paid[0].startswith(("White", "Black"))
            return
    raise AssertionError("choose other seeds: no seat was stuck")


def test_dominoes_shows_the_last_hands_but_only_then() -> None:
    table = table_of("dominoes", start="line: 6-6; 0: 6-4; 1: 3-3 2-0; turn: 0")
    assert hands(VISIT, table) == [] and why(VISIT, table) == []
    named(table, "6-4")
    assert why(VISIT, table) == ["Red has played its last tile."]
    assert hands(VISIT, table) == ["Red: no tile", "Blue: 2-0 3-3"]


def test_the_end_of_a_blocked_round_shows_the_pips() -> None:
    table = table_of("dominoes:variant=block", start="line: 6-6 6-1; 0: 6-0 5-5; 1: 4-4 3-3; turn: 0")
    named(table, "6-0")
    while not table.over:
        step(table)
    assert why(VISIT, table) == ["Neither can go on, and fewer pips win: red holds 10, blue 14."]


def test_the_end_of_kittens_shows_the_bomb_and_the_cards() -> None:
    table = table_of("kittens", start="deck: bomb safe; 0: skip; 1: attack attack; turn: 0")
    named(table, "draw")
    assert why(VISIT, table) == ["Red drew a bomb and had no Defuse."]
    assert hands(VISIT, table) == ["Red: Skip", "Blue: Attack × 2"]
    assert result(VISIT, TabState(table)) == "Random wins."


def test_the_player_who_resigned_is_named() -> None:
    table = table_of("hex:size=3")
    table.resign(0)
    assert result(VISIT, TabState(table)) == "You resigned. Random wins." and why(VISIT, table) == []
    both = table_of("horses", (PERSON, PERSON))
    both.resign(1)
    assert result(VISIT, TabState(both)) == "Black resigned. White wins."


def test_at_the_end_there_are_four_ways_on() -> None:
    table = table_of("hex:size=2,swap=true")
    named(table, "a1", "a2", "b1")
    buttons = end_buttons(VISIT, TabState(table))
    assert 'data-do="rematch"' in buttons and 'href="/new/hex?game=hex:size%3D2' in buttons
    assert 'href="/review?game=hex:size%3D2' in buttons and "seats=person|random" in buttons
    assert 'href="/replay?' in buttons and "data-copy" in buttons


def test_goals_and_rules_are_those_of_the_persons_seat() -> None:
    assert "You are blue: connect top and bottom." in goals(VISIT, TabState(table_of("hex", ("random", PERSON))))
    both = goals(VISIT, TabState(table_of("hex:orientation=standard", (PERSON, PERSON))))
    assert both == "Red: connect top and bottom. Blue: connect left and right."
    assert "Stones never move" in rules(VISIT, ludoteca.game("hex"))


def test_the_news_are_what_the_other_did_since_one_played() -> None:
    table = table_of("kittens", start="deck: safe safe safe safe; 0: skip skip; 1: attack skip; turn: 0")
    tab = TabState(table)
    assert last_moves(VISIT, tab) == ""
    named(table, "draw")
    assert last_moves(VISIT, tab) == "You drew a card."
    named(table, "attack", "draw", "skip", "draw")
    assert last_moves(VISIT, tab).startswith("Random ")
    table = table_of("hex:size=3", (PERSON, "astar"))
    named(table, "b2", "c1")
    assert last_moves(VISIT, TabState(table)) == "A-Star played c1."


def test_where_a_bomb_went_is_no_news() -> None:
    table = table_of("kittens", ("random", PERSON), start="deck: bomb safe; 0: defuse; 1: skip; turn: 0")
    named(table, "draw", "place bottom")
    assert last_moves(VISIT, TabState(table)) == "Random drew a card. Random put the bomb back."


def test_a_swap_is_explained_when_it_is_offered() -> None:
    table = table_of("hex:size=3,swap=true", (PERSON, PERSON))
    tab = TabState(table)
    assert swap_offer(VISIT, tab) == ""
    table.play(4)
    assert "may swap" in swap_offer(VISIT, tab)
    table.play(0)
    assert swap_offer(VISIT, tab) == ""


def test_notes_become_sentences() -> None:
    assert sentences("it has proved that it wins; as good: b2") == "It has proved that it wins. As good: b2."
    assert sentences("") == "" and sentences("e6 wins at once") == "e6 wins at once."


def test_the_title_of_the_tab_says_whose_turn_it_is_and_who_won() -> None:
    spanish = Visit("es", "ana", "auto", "/")
    table = table_of("hex:size=2")
    tab = TabState(table)
    assert tab_title(VISIT, tab) == "Your turn · Hex · Ludoteca"
    assert tab_title(spanish, tab).startswith("Te toca")
    named(table, "a1")
    assert tab_title(VISIT, tab) == "Blue to play · Hex · Ludoteca"
    named(table, "a2", "b1")
    assert tab_title(VISIT, tab) == "You win! · Hex · Ludoteca"
    assert tab_title(spanish, tab).startswith("¡Has ganado!")
    two = table_of("hex:size=2", (PERSON, PERSON))
    assert tab_title(VISIT, TabState(two)) == "Red to play · Hex · Ludoteca"


def test_games_of_openspiel_have_their_own_titles() -> None:
    pytest.importorskip("pyspiel", reason="needs open-spiel")
    titles = {
        game: game_title(ludoteca.game(f"openspiel:game={game}"), "en")
        for game in ("connect_four", "kuhn_poker", "hex(board_size=5)")
    }
    assert list(titles.values()) == ["Connect Four", "Kuhn Poker", "Hex"]
    assert game_title("openspiel", "es") == "OpenSpiel"


def test_a_disabled_button_says_why() -> None:
    table = table_of("hex:size=2")
    assert table.undo_obstacle == "there is nothing to undo"
    button = control("undo", "Undo", key="u", obstacle=table.undo_obstacle)
    assert " disabled" in button and 'title="Undo: there is nothing to undo"' in button
    named(table, "a1")
    assert table.undo_obstacle == "" and " disabled" not in control("undo", "Undo", key="u")


def test_the_editors_name_hands_by_their_side() -> None:
    kittens, dominoes = Kittens(), Dominoes()
    assert KittensPage(VISIT, KittensEditor(kittens, 1)).whose == ("Your hand (red)", "Other hand (blue)")
    assert all("(0)" not in hand for hand in DominoesPage(VISIT, DominoesEditor(dominoes, 1)).whose)
