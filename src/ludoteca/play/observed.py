"""A match at a real table, followed from one seat: a person enters what happens, and nobody knows the truth.

The match is data: the game, the seat, a start and the events as texts. Each game says what its events mean; see
`ludoteca.games.observed`. To be advised, ask an agent about `ObservedMatch.view`, with `ObservedMatch.seen` for agents
with memory: an agent in that seat of the true match would see the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import ImpossibleEvent, InvalidAction, InvalidFile, InvalidGame
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.games.observed import Belief, Choice, Observer, Step, observer_of
from ludoteca.messages import say
from ludoteca.protocols import Game, Seat, View

SEPARATORS = re.compile(r"[,;\n]+")
MOVE_NUMBER = re.compile(r"^\d+\s*[.)]\s*", re.ASCII)


def split_events(game: Game, text: str) -> list[str]:
    """The events of a list, one per line or separated by commas, with or without numbers.

    Spaces separate too where nothing is hidden, for there an event is one word.

    >>> split_events(game_of("dominoes"), "1. 6-6, 2. 6-1 right")
    ['6-6', '6-1 right']
    >>> split_events(game_of("hex"), "1. f6 e5 2. d4")
    ['f6', 'e5', 'd4']
    """
    if not details_of(game).hidden_information:
        text = ",".join(text.split())
    parts = (MOVE_NUMBER.sub("", part.strip()) for part in SEPARATORS.split(text))
    return [part for part in parts if part]


class Unfit(NamedTuple):
    """The first event that does not fit to those before it."""

    number: int
    """Its place in the list, from 0."""
    text: str
    reason: str
    behind: Sequence[str]
    """The events after it, which were left out too."""


class ObservedMatch:
    """What one seat has seen of a match.

    Raises InvalidPosition for a start that cannot be, InvalidAction for an event that is not understood,
    ImpossibleEvent for one that cannot have happened, InvalidGame for a game that cannot be followed.

    >>> import ludoteca
    >>> start = "hand: 6-6 5-4 3-1 2-2 6-1 4-0 5-0; begins: me"
    >>> match = ludoteca.ObservedMatch(ludoteca.game("dominoes"), seat=0, start=start)
    >>> for event in ("6-6", "draw", "draw", "6-2", "6-1"):
    ...     step = match.add(event)
    >>> match.events
    ('6-6@left', 'draw', 'draw', '6-2@left', '6-1@right')
    >>> match.add("5-4")
    Traceback (most recent call last):
    ludoteca.errors.ImpossibleEvent: 5-4 is in your hand, and it is the other player's turn
    """

    def __init__(self, game: Game, seat: Seat, start: str = "", events: Iterable[str] = ()) -> None:
        observer = observer_of(game)
        if observer is None:
            raise InvalidGame("{game} cannot be followed from one seat", game=game.spec)
        self.game, self.seat, self.start = game, seat, start
        self.observer: Observer = observer
        self._first = observer.first_view(seat, start)
        self._steps: list[Step] = []
        for event in events:
            self.add(event)

    @property
    def events(self) -> tuple[str, ...]:
        """What was entered, in a uniform notation."""
        return tuple(step.text for step in self._steps)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Each event as a sentence."""
        return tuple(step.sentence for step in self._steps)

    @property
    def views(self) -> tuple[View, ...]:
        """What the seat saw before the first event and after each one."""
        return (self._first, *(step.view for step in self._steps))

    @property
    def view(self) -> View:
        """What the seat sees now."""
        return self._steps[-1].view if self._steps else self._first

    @property
    def seen(self) -> list[View]:
        """The views on which the seat has decided so far, for an agent with memory."""
        return [before for before, step in zip(self.views, self._steps, strict=False) if step.action is not None]

    def add(self, text: str, language: Language = SOURCE) -> Step:
        """Enter what happened next. Raises InvalidAction or ImpossibleEvent, and then changes nothing."""
        step = self.observer.after(self.view, text, language)
        self._steps.append(step)
        return step

    def undo(self) -> str:
        """Take the last event back and give its text; empty if there is none."""
        return self._steps.pop().text if self._steps else ""

    def choices(self) -> Sequence[Choice]:
        """Everything that can have happened next."""
        return self.observer.choices(self.view)

    def belief(self) -> Belief | None:
        """What the other player probably holds; None if nothing is hidden."""
        return self.observer.belief(self.view)

    def replayed(self, events: Sequence[str], start: str | None = None) -> tuple[ObservedMatch, Unfit | None]:
        """A match with these events as far as they fit, and the first one that does not fit. Raises InvalidPosition."""
        match = ObservedMatch(self.game, self.seat, self.start if start is None else start)
        for number, text in enumerate(events):
            try:
                match.add(text)
            except (ImpossibleEvent, InvalidAction) as error:
                return match, Unfit(number, text, error.message, tuple(events[number + 1 :]))
        return match, None

    def changed(self, number: int, text: str, language: Language = SOURCE) -> tuple[ObservedMatch, Unfit | None]:
        """The match with another event at this place; see `replayed`. Raises InvalidAction or ImpossibleEvent."""
        return self._corrected(number, text, number + 1, language)

    def inserted(self, number: int, text: str, language: Language = SOURCE) -> tuple[ObservedMatch, Unfit | None]:
        """The match with one more event before this place; see `replayed`. Raises InvalidAction or ImpossibleEvent."""
        return self._corrected(number, text, number, language)

    def without(self, number: int) -> tuple[ObservedMatch, Unfit | None]:
        """The match without the event at this place; see `replayed`."""
        self._check_place(number, len(self._steps) - 1)
        return self.replayed([*self.events[:number], *self.events[number + 1 :]])

    def _corrected(self, number: int, text: str, rest: int, language: Language) -> tuple[ObservedMatch, Unfit | None]:
        self._check_place(number, len(self._steps) - (rest > number))
        step = self.observer.after(self.views[number], text, language)
        return self.replayed([*self.events[:number], step.text, *self.events[rest:]])

    def _check_place(self, number: int, last: int) -> None:
        if not 0 <= number <= last:
            raise InvalidAction("there is no event {number}", number=number + 1)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary that JSON can hold."""
        return {"game": self.game.spec, "seat": self.seat, "start": self.start, "events": list(self.events)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ObservedMatch:
        """What `to_json` made. Raises InvalidFile for anything else, and what the constructor raises."""
        game, seat, start, events = (fields.get(key) for key in ("game", "seat", "start", "events"))
        right = isinstance(game, str) and seat in (0, 1) and isinstance(start, str) and isinstance(events, list)
        if not right or not all(isinstance(each, str) for each in events or ()):
            raise InvalidFile(say("this is no list of events: it needs game, seat, start and events"))
        assert isinstance(game, str) and isinstance(seat, int) and isinstance(start, str) and events is not None
        return cls(game_of(game), seat, start, events)
