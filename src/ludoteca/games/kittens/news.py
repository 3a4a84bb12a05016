"""What happened last at a table of Kittens and what this seat does now, in sentences; nothing hidden from the seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from ludoteca import _core
from ludoteca.games.kittens.cards import CARDS, EVENTS, PLACE_AT
from ludoteca.games.side_names import COLOURS
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action

BOMBS = ("bomb", "bomb bottom")


class Bomb(NamedTuple):
    """A bomb that has been drawn, to be shown large."""

    title: str
    text: str


def depth_name(depth: int, deck_size: int) -> str:
    """``top``, ``bottom`` or the depth."""
    if depth == 0:
        # Translators: of the deck of cards
        return say("top")
    return say("bottom") if depth == deck_size - 1 else str(depth)


def place_name(action: Action, deck_size: int) -> Message:
    """Where an action hides the bomb, for a screen reader."""
    if action in (3, PLACE_AT):
        return say("hide the bomb on top of the deck")
    if action in (5, PLACE_AT + deck_size):
        return say("hide the bomb at the bottom of the deck")
    if action == 4:
        return say("hide the bomb in the middle of the deck")
    return say_count(
        "hide the bomb below {count} card of the deck", "hide the bomb below {count} cards of the deck",
        action - PLACE_AT,
    )  # fmt: skip


def place_short_name(action: Action) -> str:
    """The label of such a place: in words, or the number of the card from the top that the bomb becomes."""
    return (say("top"), say("middle"), say("bottom"))[action - 3] if action < PLACE_AT else str(action - PLACE_AT + 1)


def bomb_of(table: _core.KittensView) -> Bomb | None:
    """The bomb that is being put back, that ended the match, or that the other has drawn since this seat acted."""
    if table.loser is not None:
        if table.loser == table.seat:
            return Bomb(say("You drew a bomb!"), say("You have no Defuse, so you lose."))
        title = say("{side} drew a bomb!", side=COLOURS[table.loser])
        return Bomb(title, say("{side} has no Defuse, so you win.", side=COLOURS[table.loser]))
    if table.placing and table.turn == table.seat:
        text = say("Your Defuse saves you. Where do you hide it in the deck?")
        if (last := table.legal()[-1]) >= PLACE_AT:
            text = joined([text, say("1 is the top, {last} the bottom.", last=last - PLACE_AT + 1)], " ")
        return Bomb(say("You drew a bomb!"), text)
    other = COLOURS[1 - table.seat]
    if table.placing:
        text = say("{side} uses a Defuse and hides the bomb in the deck. You do not see where.", side=other)
        return Bomb(say("{side} drew a bomb!", side=other), text)
    if any(what in BOMBS for what, _ in _since(table)):
        text = say("{side} used a Defuse and hid the bomb in the deck. You did not see where.", side=other)
        return Bomb(say("{side} drew a bomb!", side=other), text)
    return None


def news_of(table: _core.KittensView) -> list[Message]:
    """What happened since this seat acted, or what its own action did, and what it does now."""
    if table.turn is None:
        return []
    theirs = [text for what, _ in _since(table)[-2:] if (text := _theirs(table, what))]
    news = theirs or _own(table)
    if table.turn != table.seat:
        text = say_count(
            "{side} must draw {count} card.", "{side} must draw {count} cards.", table.owed, side=COLOURS[table.turn]
        )
        return [*news, *([] if table.placing else [text])]
    if table.placing:
        return [say("Choose a place for the bomb.")]
    return [*news, _to_do(table)]


def _to_do(table: _core.KittensView) -> Message:
    if not table.deck_size:
        return say("The deck is empty: drawing gives nothing.")
    if any(action != 0 for action in table.legal()):
        return say_count(
            "You must draw {count} card: click the deck, or play a card first.",
            "You must draw {count} cards: click the deck, or play a card first.", table.owed,
        )  # fmt: skip
    return say_count(
        "You must draw {count} card: click the deck.", "You must draw {count} cards: click the deck.", table.owed
    )


def _since(table: _core.KittensView) -> list[tuple[str, Sequence[int]]]:
    """The other's events since this seat's last one: what happened, and the cards that this seat saw."""
    other = 1 - table.seat
    events = list(takewhile(lambda entry: entry[0] == other, reversed(table.log)))
    return [(EVENTS[event], cards) for _, event, cards, _, _ in reversed(events)]


def _theirs(table: _core.KittensView, what: str) -> Message | None:
    side = COLOURS[1 - table.seat]
    match what:
        case "draw":
            return say("{side} drew a card.", side=side)
        case "draw bottom":
            return say("{side} drew the bottom card.", side=side)
        case "skip":
            return say("{side} skipped a draw.", side=side)
        case "attack":
            return say("{side} attacked you.", side=side)
        case "see":
            return say("{side} looked at the top three cards.", side=side)
        case "shuffle":
            return say("{side} shuffled: the order of the deck is new.", side=side)
    return None


def _own(table: _core.KittensView) -> list[Message]:
    """What the last event was, if it was this seat's own."""
    if not table.log or table.log[-1][0] != table.seat:
        return []
    _, event, cards, depth, _ = table.log[-1]
    names = [CARDS[card] for card in cards]
    match EVENTS[event]:
        case "draw" if names:
            return [say("You drew: {cards}.", cards=names)]
        case "draw bottom" if names:
            return [say("You drew from the bottom: {cards}.", cards=names)]
        case "skip":
            return [say("You skipped a draw.")]
        case "attack":
            return [say("You attacked {side}.", side=COLOURS[1 - table.seat])]
        case "see" if names:
            return [say("The next cards are: {cards}.", cards=names)]
        case "shuffle":
            return [say("You shuffled: the order of the deck is new.")]
        case "bomb" | "bomb bottom" if depth is not None:
            return [say("You hid the bomb again.")]
    return []
