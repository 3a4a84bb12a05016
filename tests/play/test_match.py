"""One match: what it asks, what it takes, how it ends, and how it is taken up again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidPosition
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match, play_out
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision, Limit, Seat, View
from ludoteca.testing import random_actions

GAMES = ["dominoes", "hex:size=4", "horses:size=5", "kittens"]


class Scripted:
    """A player that does what a test says."""

    def __init__(self, *answers: Decision | Fault) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[View, Limit, float]] = []

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        raise AssertionError

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        self.asked.append((view, limit, timeout))
        answer = self.answers.pop(0) if self.answers else Decision(view.legal()[0])
        if isinstance(answer, Fault):
            raise answer
        return answer

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        yield self.decide(view, limit, timeout)

    def stop(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("spec", GAMES)
def test_game_seed_and_actions_replay_everything(spec: str) -> None:
    game = ludoteca.game(spec)
    actions = random_actions(game, 8)
    match = Match(game, 8, actions)
    again = Match(game, 8)
    for action in match.actions:
        again.play(action)
    assert match.turn is None and match.ending is Ending.finished
    assert match.returns() == again.returns()
    assert [match.view(seat) for seat in (0, 1)] == [again.view(seat) for seat in (0, 1)]
    assert match.record() == again.record()


@pytest.mark.parametrize("spec", GAMES)
def test_agents_play_a_match_to_its_end(spec: str) -> None:
    game = ludoteca.game(spec)
    match = Match(game, 3)
    agents = {seat: ludoteca.agent("random")(game, seat, seat) for seat in (0, 1)}
    turns = list(play_out(match, agents, Limit()))
    assert match.turn is None
    assert [decision.action for _, decision in turns] == match.actions
    assert [seat for seat, _ in turns] == match.movers


def test_the_loop_stops_at_a_person_and_goes_on() -> None:
    match = Match(ludoteca.game("hex:size=4"), 3)
    player = Scripted(Decision(7, value=0.5, note="why not"))
    assert list(match.run({1: player})) == []
    match.play(5, 2.0)
    (turn,) = match.run({1: player})
    assert (turn.seat, turn.action, match.turn) == (1, 7, 0)
    record = match.record()
    assert record.ending is Ending.unfinished and record.decisions == (None, Decision(7, value=0.5, note="why not"))
    assert record.seconds[0] == 2.0


def test_what_is_asked_is_the_own_view_and_the_limit_with_the_margin() -> None:
    match = Match(ludoteca.game("dominoes"), 3, limit=MatchLimit.parse("2s,50n"), margin=0.25)
    players = {0: Scripted(), 1: Scripted()}
    assert match.turn is not None
    first = match.turn
    view = match.view(first)
    next(match.run(players))
    assert players[first].asked == [(view, Limit(2.0, 50), 2.25)]
    assert all(each.seat == seat for seat in (0, 1) for each, _, _ in players[seat].asked)


def test_a_fault_ends_the_match_and_stands_in_the_record() -> None:
    for fault in (Fault(Ending.crash, "it died"), Decision(5), Decision(-1), Decision(10**30)):
        match = Match(ludoteca.game("hex:size=4"), 3, [5], seats=(Who(Identity("a")), Who(Identity("b"))))
        assert list(match.run({0: Scripted(), 1: Scripted(fault)})) == []
        record = match.record()
        assert (record.fault, record.returns, record.score) == (1, (1.0, -1.0), 1.0)
        assert record.ending is (fault.ending if isinstance(fault, Fault) else Ending.illegal)
        assert record.message and record.actions == (5,)
        assert match.turn is None and list(match.run({0: Scripted(), 1: Scripted()})) == []


class Slow(Scripted):
    """It answers when its time is over."""

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        end = perf_counter() + timeout
        while perf_counter() <= end:
            pass
        return super().decide(view, limit, timeout)


def test_an_answer_that_comes_too_late_is_a_timeout() -> None:
    match = Match(ludoteca.game("hex:size=4"), 3, limit=MatchLimit.parse("0.01s"), margin=0.02)
    assert list(match.run({0: Slow()})) == []
    assert (match.ending, match.fault_seat) == (Ending.timeout, 0)
    assert "more than 0.03 seconds" in match.message


def test_the_clock_of_a_whole_match_runs_out_for_the_seat_that_used_it() -> None:
    match = Match(ludoteca.game("hex:size=4"), 3, limit=MatchLimit.parse("60s/match"), margin=0.5)
    match.answer(Decision(0), 59.0)
    match.answer(Decision(1), 1.0)
    assert match.ask().limit.seconds == 1.0 and match.ask().timeout == 1.5
    match.answer(Decision(2), 1.5)
    match.answer(Decision(3), 1.0)
    with pytest.raises(Fault, match="used up its 60 seconds") as caught:
        match.ask()
    assert caught.value.ending is Ending.timeout


def test_nodes_are_counted_over_the_match() -> None:
    match = Match(ludoteca.game("hex:size=4"), 3, limit=MatchLimit.parse("40n,100n/match"))
    for action, nodes in ((0, 40), (1, 3), (2, 40), (3, 3)):
        match.answer(Decision(action, nodes=nodes), 0.0)
    assert match.ask().limit.nodes == 20


def test_an_illegal_action_leaves_the_match_as_it_was() -> None:
    match = Match(ludoteca.game("hex:size=3"), 1, [4])
    with pytest.raises(
        ludoteca.IllegalAction, match=r"'b2' \(action 4\) is not legal for seat 1 of hex:size=3; legal: a1,"
    ):
        match.play(4)
    assert match.actions == [4]


def test_nothing_is_played_after_the_end() -> None:
    match = Match(ludoteca.game("hex:size=3"), 1, [4])
    match.resign(0)
    assert match.turn is None and match.returns() == (-1.0, 1.0)
    assert (match.record().ending, match.record().fault) == (Ending.resigned, 0)
    with pytest.raises(ludoteca.IllegalAction, match="this match of hex:size=3 is over"):
        match.play(0)


def test_an_agent_may_answer_with_a_plain_action() -> None:
    class First:
        def act(self, view: View, limit: Limit) -> int:
            return view.legal()[0]

    match = Match(ludoteca.game("hex:size=2"), 1)
    list(play_out(match, {0: First(), 1: First()}, Limit()))
    assert match.actions[0] == 0
    assert match.turn is None


@given(st.sampled_from(GAMES), st.integers(0, 50), st.data())
def test_a_match_is_taken_up_again_from_its_record(spec: str, seed: int, data: st.DataObject) -> None:
    game = ludoteca.game(spec)
    actions = random_actions(game, seed)
    left = data.draw(st.integers(0, len(actions)))
    opening = data.draw(st.integers(0, min(left, 2)))
    match = Match(game, seed, actions[:left], opening=opening, seats=(Who(), Who(Identity("random", "12345678"), 3)))
    again = Match.of_record(Record.from_json(match.record().to_json()))
    assert again.record() == match.record()
    for action in actions[left:]:
        match.play(action)
        again.play(action)
    assert again.record() == match.record() and match.ending is Ending.finished


@pytest.mark.parametrize("spec", GAMES)
def test_the_views_that_a_seat_has_seen_are_those_it_was_asked_about(spec: str) -> None:
    game = ludoteca.game(spec)
    actions = random_actions(game, 5)
    match, seen = Match(game, 5), {0: list[View](), 1: list[View]()}
    for ply, action in enumerate(actions):
        assert match.turn is not None
        if ply >= 1:
            seen[match.turn].append(match.view(match.turn))
        match.play(action)
    match.opening = 1
    assert {seat: match.views_seen(seat) for seat in (0, 1)} == seen


@pytest.mark.parametrize("spec", GAMES)
def test_a_match_as_it_was_goes_on_by_itself(spec: str) -> None:
    game = ludoteca.game(spec)
    match = Match(game, 8, random_actions(game, 8))
    earlier = match.before(3)
    assert earlier.actions == match.actions[:3] and earlier != match
    for action in match.actions[3:]:
        earlier.play(action)
    assert earlier == match and len(match.before(3).actions) == 3


def test_equal_matches_have_equal_digests_and_others_do_not() -> None:
    hex3, seats = ludoteca.game("hex:size=3"), (Who(Identity("a", "1")), Who(Identity("b", "2")))
    one, same = Match(hex3, 1, [4, 0], seats=seats), Match(hex3, 2, [4, 0], seats=seats)
    assert one.record().digest == same.record().digest, "every deal of Hex is the same"
    others = [
        Match(hex3, 1, [4, 1], seats=seats),
        Match(hex3, 1, [4], seats=seats),
        Match(hex3, 1, [4, 0], seats=seats[::-1]),
        Match(hex3, 1, [4, 0], seats=(Who(Identity("a", "3")), Who(Identity("b", "2")))),
        Match(ludoteca.game("hex:size=4"), 1, [4, 0], seats=seats),
    ]
    assert len({match.record().digest for match in [one, *others]}) == 6
    for game in ("dominoes", "kittens", "kittens:rules=original"):
        deals = {Match(ludoteca.game(game), seed).record().digest for seed in range(50)}
        assert len(deals) == 50, f"{game}: the unseen cards are another deal too"


def test_a_game_that_cannot_be_arranged_says_so() -> None:
    with pytest.raises(InvalidPosition, match="hex begins with a deal: the start 'a1'"):
        Match(ludoteca.game("hex:size=4"), 3, start="a1")
