"""The cards of Kittens, and the notation of decks and positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ludoteca.errors import InvalidOption, InvalidPosition
from ludoteca.games.start_notation import drawn_for_seats, read_number, read_start
from ludoteca.messages import say, say_as, say_count
from ludoteca.protocols import Seat
from ludoteca.spec import with_suggestion

CARDS: tuple[str, ...] = (
    say_as("card", "Bomb"), say_as("card", "Defuse"), say_as("card", "Skip"), say_as("card", "Attack"),
    say_as("card", "See"), say_as("card", "Bottom"), say_as("card", "Shuffle"), say_as("card", "Safe"),
)  # fmt: skip
ACTIONS: tuple[str, ...] = (
    say_as("action", "draw"), say_as("action", "skip"), say_as("action", "attack"), say_as("action", "place top"),
    say_as("action", "place middle"), say_as("action", "place bottom"), say_as("action", "see"),
    say_as("action", "bottom"), say_as("action", "shuffle"),
)  # fmt: skip
PLACE_AT = len(ACTIONS)
"""The action that puts the bomb at depth 0; the next ones put it deeper."""
EVENTS = ("", "draw", "bomb", "draw bottom", "bomb bottom", "skip", "attack", "see", "bottom", "shuffle")
"""What happens, in the order of the core's log."""
CARD_ACTIONS = {1: 2, 2: 3, 6: 4, 7: 5, 8: 6}
"""By action the card that it plays."""
DECKS = {"v2": (4, 2, 2, 2, 1, 1, 1, 17), "rich": (4, 2, 3, 3, 3, 2, 3, 10), "v1": (4, 2, 3, 3, 0, 0, 0, 18)}
"""The named decks, as counts in the order of CARDS."""
MAX_DECK = 60
NAMES = tuple(card.lower() for card in CARDS)
FIRST_HAND = (1, 2, 3)
"""The first hand of each seat: Defuse, Skip, Attack."""
COUNTED = (1, 2, 3, 7)
"""The cards whose number in each hand rules=original reveals."""


def read_deck(text: str) -> tuple[int, ...]:
    """The counts of a deck such as ``v2`` or ``bomb4+skip2``. Raises InvalidOption."""
    word = re.sub(r"\s", "", text).lower()
    if word in DECKS:
        return DECKS[word]
    counts: dict[str, int] = {}
    for part in word.split("+"):
        match = re.fullmatch(r"([a-z]+)([0-9]{1,3})", part)
        card = match[1] if match else part
        if match is None or card not in NAMES or card in counts:
            why = say("gives a card twice") if card in counts else say("is neither a deck nor counts of cards")
            wrong = say(
                "kittens: deck={deck} {why}: it is one of {decks}, or counts such as bomb4+safe9 of {cards}",
                deck=text,
                why=why,
                decks=[*DECKS],
                cards=NAMES,
            )
            raise InvalidOption(with_suggestion(wrong, card, [*DECKS, *NAMES]))
        counts[card] = int(match[2])
    if not 1 <= sum(counts.values()) <= MAX_DECK:
        raise InvalidOption(
            say_count(
                "kittens: deck={deck} has {count} card, not 1 to {most}",
                "kittens: deck={deck} has {count} cards, not 1 to {most}",
                sum(counts.values()),
                deck=text,
                most=MAX_DECK,
            )
        )
    return tuple(counts.get(card, 0) for card in NAMES)


def write_deck(counts: tuple[int, ...]) -> str:
    """The shortest name of a deck."""
    for name, deck in DECKS.items():
        if deck == counts:
            return name
    return "+".join(f"{name}{count}" for name, count in zip(NAMES, counts, strict=True) if count)


class Start(NamedTuple):
    """A position set up by hand, such as ``deck: safe bomb skip; 0: defuse skip; 1: 4; turn: 0; owed: 1``."""

    deck: Sequence[int] | None
    """From the top; None: all other cards, shuffled."""
    hands: tuple[Sequence[int], Sequence[int]]
    more: tuple[int, int]
    """How many more cards each seat draws."""
    turn: Seat
    owed: int

    @classmethod
    def read(cls, text: str, *, max_owed: int) -> Start:
        """Reads the text, without checking it against a game's cards. Raises InvalidPosition."""
        parts = read_start(text, ("deck", "0", "1", "turn", "owed"))
        deck = read_cards("deck", parts["deck"]) if "deck" in parts else None
        hands: list[Sequence[int]] = [FIRST_HAND, FIRST_HAND]
        more = [0, 0]
        for seat in (0, 1):
            words = parts.get(str(seat))
            if words is not None and len(words) == 1 and words[0].isdigit():
                hands[seat], more[seat] = (), read_number(parts, str(seat), 0, MAX_DECK + 2 * len(FIRST_HAND))
            elif words is not None:
                hands[seat] = read_cards(str(seat), words)
                if 0 in hands[seat]:
                    raise InvalidPosition("{part}: a bomb cannot be in a hand; it can only lie in the deck", part=seat)
        turn = read_number(parts, "turn", 0, 1)
        owed = read_number(parts, "owed", 1, max_owed, least=1)
        return cls(deck, (hands[0], hands[1]), (more[0], more[1]), turn, owed)

    def check(self, total: Sequence[int], max_deck: int) -> None:
        """Raises InvalidPosition unless a game with these counts of cards can deal it."""
        parts = {"deck": Counter(self.deck or ()), "0": Counter(self.hands[0]), "1": Counter(self.hands[1])}
        used = parts["deck"] + parts["0"] + parts["1"]
        for card, count in sorted(used.items()):
            if count > total[card]:
                where = [f"{part}: {cards[card]}" for part, cards in parts.items() if cards[card]]
                raise InvalidPosition(
                    "the start has {held} {card} ({where}), but the game only {total}",
                    held=count,
                    card=NAMES[card],
                    where=where,
                    total=total[card],
                )
        left = sum(total) - sum(used.values())
        free = left - (total[0] - used[0])
        if sum(self.more) > free:
            raise InvalidPosition(
                say_count(
                    "the start draws {wanted}, but only {count} card that is no bomb is left",
                    "the start draws {wanted}, but only {count} cards that are no bombs are left",
                    free,
                    wanted=drawn_for_seats(self.more),
                )
            )
        size = left - sum(self.more) if self.deck is None else len(self.deck)
        if not 1 <= size <= max_deck:
            raise InvalidPosition(
                say_count(
                    "the deck of the start has {count} card, not 1 to {most}",
                    "the deck of the start has {count} cards, not 1 to {most}",
                    size,
                    most=max_deck,
                )
            )


def read_cards(part: str, words: Iterable[str]) -> list[int]:
    """The numbers of these cards. Raises InvalidPosition."""
    out = []
    for word in words:
        if word.lower() not in NAMES:
            wrong = say(
                "{part}: {word!r} is no card of Kittens: cards are {names}", part=part, word=word[:40], names=NAMES
            )
            raise InvalidPosition(with_suggestion(wrong, word.lower(), NAMES))
        out.append(NAMES.index(word.lower()))
    return out
