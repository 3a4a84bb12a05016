"""A deck and two hands of Kittens set up by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ludoteca.games.kittens.cards import CARDS, FIRST_HAND, NAMES, Start
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import say, say_count
from ludoteca.play.match import Match
from ludoteca.protocols import Seat
from ludoteca.web.editing.positions import Unplayable, read_seed
from ludoteca.web.errors import InvalidTable

TARGETS = ("deck", "0", "1")
"""Where a card can go: the deck, or the hand of a seat."""
BOMB = CARDS.index("Bomb")


@dataclass
class KittensEditor:
    """The cards of the deck and the hands, by number; an empty deck means all cards left, shuffled."""

    game: Kittens
    seed: int
    turn: Seat = 0
    owed: int = 1
    deck: list[int] = field(default_factory=list)
    """From the top."""
    hands: tuple[list[int], list[int]] = field(default_factory=lambda: (list(FIRST_HAND), list(FIRST_HAND)))
    counts: list[int] = field(default_factory=lambda: [0, 0])
    """By seat how many cards the seed deals into an empty hand."""
    marked: int | None = None
    """The place in the deck, from the top, above which new cards go; None: they go to the bottom."""

    @classmethod
    def read(cls, game: Kittens, fields: Mapping[str, str]) -> KittensEditor:
        """Reads an address: ``start=deck: safe bomb; 0: defuse; 1: 3`` and a seed. Raises LudotecaError."""
        asked = Start.read(fields.get("start", ""), max_owed=game.max_owed)
        hands = (sorted(asked.hands[0]), sorted(asked.hands[1]))
        seed, counts = read_seed(fields), list(asked.more)
        editor = cls(game, seed, asked.turn, asked.owed, list(asked.deck or ()), hands, counts)
        if any(editor.left(card) < 0 for card in range(len(CARDS))):
            raise Unplayable(say("The game has no more of these cards; its option deck says how many there are."))
        return editor

    def fields(self) -> dict[str, str]:
        """The position as the fields that `read` takes."""
        return {"game": self.game.spec, "start": self.start(), "seed": str(self.seed)}

    def left(self, card: int) -> int:
        """How many cards of this kind are not placed."""
        used = sum(pile.count(card) for pile in (self.deck, *self.hands))
        return self.game.counts[CARDS[card]] + 2 * (card in FIRST_HAND) - used

    def fits(self, card: int, target: str) -> bool:
        """Whether one more card of this kind may go there."""
        return self.left(card) > 0 and (card != BOMB or target == "deck")

    def add(self, card: int, target: str) -> None:
        """Places one more card. Raises InvalidTable for a card or place that does not exist, and Unplayable."""
        if not 0 <= card < len(CARDS) or target not in TARGETS:
            raise InvalidTable("card {card} cannot be put to {place!r}", card=card, place=target[:20])
        if not self.fits(card, target):
            if self.left(card) > 0:
                raise Unplayable(say("A bomb cannot be in a hand."))
            raise Unplayable(say("The game has no more of these cards; its option deck says how many there are."))
        pile = self.deck if target == "deck" else self.hands[int(target)]
        if target != "deck":
            pile.append(card)
            pile.sort()
        elif self.marked is None:
            pile.append(card)
        else:
            pile.insert(self.marked, card)
            self.marked += 1

    def mark(self, place: int) -> None:
        """Marks a card of the deck, or removes the mark. Raises InvalidTable."""
        if not 0 <= place < len(self.deck):
            raise InvalidTable("the deck has no card {place}", place=place)
        self.marked = None if self.marked == place else place

    def move(self, by: int) -> None:
        """Moves the marked card one place towards the top (-1) or the bottom (1), if it can."""
        if self.marked is not None and 0 <= self.marked + by < len(self.deck):
            self.deck.insert(self.marked + by, self.deck.pop(self.marked))
            self.marked += by

    def take(self) -> None:
        """Removes the marked card and marks the one below."""
        if self.marked is not None:
            del self.deck[self.marked]
            self.marked = self.marked if self.marked < len(self.deck) else None

    def drop(self, seat: Seat, card: int) -> None:
        """Removes a card from a hand. Raises InvalidTable."""
        if seat not in (0, 1) or card not in self.hands[seat]:
            raise InvalidTable("seat {seat} has no card {card}", seat=seat, card=card)
        self.hands[seat].remove(card)

    def fill(self, seed: int) -> None:
        """Replaces the deck by all cards left, shuffled. Raises LudotecaError when there is none."""
        rest = replace(self, deck=[], seed=seed).match()
        self.deck, self.marked = self.game.deck_of(self.game.deal_from(rest.start, seed)), None

    def clear(self) -> None:
        """Empties the deck and resets the hands to the first hand."""
        self.deck, self.marked = [], None
        for hand in self.hands:
            hand[:] = FIRST_HAND

    def change(self, game: Kittens) -> None:
        """Takes over other options; if they have too few cards for the position, clears it."""
        self.game, self.owed = game, min(self.owed, game.max_owed)
        if any(self.left(card) < 0 for card in range(len(CARDS))):
            self.clear()

    def start(self) -> str:
        """The position in the notation of the game."""
        deck = [NAMES[card] for card in self.deck] if self.deck else None
        hands = [
            [NAMES[card] for card in hand] if hand else count
            for hand, count in zip(self.hands, self.counts, strict=True)
        ]
        return Kittens.start(deck=deck, hands=(hands[0], hands[1]), turn=self.turn, owed=self.owed)

    def advised_seat(self) -> Seat | None:
        """None: what a seat knows of the deck comes from all that happened."""
        return None

    def match(self) -> Match:
        """A match that starts from the position. Raises LudotecaError."""
        wanted = sum(count for hand, count in zip(self.hands, self.counts, strict=True) if not hand)
        left = [self.left(card) for card in range(len(CARDS))]
        if wanted > sum(left) - left[BOMB]:
            raise Unplayable(
                say_count(
                    "{count} card must be drawn at random, but only {left} without bombs are left.",
                    "{count} cards must be drawn at random, but only {left} without bombs are left.",
                    wanted,
                    left=sum(left) - left[BOMB],
                )
            )
        if not self.deck and wanted == sum(left):
            raise Unplayable(say("No card is left for the deck."))
        return Match(self.game, self.seed, start=self.start())
