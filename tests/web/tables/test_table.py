from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.agents.identity import Identity
from ludoteca.errors import IllegalAction, LudotecaError
from ludoteca.play.match import Match
from ludoteca.play.record import LONGEST_NICKNAME, Record, Who, clean_nickname
from ludoteca.play.store.invitations import Invitation
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.errors import InvalidTable, TableDeleted
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.table import Table
from tests.games.horses.matches import TURNS_ROUND, TURNS_ROUND_MATCH


def table(
    game: str = "hex:size=3",
    seats: tuple[str, str] = (PERSON, "random"),
    clock: Callable[[], float] = time.monotonic,
    person_limit: str = "",
) -> tuple[Table, list[Record]]:
    kept: list[Record] = []
    match = new_match(MatchRequest(game, seats, 1, person_limit=person_limit))
    return Table(match, kept.append, "host", clock=clock), kept


class SetClock:
    """A clock that the test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_every_change_is_kept_whole() -> None:
    clock = SetClock()
    made, kept = table(clock=clock)
    clock.now += 1.5
    made.play(4)
    made.answer(Decision(0, value=0.0, scores={0: 0.5}, line=(0, 1), note="why", nodes=7, depth=2), 0.25)
    made.play(8)
    made.undo()
    made.swap_sides()
    made.resign(1)
    assert len(kept) == 6
    again = Table(Match.of_record(Record.from_json(kept[-1].to_json())))
    assert again.match.record() == made.match.record() == kept[-1]
    assert again.match.actions == [4, 0] and again.match.returns() == (1.0, -1.0)
    assert again.match.decisions[1] == made.match.decisions[1] and again.match.seconds == [1.5, 0.25]
    assert again.over and again.turn is None and again.resigned == 1 and again.names == ("random", PERSON)


@given(st.lists(st.sampled_from(["play", "undo", "seats", "resign"]), max_size=30))
def test_any_course_of_events_survives_a_restart(events: list[str]) -> None:
    made, kept = table("hex:size=4", (PERSON, PERSON))
    for event in events:
        try:
            if event == "play":
                made.play(made.match.view(made.turn or 0).legal()[0] if made.turn is not None else 0)
            elif event == "undo":
                made.undo()
            elif event == "seats":
                made.swap_sides()
            else:
                made.resign(0)
        except LudotecaError:
            pass
    if kept:
        assert Match.of_record(kept[-1]).record() == made.match.record()


def test_an_illegal_action_changes_and_keeps_nothing() -> None:
    made, kept = table()
    made.play(4)
    with pytest.raises(IllegalAction):
        made.play(4)
    with pytest.raises(Fault) as caught:
        made.answer(Decision(4), 0.1)
    assert caught.value.ending is Ending.illegal
    assert made.match.actions == [4] and len(kept) == 1


def test_what_was_cleared_away_changes_no_more() -> None:
    made, kept = table()
    made.deleted = True
    for change in (made.undo, made.swap_sides):
        with pytest.raises(TableDeleted):
            change()
    with pytest.raises(TableDeleted):
        made.play(4)
    with pytest.raises(TableDeleted):
        made.answer(Decision(4), 0.1)
    with pytest.raises(TableDeleted):
        made.resign(0)
    assert not kept and not made.match.actions


def test_undo_goes_back_to_the_last_choice_of_a_person() -> None:
    made, _ = table()
    with pytest.raises(InvalidTable):
        made.undo()
    made.play(4)
    made.play(0)
    made.play(8)
    made.undo()
    assert made.match.actions == [4, 0]
    made.undo()
    assert made.match.actions == []


def test_undo_takes_back_the_persons_action_wherever_they_sat() -> None:
    made, _ = table("hex:size=4")
    made.play(0)
    made.answer(Decision(1), 0.1)
    made.play(2)
    made.swap_sides()  # now it is the person's turn again, in the other seat
    made.play(3)
    made.answer(Decision(4), 0.1)
    made.undo()
    assert made.match.actions == [0, 1, 2] and made.names == ("random", PERSON)
    made.play(5)
    made.swap_sides()
    made.play(6)
    for left, names in (
        ([0, 1, 2, 5], (PERSON, "random")),
        ([0, 1, 2], ("random", PERSON)),
        ([0, 1], (PERSON, "random")),
    ):
        made.undo()
        assert made.match.actions == left and made.names == names
    made.undo()
    assert made.match.actions == [] and made.undo_obstacle == "there is nothing to undo"


def test_nothing_of_an_opening_is_undone() -> None:
    made = Table(new_match(MatchRequest("hex:size=3", (PERSON, "random"), 1, actions=(4, 0))))
    assert made.undo_obstacle == "there is nothing to undo"


def test_undo_takes_back_a_resignation_first() -> None:
    made, _ = table()
    made.play(4)
    made.resign(0)
    made.undo()
    assert made.resigned is None and made.match.actions == [4] and made.turn == 1


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_nothing_is_taken_back_once_every_hand_has_been_shown(game: str) -> None:
    made, _ = table(game)
    made.play(made.match.view(made.turn or 0).legal()[0])
    made.resign(0)
    with pytest.raises(InvalidTable, match="every hand has been shown"):
        made.undo()


def test_a_hidden_hand_cannot_be_had_by_changing_seats() -> None:
    made, _ = table("kittens")
    with pytest.raises(InvalidTable):
        made.swap_sides()


@pytest.mark.parametrize(
    "asked",
    [
        MatchRequest("chess", (PERSON, PERSON)),
        MatchRequest("hex:size=99", (PERSON, PERSON)),
        MatchRequest("hex", (PERSON, "nobody")),
        MatchRequest("hex", (PERSON,)),
        MatchRequest("hex", (PERSON, PERSON, PERSON)),
        MatchRequest("hex", (PERSON, PERSON), -1),
        MatchRequest("hex", (PERSON, PERSON), 2**63),
        MatchRequest("hex", (PERSON, PERSON), 1, "3600s"),
        MatchRequest("hex", (PERSON, PERSON), 1, "forever"),
        MatchRequest("hex", (PERSON, PERSON), 1, "60s/match"),
        MatchRequest("hex" * 1000, (PERSON, PERSON)),
        MatchRequest("dominoes", (PERSON, PERSON), 1, start="x" * 3000),
        MatchRequest("hex", (PERSON, PERSON), 1, actions=(0, 0)),
    ],
)
def test_what_cannot_be_played_is_refused(asked: MatchRequest) -> None:
    with pytest.raises(LudotecaError):
        new_match(asked)


def test_a_deal_cannot_be_guessed_and_no_agents_seed_leads_to_it() -> None:
    matches = [new_match(MatchRequest("dominoes", (PERSON, "random"))) for _ in range(50)]
    deals, seeds = {match.seed for match in matches}, {match.seats[1].seed for match in matches}
    assert len(deals) == len(seeds) == 50 and not deals & seeds
    # A chosen deal is dealt, but it cannot be computed from what its agent gets.
    chosen = [new_match(MatchRequest("dominoes", (PERSON, "random"), 7)) for _ in range(50)]
    assert {match.seed for match in chosen} == {7} and len({match.seats[1].seed for match in chosen}) == 50


def test_actions_that_come_with_a_match_have_no_player() -> None:
    match = new_match(MatchRequest("hex:size=3", (PERSON, "random"), 1, actions=(4, 0)))
    assert match.opening == 2 and match.record().opening == 2 and match.views_seen(1) == []


def test_an_agent_that_was_changed_meanwhile_leaves_no_digest() -> None:
    made, _ = table()
    agent = made.match.seats[1].identity
    assert agent.digest
    made.note_version(1, agent)
    assert made.match.seats[1].identity == agent
    made.note_version(1, Identity("random", "0" * 32))
    assert made.match.seats[1].identity == Identity("random")


def test_what_was_set_up_by_hand_survives_a_restart() -> None:
    start = "line: 6-6; 0: 6-4 1-0; 1: 4-4 3-2; turn: 0"
    kept: list[Record] = []
    made = Table(new_match(MatchRequest("dominoes", (PERSON, "random"), 3, start=start)), kept.append)
    made.play(made.game.parse_action("6-4"))
    made.play(made.game.parse_action("4-4"))
    again = Table(Match.of_record(kept[-1]))
    assert again.match.view(0) == made.match.view(0)
    again.undo()
    assert again.match == Match(made.game, 3, start=start)


def test_a_forced_pass_plays_itself_and_undo_goes_behind_it() -> None:
    made, kept = table(f"horses:size=5,layout={TURNS_ROUND}", (PERSON, PERSON))
    names = [name for name in TURNS_ROUND_MATCH if name != "pass"]
    for name in names:
        made.play_forced()
        made.play(made.game.parse_action(name))
    played = [made.game.action_name(action) for action in kept[-1].actions]
    assert played == TURNS_ROUND_MATCH and made.over, "the record has the passes"
    made.undo()
    made.undo()
    assert [made.game.action_name(action) for action in made.match.actions] == TURNS_ROUND_MATCH[:7]
    made.play_forced()
    assert len(made.match.actions) == 7, "black can move"


def test_a_person_who_runs_out_of_time_loses_as_an_agent_does() -> None:
    clock = SetClock()
    made, kept = table("hex:size=4", (PERSON, PERSON), clock, "60s/match,5s/increment")
    clock.now += 1000.0  # the first action of each is not timed: they may not have noticed that it began
    assert not made.clock_runs and not made.end_if_late()
    for action in (0, 1):
        made.play(action)
        clock.now += 500.0
    clock.now -= 460.0
    assert made.clock_runs and made.seconds_left(0) == 25.0 and made.seconds_left(1) == 65.0
    made.play(2)
    assert made.seconds_left(0) == 30.0
    clock.now += 64.0
    assert not made.end_if_late() and made.seconds_left(1) == 1.0
    clock.now += 1.0
    with pytest.raises(IllegalAction):  # a click that comes too late
        made.play(3)
    assert made.over and made.match.ending is Ending.timeout and made.match.returns() == (1.0, -1.0)
    again = Match.of_record(Record.from_json(kept[-1].to_json()))
    assert again.record() == made.match.record() and again.ending is Ending.timeout
    with pytest.raises(InvalidTable):
        made.resign(0)


def test_a_clock_goes_on_while_nobody_looks_and_survives_a_restart() -> None:
    clock = SetClock()
    made, kept = table("hex:size=4", (PERSON, PERSON), clock, "30s")
    for action in range(3):
        made.play(action)
        clock.now += 10.0
    made.restart_turn()
    assert made.seconds_left(1) == 20.0, "a reload gives no time back"
    read = Table(Match.of_record(kept[-1]), clock=clock)
    assert read.has_clock and read.seconds_left(1) == 30.0, "what was not played yet is not counted twice"
    assert "a clock" in made.undo_obstacle and not made.may_swap_sides
    clock.now += 20.0
    assert made.end_if_late() and not made.end_if_late() and made.match.fault_seat == 1


def test_time_counts_from_when_the_guest_sits_down() -> None:
    clock = SetClock()
    made, _ = table("dominoes", (PERSON, PERSON), clock, "30s")
    made.invitation = Invitation.new("key", "host", 1)
    for _ in range(2):
        clock.now += 1000.0
        assert not made.end_if_late() and not made.clock_runs
        if made.turn == 0:
            made.play(made.match.view(0).legal()[0])
    made.take_seat(replace(made.invitation, guest="guest"), " Bea\u202e\n")
    assert made.nickname(1) == "Bea" and made.match.record().seats[1].nickname == "Bea"
    assert made.person_seats == [0, 1] and made.seats_of("guest") == [1]


@pytest.mark.parametrize("limit", ["1s", "60s/match,1n", "9n/match", "0.1s/match", "soon"])
def test_a_clock_leaves_people_time_to_act(limit: str) -> None:
    with pytest.raises(LudotecaError):
        table(person_limit=limit)


def test_a_draw_needs_both_and_a_game_that_knows_one() -> None:
    made, _ = table("horses", (PERSON, PERSON))
    made.offer_draw(0)
    for seat in (0, 1):
        with pytest.raises(InvalidTable):
            made.offer_draw(seat)
    with pytest.raises(InvalidTable):
        made.answer_draw(0, accept=True)
    made.answer_draw(1, accept=False)
    assert not made.over
    with pytest.raises(InvalidTable):
        made.offer_draw(0)  # again, before having played
    made.play(made.match.view(0).legal()[0])
    made.offer_draw(0)
    made.play(made.match.view(1).legal()[0])  # which declines it
    with pytest.raises(InvalidTable):
        made.answer_draw(1, accept=True)
    made.offer_draw(1)
    made.answer_draw(0, accept=True)
    assert made.over and made.match.ending is Ending.agreed and made.match.returns() == (0.0, 0.0)
    assert Match.of_record(made.match.record()).record() == made.match.record()
    for game, seats in (("hex:size=3", (PERSON, PERSON)), ("horses", (PERSON, "random"))):
        other, _ = table(game, seats)
        with pytest.raises(InvalidTable):
            other.offer_draw(0)


@given(st.text(max_size=60))
def test_a_nickname_is_one_short_line_that_can_be_seen(typed: str) -> None:
    shown = clean_nickname(typed)
    assert len(shown) <= LONGEST_NICKNAME and shown.isprintable() and clean_nickname(shown) == shown
    assert Who.from_json(Who(nickname=shown).to_json()).nickname == shown


def test_a_record_with_a_hostile_name_is_refused() -> None:
    for name in ("x" * 21, "a\u202eb", "two\nlines", "a" + "\u0301" * 9, 7):
        with pytest.raises(ValueError, match=r"no name of a person|not a text"):
            Who.from_json({"person": True, "nickname": name})
