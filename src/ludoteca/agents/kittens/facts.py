"""What is true of an action in Kittens: how likely the next card is a bomb, and what the action does about it."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARDS, PLACE_AT
from ludoteca.messages import say, say_count
from ludoteca.protocols import Decision, Reason, View

__all__ = ["facts"]

BOMB, DEFUSE = CARDS.index("Bomb"), CARDS.index("Defuse")
DRAW, ATTACK = ACTIONS.index("draw"), ACTIONS.index("attack")
PLACES = {ACTIONS.index(name) for name in ("place top", "place middle", "place bottom")}


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    table, action = expect(view, _core.KittensView), decision.action
    if action in PLACES or action >= PLACE_AT:
        if table.known and dict(table.known).get(0) == BOMB:
            yield Reason(say("another bomb is already on top"))
        return
    if not table.deck_size:
        yield Reason(say("the deck is empty"))
        return
    yield from _next_card(table)
    if action == ATTACK:
        after = table.sample(0)
        after.apply(action)
        if after.turn == table.seat:
            return
        yield Reason(
            say_count("the other must now draw {count} card", "the other must now draw {count} cards",
                      after.view(table.seat).owed)
        )  # fmt: skip
    if table.hand[DEFUSE] and action == DRAW:
        yield Reason(say("a Defuse in its hand would save it from a bomb"))
    elif not table.hand[DEFUSE]:
        yield Reason(say("it has no Defuse: a bomb would end the match"))


def _next_card(table: _core.KittensView) -> Iterator[Reason]:
    """What is known of the card that is drawn next."""
    known = dict(table.known)
    if 0 in known:
        yield Reason(say("it knows the next card: {card}", card=CARDS[known[0]]))
        return
    chance = table.bomb_chance(0)
    if chance == 0:
        yield Reason(say("the next card is no bomb"))
    elif chance == 1:
        yield Reason(say("the next card is a bomb"))
    else:
        yield Reason(say("the next card is a bomb with a chance of {chance:.0%}", chance=chance))
