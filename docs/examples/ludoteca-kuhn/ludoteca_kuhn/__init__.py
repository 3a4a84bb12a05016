"""Kuhn poker: one card each out of three, one bet; the higher card wins at the showdown.

A whole game with hidden information in pure Python: rules, views, a sampler and a picture that people can click on.
Each seat antes one chip and gets one of the cards jack, queen and king. A seat passes or bets one chip; after a bet,
a pass folds and a bet calls. Returns are chips won, divided by 2.

The tensor has 12 numbers: the own card (3), the card shown at the end (3), and for each of the three actions whether
it was a pass and whether it was a bet (6).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ludoteca import Action, IllegalAction, InvalidAction
from ludoteca.catalogues import Language
from ludoteca.messages import say, say_as, translate
from ludoteca.protocols import ClickArea

__all__ = ["Kuhn", "KuhnState", "KuhnView", "cards_of"]

CARDS = ("J", "Q", "K")
PASS, BET = 0, 1
NAMES = (say_as("action", "pass"), say_as("action", "bet"))
FOLDED = {(BET, PASS): 0, (PASS, BET, PASS): 1}
"""Histories that end without a showdown, and the seat that wins."""
SHOWN = {(PASS, PASS): 1, (BET, BET): 2, (PASS, BET, BET): 2}
"""Histories that end with a showdown, and how many chips the higher card wins."""


@dataclass(frozen=True)
class Kuhn:
    """The rules; a frozen dataclass has the equality that a game must have."""

    name = "kuhn"
    title = say("Kuhn poker")
    spec = "kuhn"
    seats = 2
    num_actions = 2
    tensor_shape = (12,)
    tensor_range = (0.0, 1.0)
    hidden_information = True
    zero_sum = True
    stake = 2.0

    def deal(self, seed: int) -> KuhnState:
        """Two of the three cards; every deal is equally likely."""
        first, second = cards_of(seed)
        return KuhnState(self, (CARDS.index(first), CARDS.index(second)), ())

    def deals(self) -> list[tuple[KuhnState, float]]:
        """Every deal with its probability, for algorithms that need all of them, such as CFR."""
        return [(KuhnState(self, pair, ()), 1 / 6) for pair in permutations(range(len(CARDS)), 2)]

    def action_name(self, action: Action) -> str:
        """``pass`` or ``bet``."""
        if action not in (PASS, BET):
            raise InvalidAction("action {action} is neither 0 (pass) nor 1 (bet)", action=action)
        return NAMES[action]

    def public_name(self, action: Action) -> str:
        """Both seats see every action."""
        return self.action_name(action)

    def parse_action(self, text: str) -> Action:
        """The action of this name. Raises InvalidAction."""
        word = text.strip().lower()
        if word not in NAMES:
            raise InvalidAction("{text!r} is not an action of kuhn; say 'pass' or 'bet'", text=text)
        return NAMES.index(word)

    def text(self, view: KuhnView, *, language: Language = "en") -> str:
        """The own card, the other card where it is shown, and what was played."""
        played = ", ".join(translate(NAMES[action], language) for action in view.history) or "–"
        other = "?" if view.shown is None else CARDS[view.shown]
        row = say("your card: {card}   other card: {other}   played: {played}", card=CARDS[view.card], other=other,
                  played=played)  # fmt: skip
        return translate(row, language)

    def svg(
        self,
        view: KuhnView,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """Two cards and two buttons; `spots` says where the buttons are."""
        cards = (("#fff", CARDS[view.card]), ("#dde", "?" if view.shown is None else CARDS[view.shown]))
        drawn = [
            f'<rect x="{20 + 90 * place}" y="20" width="70" height="100" rx="8" fill="{paper}" stroke="#333"/>'
            f'<text x="{55 + 90 * place}" y="85" font-size="44" text-anchor="middle">{card}</text>'
            for place, (paper, card) in enumerate(cards)
        ]
        for action, name in enumerate(NAMES):
            paper = "#ffd27f" if action == last or (heat and heat.get(action) == max(heat.values())) else "#eee"
            drawn.append(
                f'<path d="{_button(action)}" fill="{paper}" stroke="#333"/>'
                f'<text x="{60 + 80 * action}" y="160" text-anchor="middle">{escape(translate(name, language))}</text>'
            )
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 190">{"".join(drawn)}</svg>'

    def click_areas(self, view: KuhnView) -> list[ClickArea]:
        """The two buttons."""
        return [ClickArea(action, _button(action)) for action in (PASS, BET)]

    def area_name(self, view: KuhnView, action: Action) -> str:
        """What a screen reader says."""
        return self.action_name(action)


def cards_of(seed: int) -> str:
    """The cards that a seed deals to seat 0 and seat 1, such as ``QJ``."""
    return "".join(random.Random(seed).sample(CARDS, 2))


def _button(action: Action) -> str:
    left = 25 + 80 * action
    return f"M{left} 140h70v30h-70z"


@dataclass
class KuhnState:
    """The truth: both cards."""

    game: Kuhn
    cards: tuple[int, int]
    history: tuple[Action, ...]

    @property
    def turn(self) -> int | None:
        """The seats act in turn until a fold or a showdown."""
        return None if self.history in FOLDED or self.history in SHOWN else len(self.history) % 2

    def legal(self) -> list[Action]:
        """Both actions, until the end."""
        return [] if self.turn is None else [PASS, BET]

    def apply(self, action: Action) -> None:
        """Appends the action. Raises IllegalAction and changes nothing when it is not legal."""
        if action not in self.legal():
            raise IllegalAction.at(self, action)
        self.history += (action,)

    def copy(self) -> KuhnState:
        """An independent state."""
        return KuhnState(self.game, self.cards, self.history)

    def returns(self) -> tuple[float, ...]:
        """Chips won divided by 2, so that they lie in [-1, 1]."""
        if self.turn is not None:
            return (0, 0)
        winner = FOLDED.get(self.history, int(self.cards[1] > self.cards[0]))
        won = SHOWN.get(self.history, 1) / 2
        return (won, -won) if winner == 0 else (-won, won)

    def view(self, seat: int) -> KuhnView:
        """The own card; the other one only after a showdown."""
        shown = self.cards[1 - seat] if self.history in SHOWN else None
        return KuhnView(self.game, seat, self.cards[seat], shown, self.history)


@dataclass(frozen=True)
class KuhnView:
    """What a seat may know. It has no field for the other card, so it cannot leak it."""

    game: Kuhn
    seat: int
    card: int
    shown: int | None
    """The other card, after a showdown."""
    history: tuple[Action, ...]

    @property
    def turn(self) -> int | None:
        """As in every world that looks like this."""
        return self.sample(0).turn

    def legal(self) -> list[Action]:
        """The legal actions if it is this seat's turn."""
        return [PASS, BET] if self.turn == self.seat else []

    def sample(self, seed: int) -> KuhnState:
        """A world that looks like this: the other card is one of the two that are left, each equally likely."""
        left = [card for card in range(len(CARDS)) if card != self.card]
        other = random.Random(seed).choice(left) if self.shown is None else self.shown
        return KuhnState(self.game, (self.card, other) if self.seat == 0 else (other, self.card), self.history)

    def tensor(self) -> NDArray[np.float32]:
        """See the docstring of this module."""
        out = np.zeros(12, np.float32)
        out[self.card] = 1
        if self.shown is not None:
            out[3 + self.shown] = 1
        for place, action in enumerate(self.history):
            out[6 + 2 * place + action] = 1
        return out

    def __bytes__(self) -> bytes:
        return bytes([self.seat, self.card, 9 if self.shown is None else self.shown, *self.history])
