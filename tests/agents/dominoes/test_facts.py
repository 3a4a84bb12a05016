"""What the players of Dominoes say about their moves is true of the hidden hands too."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import comb, sqrt
from typing import cast

import pytest

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.agents.dominoes.facts import facts
from ludoteca.agents.reasons import rounded_chance
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers, tile_name, tile_of
from ludoteca.messages import Message
from tests.agents.reason_positions import positions, seeds

SPECS = ["dominoes", "dominoes:variant=block", "dominoes:pips=4,hand=5,start=seat", "dominoes:pips=3,blocked=draw"]
Chances = list[tuple[float, bool]]
EXACT = 400
"""Hands up to which a chance is counted."""


def test_every_fact_is_true_of_every_action() -> None:
    seen: Counter[str] = Counter()
    chances: Chances = []
    for spec in SPECS:
        for seed in seeds(30):
            for state, legal in positions(ludoteca.game(spec), seed):
                assert isinstance(state, _core.DominoesState) and state.turn is not None
                for action in legal:
                    for reason in facts(state.view(state.turn), Decision(action)):
                        seen[check(state, Decision(action), reason, chances)] += 1
    assert len(seen) >= 12 and sum(seen.values()) > 3000, seen
    expected = sum(chance for chance, _ in chances)
    spread = sqrt(sum(chance * (1 - chance) for chance, _ in chances))
    assert abs(sum(stuck for _, stuck in chances) - expected) < 5 * spread + 1


def test_every_agent_gives_true_reasons() -> None:
    names = ("mcts", "engine:level=4", "tumbafichas:depth=2", "cases", "cases:reading=ours", "random")
    seen: Counter[str] = Counter()
    for spec in SPECS[:2]:
        game = ludoteca.game(spec)
        for seed in seeds(4):
            for state, _ in positions(game, seed):
                assert isinstance(state, _core.DominoesState) and state.turn is not None
                for name in names:
                    decision = ludoteca.agent(name)(game, state.turn, seed).act(state.view(state.turn), Limit(nodes=20))
                    assert isinstance(decision, Decision) and len(decision.reasons) <= 3
                    assert decision.reasons or name.startswith(("mcts", "engine", "tumbafichas"))
                    seen.update(check(state, decision, reason, []) for reason in decision.reasons)
    assert len(seen) >= 15, seen


def fits(tile: int, ends: set[int]) -> bool:
    return bool(ends & set(numbers(tile)))


def stuck_chance(view: _core.DominoesView, ends: set[int]) -> float | None:
    """The chance that the other cannot follow, by counting the hands that it can have; None if there are too many."""
    if len(view.legal()) == 1 and view.ends is None:
        return None
    hands = _core.dominoes_hands(view, EXACT)
    if hands is None:
        return None
    stuck = sum(deals for hand, deals in hands if not any(fits(tile, ends) for tile in hand))
    return stuck / sum(deals for _, deals in hands)


def check(state: _core.DominoesState, decision: Decision, reason: Reason, chances: Chances) -> str:
    """Asserts that a reason is true of both hands; a chance is noted with what was the case. Returns the template."""
    me, text = state.turn, reason.text
    assert me is not None and isinstance(text, Message)
    if "{part0}" in text.template:
        parts = [each for name, each in text.fields.items() if name.startswith("part")]
        assert all(check(state, decision, Reason(cast("str", each)), []) for each in parts)
        return text.template
    after = state.copy()
    after.apply(decision.action)
    before, then = state.view(me), after.view(me)
    hand = state.view(1 - me).hand
    theirs = {number for tile in hand for number in numbers(tile)}
    count, ends = text.fields.get("count"), set(then.ends or ())
    laid = set(before.hand) - set(then.hand)
    fitting = [each for each in then.hand if fits(each, ends)]
    can_follow = any(fits(tile, ends) for tile in hand)
    exact = stuck_chance(before, ends) if laid else None
    shown = cast("float", text.fields.get("chance", 0.5))
    assert (" 0%" not in text or shown == 0) and ("100%" not in text or shown == 1)
    match text.template:
        case "it lays its last tile":
            assert not then.hand
        case "no hand has a tile that fits: the match ends":
            assert after.turn is None and then.hand and hand
        case "its hand is lighter, with {count} pip":
            assert after.turn is None and after.returns()[me] > 0
            assert count == sum(sum(numbers(tile)) for tile in then.hand)
        case "the other cannot follow: it has no {numbers}":
            assert not ends & theirs and str(text.fields["numbers"]) == " or ".join(map(str, sorted(ends)))
        case "the other has no {number}":
            assert text.fields["number"] in ends - theirs
        case "the other cannot follow with a chance of {chance:.0%}":
            chances.append((shown, not can_follow))
            assert exact is None or shown == rounded_chance(exact)
        case "the other can follow only with {tiles}, which it has with a chance of {chance:.0%}":
            named = {tile_of(*map(int, name.split("-"))) for name in str(text.fields["tiles"]).split(" or ")}
            assert {tile for tile in hand if fits(tile, ends)} <= named
            chances.append((1 - shown, not can_follow))
            assert exact is None or abs(shown - (1 - exact)) <= 0.01
        case "only it has a {number}: it keeps {tiles} for last":
            number = cast("int", text.fields["number"])
            assert number in ends and not any(number in numbers(tile) for tile in before.unseen)
            own = [tile for tile in then.hand if number in numbers(tile)]
            assert str(text.fields["tiles"]) == " and ".join(map(tile_name, own))
        case "it lays its heaviest tile, of {count} pip":
            (tile,) = laid
            assert sum(numbers(tile)) == count == max(sum(numbers(each)) for each in before.hand)
        case "it keeps {count} tile that fits now":
            assert len(fitting) == count
        case "it keeps {count} tile that fits now, more than with any other choice":
            assert len(fitting) == count
            for other in set(before.legal()) - {decision.action}:
                elsewhere = state.copy()
                elsewhere.apply(other)
                view = elsewhere.view(me)
                assert sum(fits(each, set(view.ends or ())) for each in view.hand) < len(fitting)
        case "it lays a double, which fits only one number":
            assert len({number for tile in laid for number in numbers(tile)}) == 1
        case "it is the only legal action":
            assert before.legal() == [decision.action]
        case "no tile fits: it draws" | "no tile fits and none can be drawn: it passes":
            assert not laid and not any(fits(tile, ends) for tile in before.hand)
        case "it chose at random":
            pass
        case template:
            check_case(state, template, text)
    return text.template


def check_case(state: _core.DominoesState, template: str, text: Message) -> None:
    """What the player of cases says: how many of its tiles have a number; the rest is its own count."""
    view, fields = state.view(cast("int", state.turn)), text.fields

    def own(name: str) -> int:
        return sum(fields[name] in numbers(tile) for tile in view.hand)

    match template:
        case "both ends are {number}":
            assert view.ends == (fields["number"], fields["number"])
        case "its tiles fit only at the {number}":
            assert own("number") and not any(fits(t, {*(view.ends or ())} - {fields["number"]}) for t in view.hand)
        case "fewer of its tiles have {one} ({few}) than {other} ({many})":
            assert (own("one"), own("other")) == (fields["few"], fields["many"]) and own("one") < own("other")
        case "as many of its tiles have {one} as {other} ({few})":
            assert own("one") == own("other") == fields["few"]
        case "the other cannot play at {number}, so it keeps that end":
            assert not any(fields["number"] in numbers(tile) for tile in state.view(1 - view.seat).hand)
        case "it leaves {number}: {count} of its tiles has it and, by its count, {expected:.1f} of the other's":
            assert own("number") - 1 <= cast("int", fields["count"]) <= own("number")
        case other:
            assert other in (
                "it found nothing there, so it lays the first tile that fits the other end, or any",
                "it lays the first tile",
            ) or other.startswith("it has proved"), other


def said(spec: str, start: str, action: str, played: str = "") -> list[str]:
    """The facts about a tile in a position set up by hand, after some actions, for the seat on turn."""
    game = expect(ludoteca.game(spec), Dominoes)
    state = game.deal_from(start, 1)
    for name in played.split():
        state.apply(game.parse_action(name))
    assert state.turn is not None
    return [str(each) for each in facts(state.view(state.turn), Decision(game.parse_action(action)))]


def test_the_first_tile_says_nothing_where_any_may_be_the_first() -> None:
    """A position set up by hand may begin with a tile that the rules of a deal would not allow."""
    spec, start = "dominoes:variant=block", "0: 1-0 2-0; 1: 6-0 5-0 4-0; turn: 0"
    assert not [text for text in said(spec, start, "1-0") if "other" in text]
    assert not [text for text in said(spec, start, "5-0", "1-0") if "it has no" in text]
    for lone in ("0: 0-0 1-0; 1: 6-6 5-5 4-4; turn: 0", "0: 1-0 0-0; 1: 6-6; turn: 0"):
        assert said(spec, lone, "1-0")


def test_the_first_tile_says_what_the_other_was_not_dealt() -> None:
    """The other has no tile that would have started in place of the first: who counts all unseen tiles is wrong."""
    game = ludoteca.game("dominoes:pips=5,hand=2,variant=block")
    fooled = 0
    for seed in range(200):
        for state, legal in islice(positions(game, seed), 1, 3):
            assert isinstance(state, _core.DominoesState) and state.turn is not None
            view = state.view(state.turn)
            for action in legal:
                for reason in facts(view, Decision(action)):
                    assert isinstance(reason.text, Message)
                    if reason.text.template != "the other cannot follow with a chance of {chance:.0%}":
                        continue
                    after = state.copy()
                    after.apply(action)
                    ends = set(after.view(view.seat).ends or ())
                    exact = stuck_chance(view, ends)
                    assert exact is not None and reason.text.fields["chance"] == rounded_chance(exact)
                    held, free = view.counts[1 - view.seat], [tile for tile in view.unseen if not fits(tile, ends)]
                    naive = comb(len(free), held) / comb(len(view.unseen), held)
                    fooled += rounded_chance(naive) != rounded_chance(exact)
    assert fooled > 10


def test_a_number_that_was_lacked_may_have_been_drawn_since() -> None:
    """The other drew at a 6 and a 4, several tiles, so it may hold numbers that it lacked earlier."""
    game = ludoteca.game("dominoes")
    for seed in range(30):
        for state, legal in positions(game, seed):
            assert isinstance(state, _core.DominoesState) and state.turn is not None
            view = state.view(state.turn)
            runs = [action for seat, action, *_ in view.stuck if seat != view.seat]
            if len(runs) < 2 or legal[0] >= view.game.draw_action:
                continue
            possible = {
                n for world in range(20) for t in view.sample(world).view(1 - view.seat).hand for n in numbers(t)
            }
            for action in legal:
                for reason in facts(view, Decision(action)):
                    assert isinstance(reason.text, Message)
                    if reason.text.template == "the other has no {number}":
                        assert reason.text.fields["number"] not in possible


def test_what_the_other_may_have_is_not_lacking() -> None:
    """The match would end, but the seat cannot know it: the other may have what lies in the boneyard."""
    start = "line: 6-6 6-5; 0: 5-5 1-0; 1: 2-1; turn: 0"
    blocked = said("dominoes:variant=block", start, "5-5")
    assert not any("the match ends" in each or "cannot follow: " in each for each in blocked)


@pytest.mark.parametrize("variant", ["draw", "block"])
def test_only_it_has_a_number_counts_the_boneyard(variant: str) -> None:
    """A 6 that nobody has yet can still be drawn, so the tile that waits for it is not safe."""
    start = "line: 6-6 6-5 5-5; 0: 6-0 5-1 4-1; 1: 3; turn: 0"
    assert not any("only it has a 6" in each for each in said(f"dominoes:variant={variant}", start, "5-1@right"))
