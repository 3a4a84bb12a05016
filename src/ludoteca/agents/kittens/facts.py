"""What is true of an action in Kittens: how likely a bomb is drawn, what the other holds, what the action does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ludoteca import _core
from ludoteca.agents.reasons import rounded_chance
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARD_ACTIONS, CARDS, FIRST_HAND, PLACE_AT
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import Message, say, say_count
from ludoteca.protocols import Action, Decision, Reason, View

BOMB, DEFUSE, SKIP_CARD, ATTACK_CARD = (CARDS.index(name) for name in ("Bomb", "Defuse", "Skip", "Attack"))
DRAW, SKIP, ATTACK, SEE, BOTTOM, SHUFFLE = (
    ACTIONS.index(name) for name in ("draw", "skip", "attack", "see", "bottom", "shuffle")
)
TOP, MIDDLE = ACTIONS.index("place top"), ACTIONS.index("place middle")
SEEN = 3
"""Cards that See shows."""
WORLDS = 100
"""Sampled worlds that say what the other probably holds."""
PROBABLY = 0.75
"""The share of these worlds from which it is said: five standard errors above a half."""


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    table = expect(view, _core.KittensView)
    if table.placing:
        yield from _placed(table, decision.action)
    elif not table.deck_size:
        yield Reason(say("the deck is empty"))
    else:
        yield from _played(table, _real_action(table, decision.action))


def skill_missed(view: View, action: Action, best: Decision) -> str | None:
    """See `agents.reasons.skill_missed`."""
    table = expect(view, _core.KittensView)
    if table.placing:
        return say("where to put a bomb back: who draws next, and how soon?")
    played, better = _real_action(table, action), _real_action(table, best.action)
    if played == DRAW and better in (SKIP, ATTACK):
        return say("when not to draw: play a Skip or an Attack while a bomb is likely")
    if better == DRAW and played in (SKIP, ATTACK):
        return say("when to draw: keep Skip and Attack for a more dangerous deck")
    if better in (SEE, BOTTOM, SHUFFLE):
        return say("See, Bottom and Shuffle: use them before a dangerous draw")
    return say("the choice between Skip and Attack: who should draw next?")


def _real_action(table: _core.KittensView, action: Action) -> Action:
    """What the rules do: in rules=original a card that is not in the hand is a plain draw."""
    card = CARD_ACTIONS.get(action)
    return DRAW if card is not None and not table.hand[card] else action


def _played(table: _core.KittensView, action: Action) -> Iterator[Reason]:
    if action == BOTTOM:
        yield Reason(_bomb_at_bottom(table), (BOTTOM,))
    elif action == SHUFFLE:
        yield Reason(
            say("after the shuffle the next card is a bomb with a chance of {after:.0%}, before with {before:.0%}",
                after=rounded_chance(table.bombs / table.deck_size), before=rounded_chance(table.bomb_chance(0))),
            (DRAW,),
        )  # fmt: skip
    else:
        yield Reason(_next_card(table), (DRAW,))
    risky = table.bomb_chance(table.deck_size - 1 if action == BOTTOM else 0) > 0
    if action == ATTACK and not _is_last_turn(table):
        owed = table.owed + 2 if table.game.options["stack"] and table.owed >= 2 else 2
        yield Reason(
            say_count("the other must now draw {count} card", "the other must now draw {count} cards", owed), (ATTACK,)
        )
        yield from _others_defuse(table)
    elif action == SEE and table.game.options["rules"] == "clean":
        count = min(SEEN, table.deck_size)
        yield Reason(
            say_count("it looks at the next card first", "it looks at the next {count} cards first", count), (SEE,)
        )
    if not risky:
        return
    if not table.hand[DEFUSE]:
        yield Reason(say("it has no Defuse: a bomb would end the match"))
    elif action in (SKIP, ATTACK):
        if action == ATTACK or table.owed == 1 or table.game.options["rules"] == "clean":
            yield Reason(say("this draw is spared, and the Defuse in its hand is kept"))
    else:
        yield Reason(say("a Defuse in its hand would save it from a bomb"))
    if action == DRAW and not (table.hand[SKIP_CARD] or table.hand[ATTACK_CARD]):
        yield Reason(say("it has no Skip and no Attack to avoid the draw"))


def _placed(table: _core.KittensView, action: Action) -> Iterator[Reason]:
    """What follows from where a bomb is put back."""
    depth = _depth(table, action)
    if depth:
        yield Reason(
            say_count("{count} card is drawn before this bomb", "{count} cards are drawn before this bomb", depth)
        )
        if dict(table.known).get(0) == BOMB:
            yield Reason(say("another bomb is already on top"))
    elif table.owed:
        yield Reason(say("this bomb is the next card, and it still owes a draw"))
    elif not _is_last_turn(table):
        yield Reason(say("this bomb is the next card, and the other is on turn"))
        yield from _others_defuse(table)


def _is_last_turn(table: _core.KittensView) -> bool:
    """Whether the match is a draw once this turn is over."""
    return bool(table.turns + 1 >= table.game.options["max_turns"])


def _depth(table: _core.KittensView, action: Action) -> int:
    """How many cards lie above a bomb that is put back."""
    size = table.deck_size
    if action >= PLACE_AT:
        return action - PLACE_AT
    if action == MIDDLE:
        return (size + 1) // 2 if table.game.options["rules"] == "original" else size // 2
    return 0 if action == TOP else size


def _next_card(table: _core.KittensView) -> Message:
    """What is known of the card that is drawn next."""
    known = dict(table.known)
    if 0 in known:
        return say("the next card is known: {card}", card=CARDS[known[0]])
    chance = table.bomb_chance(0)
    if chance == 0:
        return say("the next card is no bomb")
    if chance == 1:
        return say("the next card is a bomb")
    return say("the next card is a bomb with a chance of {chance:.0%}", chance=rounded_chance(chance))


def _bomb_at_bottom(table: _core.KittensView) -> Message:
    bottom, top = table.bomb_chance(table.deck_size - 1), table.bomb_chance(0)
    return say(
        "the bottom card is a bomb with a chance of {bottom:.0%}, the top card with {top:.0%}",
        bottom=rounded_chance(bottom), top=rounded_chance(top),
    )  # fmt: skip


def _others_defuse(table: _core.KittensView) -> Iterator[Reason]:
    """Whether the other can survive a bomb, where that is known or probable."""
    text = _others_defuse_words(table)
    if text is not None:
        yield Reason(text)


@lru_cache(maxsize=64)
def _others_defuse_words(table: _core.KittensView) -> Message | None:
    """Cached, because a search often comes back to the same view."""
    other = 1 - table.seat
    if table.holds[DEFUSE]:
        return say("the other has a Defuse")
    counts = [*expect(table.game, Kittens).counts.values()]
    elsewhere = table.hand[DEFUSE] + table.gone[DEFUSE] + sum(played[DEFUSE] for played in table.played)
    elsewhere += sum(card == DEFUSE for _, card in table.known)
    if elsewhere == counts[DEFUSE] + 2 * (DEFUSE in FIRST_HAND) or not table.hand_sizes[other]:
        return say("the other has no Defuse")
    share = sum(table.sample(seed).view(other).hand[DEFUSE] > 0 for seed in range(WORLDS)) / WORLDS
    if share >= PROBABLY:
        return say("the other probably has a Defuse")
    return say("the other probably has no Defuse") if share <= 1 - PROBABLY else None
