"""What is true of a tile that is laid: whether the other can follow, what stays in the hand, how heavy it was."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import comb

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Reason, View

__all__ = ["facts"]

LIKELY = 0.5
"""The chance that the other cannot follow from which it is worth saying."""


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    table, action = expect(view, _core.DominoesView), decision.action
    if action >= table.game.draw_action:
        return
    me = table.seat
    after = table.sample(0)
    after.apply(action)
    then = after.view(me)
    if not then.hand:
        yield Reason(say("it lays its last tile"), (action,))
        return
    assert then.ends is not None
    ends, (tile,) = sorted(set(then.ends)), set(table.hand) - set(then.hand)
    impossible = [
        number
        for number in ends
        if number in then.lacks[1 - me] or not any(number in numbers(each) for each in table.unseen)
    ]
    if impossible == ends:
        text = say("the other cannot follow: it has no {numbers}", numbers=_alternatives(ends))
        yield Reason(text, _hidden_with(table, ends))
    elif impossible:
        yield Reason(say("the other has no {number}", number=impossible[0]), _hidden_with(table, impossible[:1]))
    elif (chance := _stuck_chance(table, ends)) is not None and chance >= LIKELY:
        text = say("the other cannot follow with a chance of {chance:.0%}", chance=chance)
        yield Reason(text, _hidden_with(table, ends))
    pips = sum(numbers(tile))
    if len(table.hand) > 1 and pips > max(sum(numbers(each)) for each in then.hand):
        yield Reason(
            say_count("it lays its heaviest tile, of {count} pip", "it lays its heaviest tile, of {count} pips", pips),
            (action,),
        )
    fitting = [each for each in then.hand if set(ends) & set(numbers(each))]
    if fitting:
        yield Reason(
            say_count("it keeps {count} tile that fits now", "it keeps {count} tiles that fit now", len(fitting)),
            tuple(2 * each for each in fitting),
        )
    if len(set(numbers(tile))) == 1:
        yield Reason(say("it lays a double, which fits only one number"), (action,))


def _hidden_with(table: _core.DominoesView, some: Collection[int]) -> tuple[Action, ...]:
    """Where the tiles with these numbers that the seat does not see would be laid on the left."""
    return tuple(2 * tile for tile in table.unseen if set(some) & set(numbers(tile)))


def _stuck_chance(table: _core.DominoesView, ends: list[int]) -> float | None:
    """The chance that no tile of the other fits these ends; None if what the other did says more than its count."""
    other = 1 - table.seat
    if any(seat == other for seat, *_ in table.stuck) or table.winner is not None:
        return None
    unseen, held = len(table.unseen), table.counts[other]
    fitting = sum(bool(set(ends) & set(numbers(each))) for each in table.unseen)
    return comb(unseen - fitting, held) / comb(unseen, held)


def _alternatives(ends: list[int]) -> str:
    return joined(map(str, ends), say(" or "))
