"""What the players of Horses say about their moves is true: checked by the rules, and proofs by the solver."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import cast

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.agents.horses.facts import facts
from ludoteca.agents.horses.solver import solve
from ludoteca.messages import Message
from ludoteca.protocols import Action
from tests.agents.reason_positions import positions, seeds


def knight_moves(state: _core.HorsesState, seat: int) -> set[Action]:
    """The free squares a knight's move away, by the board alone."""
    view = state.view(seat)
    size = int(len(view.destroyed) ** 0.5)
    row, column = divmod(view.squares[seat], size)
    return {
        square
        for square, gone in enumerate(view.destroyed)
        if not gone and {abs(square // size - row), abs(square % size - column)} == {1, 2}
    }


def region(state: _core.HorsesState, seat: int) -> set[Action]:
    """The free squares that a knight can reach, by repeating what one move adds."""
    view = state.view(seat)
    size = int(len(view.destroyed) ** 0.5)
    found = knight_moves(state, seat)
    while True:
        more = {
            square
            for square, gone in enumerate(view.destroyed)
            if not gone
            and any({abs(square // size - at // size), abs(square % size - at % size)} == {1, 2} for at in found)
        }
        if more <= found:
            return found
        found |= more


def check(state: _core.HorsesState, decision: Decision, reason: Reason) -> str:
    """Asserts that a reason is true of a position; returns its template."""
    me, text = state.turn, reason.text
    assert me is not None and isinstance(text, Message)
    before, after = state.view(me), state.copy()
    after.apply(decision.action)
    mine, theirs = knight_moves(after, me), knight_moves(after, 1 - me)
    fields, values = cast("dict[str, int]", text.fields), before.values
    match text.template:
        case "its knight has no square to go to, so it must pass":
            assert not knight_moves(state, me) and reason.places == (before.squares[me],)
        case "it traps the other knight":
            assert knight_moves(state, 1 - me) and not theirs and mine
        case "the other knight is trapped":
            assert not knight_moves(state, 1 - me) and mine
        case "it takes {count} point":
            assert values[decision.action] == fields["count"] > 0
        case "it takes {count} point that the other could have taken next":
            assert values[decision.action] == fields["count"] > 0 and decision.action in knight_moves(state, 1 - me)
        case "it costs {count} point now":
            assert -values[decision.action] == fields["count"] > 0
        case "the knights cannot meet any more: {mine} squares are in its reach, {theirs} in the other's":
            regions = [region(after, seat) for seat in (me, 1 - me)]
            assert [*map(len, regions)] == [fields["mine"], fields["theirs"]] and regions[0].isdisjoint(regions[1])
            assert fields["mine"] > fields["theirs"] > 0 and set(reason.places) == regions[0]
        case "from there {count} point is in reach, more than from any other square":
            assert {values[square] for square in reason.places} == {fields["count"]} and set(reason.places) <= mine
            for other in knight_moves(state, me) - {decision.action}:
                elsewhere = state.copy()
                elsewhere.apply(other)
                assert all(values[square] < fields["count"] for square in knight_moves(elsewhere, me))
        case "it leaves the other {count} square, and itself {mine}":
            assert (len(theirs), len(mine)) == (fields["count"], fields["mine"]) and theirs == set(reason.places)
        case "it keeps {mine} squares to go to, the other {theirs}":
            assert (len(mine), len(theirs)) == (fields["mine"], fields["theirs"]) and mine and theirs
        case "it expects to gain {count} point on the other in {moves} moves":
            end, lead = state.copy(), before.scores[me] - before.scores[1 - me]
            for action in decision.line:
                end.apply(action)
            scores = end.view(me).scores
            assert scores[me] - scores[1 - me] - lead == fields["count"] > 0
            assert len(decision.line) == fields["moves"]
        case proof:
            assert proof.startswith("it has proved"), proof
            check_proof(state, text)
    return text.template


def check_proof(state: _core.HorsesState, text: Message) -> None:
    """Solves the position to the last point."""
    view = state.view(state.turn or 0)
    *_, solved = solve(view.game, view, memory=1)
    assert solved.proven
    result = 0 if "draw" in text.template else 1 if "wins" in text.template else -1
    assert solved.value == result
    if "count" in text.fields:
        (whole,) = (each.text for each in solved.reasons if each.text.startswith("it has proved"))
        assert text == whole


def test_every_fact_is_true_of_every_move() -> None:
    seen: Counter[str] = Counter()
    for spec in ("horses:size=5", "horses", "horses:size=6,penalty=every"):
        for seed in seeds(6):
            for state, legal in positions(ludoteca.game(spec), seed):
                assert isinstance(state, _core.HorsesState) and state.turn is not None
                for action in legal:
                    decision = Decision(action)
                    seen.update(check(state, decision, reason) for reason in facts(state.view(state.turn), decision))
    assert len(seen) >= 10 and sum(seen.values()) > 1000, seen


def said(layout: str, action: str) -> list[str]:
    game = ludoteca.game(f"horses:size=5,layout={layout}")
    return [str(each) for each in facts(game.deal(0).view(0), Decision(game.parse_action(action)))]


def test_points_beside_the_board_are_not_in_reach() -> None:
    """A knight does not jump from the h side to the a side: b1 and e3 are one row apart in the list of squares."""
    assert not any("in reach, more" in each for each in said("W@d1/B@a5/+10@a2", "e3"))
    assert "from there 10 points are in reach, more than from any other square" in said("W@d1/B@a5/+10@c2", "e3")


def test_a_knight_that_moves_away_leaves_no_square_behind() -> None:
    """The square it stood on is destroyed, so nobody can take it or come back through it."""
    game = ludoteca.game("horses:size=5,layout=W@a1/B@e5/+10@c2")
    state = game.deal(0)
    for name in ("b3", "c4"):
        state.apply(game.parse_action(name))
    told = list(facts(state.view(0), Decision(game.parse_action("a5"))))
    assert game.parse_action("b3") not in {place for each in told for place in each.places}


def test_every_reason_is_true() -> None:
    """Positions of random matches, with the engine at two levels and the document's minimax; every line is legal."""
    agents = {"engine": 400, "engine:level=3": 400, "minimax:level=beginner": None}
    seen: Counter[str] = Counter()
    for spec in ("horses:size=5", "horses:size=6,penalty=every", "horses:size=6,charge=stuck"):
        game = ludoteca.game(spec)
        for seed in seeds(8):
            state = game.deal(seed)
            assert isinstance(state, _core.HorsesState)
            mover = Random(seed)
            while state.turn is not None:
                view = state.view(state.turn)
                for name, nodes in agents.items():
                    decision = ludoteca.agent(name)(game, state.turn, seed).act(view, Limit(nodes=nodes))
                    assert isinstance(decision, Decision) and len(decision.reasons) <= 3
                    expected = state.copy()
                    for action in decision.line:
                        expected.apply(action)
                    seen.update(check(state, decision, reason) for reason in decision.reasons)
                state.apply(mover.choice(view.legal()))
    assert len(seen) >= 12, seen
    assert sum(seen.values()) > 2000, seen
