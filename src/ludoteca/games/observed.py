"""How a match at a real table is followed from one seat: what a game says about the events that a person enters.

A person sees their own hand and everything that happens openly. An event is a text such as ``6-4@left`` or ``draw``;
the turn says who acted. `Observer.after` turns the view before an event into the view after it. An event that cannot
have happened is refused with the reason: `ImpossibleEvent`.

A game with hidden information implements `Observable`; `OpenObserver` follows every other game.
`ludoteca.play.observed.ObservedMatch` holds the events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import IllegalAction, ImpossibleEvent, InvalidAction, InvalidPosition
from ludoteca.games.details import details_of
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.messages import say
from ludoteca.protocols import Action, Game, Seat, View

THE_OTHER = say("The other player")
"""The person whose hand is not seen, at the beginning of a sentence."""


class Option(NamedTuple):
    """One answer to a question."""

    text: str
    """As it is written in an event."""
    label: str
    item: int | None = None
    """The tile or card, to be drawn."""


@dataclass(frozen=True)
class Detail:
    """What a person has to add to an event, or to say about the start."""

    question: str
    options: Sequence[Option] = ()
    """All that are possible; empty: free text."""
    count: int = 1
    """How many options have to be chosen."""
    key: str = ""
    """In a start: the part that it is."""
    repeat: bool = False
    """Whether an option may be chosen again."""


class Choice(NamedTuple):
    """An event that can be entered now: its text, and after it the chosen options of each detail."""

    text: str
    label: str
    mine: bool
    """Whether it is an action of the person; else of the other player."""
    action: Action | None = None
    """The action of the game, whose place in the picture can be clicked."""
    details: Sequence[Detail] = ()
    item: int | None = None
    """The tile that is laid or the card that is played, to be drawn."""


class Holding(NamedTuple):
    """How likely the other player holds a tile or a kind of card."""

    item: int
    """The tile or card."""
    name: str
    chance: float
    """That it holds at least one."""
    expected: float
    """How many it holds on average."""
    error: float = 0.0
    """The standard error of the chance: 0 where it was counted."""


@dataclass(frozen=True)
class Belief:
    """What the other player probably holds."""

    count: int
    """How many tiles or cards."""
    holdings: Sequence[Holding]
    """The likeliest first."""
    exact: bool
    """Counted over all deals or hands; else sampled."""
    assumption: str
    """What the chances rest on, in a sentence."""


class Step(NamedTuple):
    """An event that was understood and can have happened."""

    text: str
    """As it is kept: the shortest unambiguous form, in English."""
    sentence: str
    """What happened, for people."""
    view: View
    """What the person's seat sees after it."""
    action: Action | None = None
    """What the person decided; None if the other player acted, or if nobody decided anything."""


class Observer(Protocol):
    """What one game knows about events. Texts are Messages, to be translated."""

    def start_form(self, seat: Seat, said: Mapping[str, Sequence[str]]) -> Sequence[Detail]:
        """What has to be said before the first event; said: the words of each part so far, by key.

        It shrinks when what was said decides the rest.
        """

    def begun_form(self) -> Sequence[Detail]:
        """What has to be said about a match that has already begun; empty if it can only be followed from the start."""

    def begun_start(self, view: View) -> str:
        """The start that shows what the seat of `view` sees, without what happened before; see `begun_form`."""

    def first_view(self, seat: Seat, start: str) -> View:
        """What the seat sees before the first event. Raises InvalidPosition.

        start: ``key: words; key: words``, one part for each detail of the form.
        """

    def after(self, view: View, text: str, language: Language = SOURCE) -> Step:
        """The event that `text` describes, in English or `language`.

        Raises InvalidAction when the text is not understood, ImpossibleEvent when it cannot have happened.
        """

    def choices(self, view: View) -> Sequence[Choice]:
        """Everything that can have happened next; empty after the end."""

    def belief(self, view: View) -> Belief | None:
        """What the other player holds; None if nothing is hidden."""

    def items(self) -> Sequence[Option]:
        """Every tile or kind of card, in a fixed order; empty in a game without hands."""

    def places(self, view: View) -> Mapping[int, str]:
        """Where the tiles are that the seat sees, such as ``yours``; without those that may be in the other's hand."""


@runtime_checkable
class Observable(Protocol):
    """A game that says itself how it is followed from one seat."""

    def observer(self) -> Observer:
        """The observer of this game."""


def observer_of(game: Game) -> Observer | None:
    """How to follow a match of this game; None for a game with hidden information that does not say it.

    >>> from ludoteca.games import game
    >>> [choice.text for choice in observer_of(game("hex:size=2")).choices(game("hex:size=2").deal(0).view(1))]
    ['a1', 'b1', 'a2', 'b2']
    """
    if isinstance(game, Observable):
        return game.observer()
    return None if details_of(game).hidden_information else OpenObserver(game)


def as_chance(computed: float) -> float:
    """A probability without rounding errors near 0 and 1, where it means impossible and certain."""
    return min(1.0, max(0.0, round(computed, 12)))


class OpenObserver:
    """Follows a game without hidden information: an event is the name of an action."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def start_form(self, seat: Seat, said: Mapping[str, Sequence[str]]) -> Sequence[Detail]:
        """Nothing: every match begins alike."""
        return ()

    def begun_form(self) -> Sequence[Detail]:
        """Nothing: the moves so far can be entered."""
        return ()

    def begun_start(self, view: View) -> str:
        """Nothing: the moves so far can be entered."""
        return ""

    def first_view(self, seat: Seat, start: str) -> View:
        """The only first position."""
        if start.strip():
            raise InvalidPosition("{game} needs no start, so {start!r} is too much", game=self.game.spec, start=start)
        return self.game.deal(0).view(seat)

    def after(self, view: View, text: str, language: Language = SOURCE) -> Step:
        """The action of this name."""
        game, state, mine = view.game, view.sample(0), view.turn == view.seat
        if state.turn is None:
            raise ImpossibleEvent("the match is over, so {text!r} cannot follow", text=text[:40])
        try:
            action = parse_typed_action(game, text, state.legal(), language)
        except InvalidAction:
            action = game.parse_action(text)  # an action that is not legal now, or no action at all
        try:
            state.apply(action)
        except IllegalAction:
            raise ImpossibleEvent("{text!r} is not legal now", text=text) from None
        name = game.action_name(action)
        sentence = details_of(game).move_sentence(str(name), "" if mine else THE_OTHER)
        played = say("You played {action}.", action=name) if mine else say("The other player played {action}.",
                                                                           action=name)  # fmt: skip
        return Step(str(name), sentence or played, state.view(view.seat), action if mine else None)

    def choices(self, view: View) -> Sequence[Choice]:
        """The legal actions."""
        name = view.game.action_name
        return [Choice(str(name(each)), name(each), view.turn == view.seat, each) for each in view.sample(0).legal()]

    def belief(self, view: View) -> Belief | None:
        """Nothing is hidden."""
        return None

    def items(self) -> Sequence[Option]:
        """There are no hands."""
        return ()

    def places(self, view: View) -> Mapping[int, str]:
        """There are no hands."""
        return {}
