"""What the players of Dominoes say about their moves is true of the hidden hands too."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from typing import cast

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.messages import Message


def test_every_reason_is_true() -> None:
    seen: Counter[str] = Counter()
    chances: list[tuple[float, bool]] = []
    for spec in ("dominoes", "dominoes:variant=block", "dominoes:pips=4,hand=5,start=seat"):
        game = ludoteca.game(spec)
        for seed in range(40):
            chance, state = Random(seed), game.deal(seed)
            assert isinstance(state, _core.DominoesState)
            while state.turn is not None:
                view = state.view(state.turn)
                for name in ("mcts", "engine:level=4", "tumbafichas:depth=2"):
                    decision = ludoteca.agent(name)(game, state.turn, seed).act(view, Limit(nodes=20))
                    assert isinstance(decision, Decision) and len(decision.reasons) <= 3
                    seen.update(check(state, decision, reason, chances) for reason in decision.reasons)
                state.apply(chance.choice(view.legal()))
    assert len(seen) >= 7, seen
    assert sum(seen.values()) > 3000, seen
    expected = sum(chance for chance, _ in chances)
    spread = sqrt(sum(chance * (1 - chance) for chance, _ in chances))
    assert abs(sum(stuck for _, stuck in chances) - expected) < 5 * spread + 1


def check(state: _core.DominoesState, decision: Decision, reason: Reason, chances: list[tuple[float, bool]]) -> str:
    """Asserts that a reason is true of both hands; a chance is noted with what was the case. Returns the template."""
    me, text = state.turn, reason.text
    assert me is not None and isinstance(text, Message)
    after = state.copy()
    after.apply(decision.action)
    before, then = state.view(me), after.view(me)
    theirs = {number for tile in state.view(1 - me).hand for number in numbers(tile)}
    count, ends = text.fields.get("count"), set(then.ends or ())
    (tile,) = set(before.hand) - set(then.hand)
    fitting = [each for each in then.hand if ends & set(numbers(each))]
    match text.template:
        case "it lays its last tile":
            assert not then.hand
        case "the other cannot follow: it has no {numbers}":
            assert not ends & theirs and str(text.fields["numbers"]) == " or ".join(map(str, sorted(ends)))
        case "the other has no {number}":
            assert text.fields["number"] in ends - theirs
        case "the other cannot follow with a chance of {chance:.0%}":
            chances.append((cast("float", text.fields["chance"]), not ends & theirs))
        case "it lays its heaviest tile, of {count} pip":
            assert sum(numbers(tile)) == count == max(sum(numbers(each)) for each in before.hand)
        case "it keeps {count} tile that fits now":
            assert len(fitting) == count
        case "it lays a double, which fits only one number":
            assert len(set(numbers(tile))) == 1
        case proof:
            assert proof.startswith("it has proved"), proof
    return text.template
