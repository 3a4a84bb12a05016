"""Leduc poker: one card each and one for both, out of two jacks, two queens and two kings; two rounds of betting.

Each seat pays an ante of one chip and gets a card. Seat 0 begins both rounds. A seat folds, calls (pays what is
missing, maybe nothing) or raises: by 2 chips in the first round, by 4 in the second, at most ``raises`` times a round.
The public card is turned up between the rounds. In the end a pair with it wins, else the higher card; equal cards share
the pot. The winner gets what the loser has paid. Returns are chips, divided by the most that can be won.

The tensor is flat, with r for ``raises``:

============  =====================================================================================
0 - 2         own card: jack, queen, king
3 - 5         public card; zeros in the first round
6 - 8         the other's card; zeros unless it has been shown
9 -           2 rounds of r + 2 actions, three numbers each: fold, call, raise
============  =====================================================================================
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ludoteca import Action, IllegalAction, InvalidAction
from ludoteca.catalogues import Language
from ludoteca.messages import say, say_as, translate
from ludoteca.protocols import ClickArea
from ludoteca.spec import Label, within
from ludoteca_leduc.betting import ANTE, BETS, Betting
from ludoteca_leduc.picture import button, draw

CARDS = ("J", "Q", "K")
DECK = (0, 0, 1, 1, 2, 2)
"""The cards by rank; suits do not matter."""
NAMES = (say_as("action", "fold"), say_as("action", "call"), say_as("action", "raise"))


@dataclass(frozen=True)
class Leduc:
    """The rules; a frozen dataclass has the equality that a game must have."""

    raises: Annotated[int, Label(say("raises"), say("the most raises in a round, 1 to 4"))] = 2

    name = "leduc"
    title = say("Leduc poker")
    summary = say("One card each and one for both; bluff or fold.")
    rules_text = say(
        "Each of you gets one of six cards: two jacks, two queens, two kings. In turn fold, call or raise.\n\nThen a "
        "card for both is turned up, and you bet again.\n\nA pair with that card wins; otherwise the higher card does. "
        "A player who folds loses the chips that they have paid."
    )
    seats = 2
    num_actions = 3
    tensor_range = (0.0, 1.0)
    hidden_information = True
    zero_sum = True
    can_end_in_draw = True

    def __post_init__(self) -> None:
        within("leduc", "raises", self.raises, 1, 4)

    @property
    def spec(self) -> str:
        """The shortest string that makes this game again."""
        return "leduc" if self.raises == 2 else f"leduc:raises={self.raises}"

    @property
    def stake(self) -> float:
        """The most chips that a seat can lose: a return of 1 stands for so many."""
        return float(ANTE + sum(BETS) * self.raises)

    @property
    def tensor_shape(self) -> tuple[int, ...]:
        """See the docstring of this module."""
        return (9 + len(BETS) * (self.raises + 2) * self.num_actions,)

    def deal(self, seed: int) -> LeducState:
        """All chance is here: both cards, and the public card that is turned up later."""
        own, other, public = random.Random(seed).sample(DECK, 3)
        return LeducState(self, (own, other), public, ())

    def deals(self) -> list[tuple[LeducState, float]]:
        """Every deal with its probability: two equal cards are dealt less often than two different ones."""
        counted = Counter(permutations(DECK, 3))
        return [
            (LeducState(self, (own, other), public, ()), count / counted.total())
            for (own, other, public), count in sorted(counted.items())
        ]

    def action_name(self, action: Action) -> str:
        """``fold``, ``call`` or ``raise``."""
        if not 0 <= action < self.num_actions:
            raise InvalidAction("action {action} is none of 0 (fold), 1 (call) and 2 (raise)", action=action)
        return NAMES[action]

    def public_name(self, action: Action) -> str:
        """Both seats see every action."""
        return self.action_name(action)

    def parse_action(self, text: str) -> Action:
        """The action of this name; ``check`` is a call. Raises InvalidAction."""
        word = text.strip().lower().replace("check", "call")
        if word not in NAMES:
            raise InvalidAction("{text!r} is not an action of leduc; say 'fold', 'call' or 'raise'", text=text)
        return NAMES.index(word)

    def text(self, view: LeducView, *, language: Language = "en") -> str:
        """The cards that the seat sees, what each has paid, and what was played."""
        table = view.betting
        played = [translate(NAMES[each.action], language) for each in table.played]
        first = sum(each.round == 0 for each in table.played)
        lines = [
            say("your card: {card}   public card: {public}   other card: {other}", card=CARDS[view.card],
                public=shown(view.public), other=shown(view.shown)),
            say("you have paid {own}, the other {other}", own=table.paid[view.seat], other=table.paid[1 - view.seat]),
            say("first round: {actions}", actions=" ".join(played[:first]) or "–"),
            say("second round: {actions}", actions=" ".join(played[first:]) or "–"),
        ]  # fmt: skip
        return "\n".join(translate(line, language) for line in lines)

    def end_reasons(self, view: LeducView) -> Sequence[str]:
        """Why the match ended as it did."""
        if view.betting.folded is not None:
            return [say("One player folded.")]
        assert view.public is not None and view.shown is not None
        if view.card == view.shown:
            return [say("Both have the same card and share the pot.")]
        if view.public in (view.card, view.shown):
            return [say("A pair with the public card wins.")]
        return [say("The higher card wins.")]

    def svg(
        self,
        view: LeducView,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """Three cards, the chips and three buttons; see `picture`."""
        cards = (CARDS[view.card], shown(view.public), shown(view.shown))
        best = max(heat, key=heat.__getitem__) if heat else last
        paid = view.betting.paid
        return draw(cards, (paid[view.seat], paid[1 - view.seat]), NAMES, view.legal(), best, language)

    def click_areas(self, view: LeducView) -> list[ClickArea]:
        """The three buttons."""
        return [ClickArea(action, button(action)) for action in range(self.num_actions)]

    def area_name(self, view: LeducView, action: Action) -> str:
        """What a screen reader says."""
        return self.action_name(action)


@dataclass
class LeducState:
    """The truth: all three cards."""

    game: Leduc
    cards: tuple[int, int]
    public: int
    history: tuple[Action, ...]

    @property
    def betting(self) -> Betting:
        """What follows from the actions."""
        return Betting.of(self.history)

    @property
    def turn(self) -> int | None:
        """None after a fold, or after both rounds."""
        return self.betting.turn

    def legal(self) -> list[Action]:
        """Nothing when the match is over."""
        return self.betting.legal(self.game.raises)

    def apply(self, action: Action) -> None:
        """Appends the action. Raises IllegalAction and changes nothing when it is not legal."""
        if action not in self.legal():
            raise IllegalAction.at(self, action)
        self.history += (action,)

    def copy(self) -> LeducState:
        """An independent state."""
        return LeducState(self.game, self.cards, self.public, self.history)

    def returns(self) -> tuple[float, ...]:
        """Chips won, divided by the stake, so that they lie in [-1, 1]."""
        table = self.betting
        if table.turn is not None:
            return (0.0, 0.0)
        won = showdown(self.cards[0], self.cards[1], self.public) * table.paid[0] / self.game.stake
        if table.folded is not None:
            won = table.paid[table.folded] / self.game.stake * (-1 if table.folded == 0 else 1)
        return (won, -won)

    def view(self, seat: int) -> LeducView:
        """The own card, the public card in the second round, and the other card after a showdown."""
        table = self.betting
        public = self.public if table.round > 0 else None
        other = self.cards[1 - seat] if table.turn is None and table.folded is None else None
        return LeducView(self.game, seat, self.cards[seat], public, other, self.history)


@dataclass(frozen=True)
class LeducView:
    """What a seat may know. It has no field for a hidden card, so nothing that is computed from it can leak one."""

    game: Leduc
    seat: int
    card: int
    public: int | None
    """The public card, in the second round."""
    shown: int | None
    """The other's card, after a showdown."""
    history: tuple[Action, ...]

    @property
    def betting(self) -> Betting:
        """What follows from the actions."""
        return Betting.of(self.history)

    @property
    def turn(self) -> int | None:
        """As in every world that looks like this."""
        return self.betting.turn

    def legal(self) -> list[Action]:
        """The legal actions if it is this seat's turn."""
        table = self.betting
        return table.legal(self.game.raises) if table.turn == self.seat else []

    def hidden_cards(self) -> list[int]:
        """The cards that this seat does not see."""
        left = Counter(DECK)
        left.subtract(card for card in (self.card, self.public, self.shown) if card is not None)
        return sorted(left.elements())

    def sample(self, seed: int) -> LeducState:
        """A world that looks like this: what is hidden is drawn from the cards that are left."""
        drawn = random.Random(seed).sample(self.hidden_cards(), 2)
        other = drawn[0] if self.shown is None else self.shown
        public = drawn[1] if self.public is None else self.public
        return LeducState(self.game, (self.card, other) if self.seat == 0 else (other, self.card), public, self.history)

    def tensor(self) -> NDArray[np.float32]:
        """See the docstring of this module."""
        out = np.zeros(self.game.tensor_shape, np.float32)
        for place, card in enumerate((self.card, self.public, self.shown)):
            if card is not None:
                out[len(CARDS) * place + card] = 1
        actions = out[9:].reshape(len(BETS), self.game.raises + 2, self.game.num_actions)
        for each in self.betting.played:
            actions[each.round, each.place, each.action] = 1
        return out

    def __bytes__(self) -> bytes:
        cards = [9 if card is None else card for card in (self.public, self.shown)]
        return bytes([self.seat, self.card, *cards, *self.history])


def shown(card: int | None) -> str:
    """A card's letter, or a question mark for one that is hidden."""
    return "?" if card is None else CARDS[card]


def showdown(one: int, other: int, public: int) -> int:
    """1 if the first card wins, -1 if the other does, 0 if they share the pot."""
    return ((one == public, one) > (other == public, other)) - ((one == public, one) < (other == public, other))
