"""What an engine says afterwards about every action of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

import ludoteca
from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.picture import SEATS
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, Drawable, Limit, Seat, View
from ludoteca.reports.review import Review, ReviewedAction, ReviewSearches, mean_points_lost, review
from ludoteca.testing import random_actions

DEEP = "minimax:depth=64"


def played(spec: str, seed: int, opening: int = 0) -> Record:
    game = ludoteca.game(spec)
    return Match(game, seed, random_actions(game, seed), opening=opening).record()


def exact(record: Record, ply: int, seat: Seat) -> float:
    """The result of best play after so many actions, by minimax to the end."""
    match = Match.of_record(record).before(ply)

    def value(state: ludoteca.State) -> float:
        turn = state.turn
        if turn is None:
            return state.returns()[seat]
        results = []
        for action in state.view(turn).legal():
            after = state.view(turn).sample(0)  # a copy, as nothing is hidden
            after.apply(action)
            results.append(value(after))
        return max(results) if turn == seat else min(results)

    turn = match.turn
    return match.returns()[seat] if turn is None else value(match.view(turn).sample(0))


def endgame() -> tuple[Record, Review]:
    record = played("horses:size=5", 2)
    opening = len(record.actions) - 8
    record = played("horses:size=5", 2, opening)
    return record, review(record, DEEP, Limit())


def test_what_an_action_lost_is_what_best_play_says() -> None:
    record, found = endgame()
    assert len(found.actions) == 8
    for each in found.actions:
        before, after = exact(record, each.ply, each.seat), exact(record, each.ply + 1, each.seat)
        assert each.best.value == before
        assert each.lost == (0.0 if each.action == each.best.action else before - after)


def test_turning_points_are_the_actions_that_changed_the_result() -> None:
    record, found = endgame()
    turned = [
        each.ply
        for each in found.actions
        if exact(record, each.ply, each.seat) > exact(record, each.ply + 1, each.seat)
    ]
    assert [each.ply for each in found.turning_points] == turned
    assert turned, "choose another match: this one has none"


def test_graph_board_and_page_have_the_colours_of_the_game() -> None:
    record, found = endgame()
    horses = Match.of_record(record)
    assert isinstance(horses.game, Drawable)
    white, black = details_of(horses.game).seat_colours
    for shown in (found._repr_html_(), horses.game.svg(horses.view(0)), seat_variables(horses.game)):
        assert white in shown and black in shown
        assert not any(colour in shown for colour in SEATS), "red and blue are the colours of other games"
    assert seat_variables(ludoteca.game("hex")) == "", "the page's own, which differ in its dark theme"


def test_a_player_who_changed_seats_keeps_what_they_lost() -> None:
    record, found = endgame()
    plies = [each.ply for each in found.turning_points]
    swapped = replace(record, side_swaps=(plies[0] + 1,), seats=(record.seats[1], record.seats[0]))
    again = review(swapped, DEEP, Limit())
    blamed = again.turning_points[0]
    assert blamed.seat == found.turning_points[0].seat and blamed.player == 1 - blamed.seat
    by_hand = [
        each.lost
        for each in again.actions
        if (each.seat if each.ply > plies[0] else 1 - each.seat) == blamed.player and each.lost is not None
    ]
    assert again.points_lost(blamed.player) == 50 * sum(by_hand) / len(by_hand)
    assert mean_points_lost([blamed], blamed.seat) is None


def searched(values: Callable[[int], Sequence[float]], *, proven: bool = False) -> ReviewSearches:
    """A match of two moves, of which the first lost what `values` says, by depth: before it, and after it."""
    searches = ReviewSearches(Match(ludoteca.game("hex:size=3"), 0, [0, 1]), Limit(nodes=10))
    for value in values(0):
        searches.add(Decision(4, value=value, proven=proven))
    while (search := searches.deeper()) is not None:
        assert search.limit.nodes == 10 * 4**search.depth and search.depth <= 2
        searches.add_deeper(search, Decision(4, value=values(search.depth)[search.ply], proven=proven))
    return searches


def test_a_verdict_of_few_nodes_that_a_deeper_search_takes_back_gets_no_mark() -> None:
    searches = searched(lambda depth: (0.5, 0.5) if depth == 0 else (0.0, 0.0))
    assert searches.actions[0].mark == "" and searches.actions[0].sure


def test_a_verdict_that_a_deeper_search_confirms_gets_its_mark() -> None:
    searches = searched(lambda depth: (0.5, 0.5 - depth / 10))
    assert searches.actions[0].mark == "??"
    assert searches.searched == 4, "the two positions that it rests on, once more"


def test_a_verdict_that_changes_with_each_search_is_not_sure() -> None:
    action = searched(lambda depth: ((0.5, 0.5), (0.0, 0.0), (0.5, 0.5))[depth]).actions[0]
    assert not action.sure and action.mark == "" and not action.is_mistake and action.lost == 1.0


def test_no_mark_is_shown_before_it_is_confirmed() -> None:
    searches = ReviewSearches(Match(ludoteca.game("hex:size=3"), 0, [0, 1]), Limit(nodes=10))
    for _ in range(2):
        searches.add(Decision(4, value=0.5))
    assert not searches.actions[0].sure and searches.actions[0].mark == ""


def test_a_proven_verdict_needs_no_deeper_search() -> None:
    searches = searched(lambda depth: (1.0, 1.0), proven=True)
    assert searches.searched == 2 and searches.actions[0].mark == "??"


def test_a_side_that_stays_ahead_or_behind_made_no_mistake_where_everything_is_seen() -> None:
    def judged(best: float, value: float, *, hidden: bool = False) -> str:
        return ReviewedAction(0, 0, 1, Decision(2, value=best), value, 0, hidden_information=hidden).mark

    assert judged(1.0, 0.6) == judged(-0.2, -1.0) == ""
    assert judged(0.6, -0.6) == judged(1.0, 0.0) == judged(0.0, -1.0) == "??"
    assert judged(0.8, 0.4, hidden=True) == "??", "with hidden hands chance decides too"


def test_an_opening_is_not_judged() -> None:
    found = review(played("hex:size=4", 2, opening=3), "astar:depth=1", Limit())
    assert found.actions[0].ply == 3


class Spying:
    """A player that notes what it is shown, and expects most of the first action."""

    def __init__(self) -> None:
        self.shown: list[View] = []

    def prepare(self, seat: Seat, seed: int, seen: object = ()) -> None:
        self.seat = seat

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        self.shown.append(view)
        scores = {action: 0.5 - place / 10 for place, action in enumerate(view.legal())}
        return Decision(view.legal()[0], value=0.5, scores=scores)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("spec", ["dominoes", "kittens"])
def test_with_hidden_hands_each_seat_is_judged_by_what_it_saw(spec: str) -> None:
    spies: list[Spying] = []

    class SpyingPool(Pool):
        def player(self, *_: object) -> Spying:  # type: ignore[override]
            spies.append(Spying())
            return spies[-1]

    record = played(spec, 5)
    with SpyingPool() as pool:
        found = review(record, "random", Limit(), pool=pool)
    match = Match.of_record(record)
    for seat, spy in enumerate(spies):
        assert spy.shown == match.views_seen(seat)
    for each in found.actions:
        legal = match.before(each.ply).view(each.seat).legal()
        assert each.lost == pytest.approx(legal.index(each.action) / 10)


def test_scores_in_another_unit_are_no_values() -> None:
    found = review(played("dominoes", 5), "tumbafichas:depth=1", Limit())
    assert all(each.lost in (0.0, None) for each in found.actions)
