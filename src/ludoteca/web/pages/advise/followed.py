"""What a visitor has entered of a match at a real table: the start, the events, and what is being entered now.

It is a value of the address: `read` restores what `fields` wrote. Events that do not fit what comes before them stay
in the list until the visitor changes or removes them; the position is the one before the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludoteca.catalogues import Language
from ludoteca.errors import LudotecaError
from ludoteca.games import observed
from ludoteca.games.observed import Choice, Detail, Observer, Option
from ludoteca.messages import Message, say
from ludoteca.play.observed import ObservedMatch, Unfit, split_events
from ludoteca.protocols import Game, Seat
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.edit.outcome import NONSENSE

MOST_EVENTS, LONGEST_EVENT, LONGEST_START = 600, 200, 1500
"""What an address may make the server replay at each click."""


def observer_of(game: Game) -> Observer:
    """What knows how to follow a match of the game. Raises InvalidTable for a game that cannot be followed."""
    observer = observed.observer_of(game)
    if observer is None:
        raise InvalidTable("matches of {game} cannot be followed", game=game.spec)
    return observer


@dataclass
class Pending:
    """A choice whose details are being entered."""

    choice: Choice
    words: list[str] = field(default_factory=list)
    """The answers so far, over all details."""

    def detail(self) -> Detail | None:
        """The first question that is not answered; None: all are."""
        left = len(self.words)
        for each in self.choice.details:
            if left < each.count:
                return each
            left -= each.count
        return None

    @property
    def text(self) -> str:
        """The event."""
        return " ".join([self.choice.text, *self.words])


class Followed:
    """One match that a tab follows."""

    def __init__(
        self, game: Game, seat: Seat = 0, start: Mapping[str, Sequence[str]] | None = None, events: Sequence[str] = ()
    ) -> None:
        """start: by key of the start form the words so far. Raises LudotecaError for a start that cannot be."""
        self.game, self.seat, self.events = game, seat, list(events)
        given = start or {}
        self.form: Sequence[Detail] = observer_of(game).start_form(seat, given)
        self.start = {each.key: _possible(each, given.get(each.key, ())) for each in self.form}
        self.changing: int | None = None
        """The event that the next one replaces, or before which it is inserted; None: the next one comes last."""
        self.inserting = False
        """Whether the next event is inserted before `changing`."""
        self.pending: Pending | None = None
        self.tile: int | None = None
        """The item that was clicked and can be played in several ways."""
        self.whole: ObservedMatch | None = None
        """The match as far as the events fit; None while the start is open."""
        self.match: ObservedMatch | None = None
        """The same, but only up to the event that is being changed."""
        self.unfit: Unfit | None = None
        self._choices: Sequence[Choice] | None = None
        self.replay()

    # The address

    @classmethod
    def read(cls, game: Game, fields: Mapping[str, str]) -> Followed:
        """Reads an address. Raises LudotecaError."""
        start, events = fields.get("start", ""), [each for each in fields.get("events", "").split(",") if each]
        if len(start) > LONGEST_START or len(events) > MOST_EVENTS or any(len(each) > LONGEST_EVENT for each in events):
            raise InvalidTable("a match may have at most {most} events", most=MOST_EVENTS)
        parts = {}
        for part in filter(None, start.split(";")):
            key, _, words = part.partition(":")
            parts[key.strip()] = words.split()
        return cls(game, 1 if fields.get("seat") == "1" else 0, parts, events)

    def fields(self) -> dict[str, str]:
        """What has been entered, as the fields that `read` takes."""
        fields = {
            "game": self.game.spec,
            "seat": str(self.seat),
            "start": self.start_text,
            "events": ",".join(self.events),
        }
        return {name: text for name, text in fields.items() if text not in ("", "0")}

    @property
    def start_text(self) -> str:
        """The start as far as it is entered."""
        said = {each.key: self.start[each.key] for each in self.form}
        return "; ".join(f"{key}: {' '.join(words)}" for key, words in said.items() if words)

    # What is known

    def replay(self) -> None:
        """Makes the match from the start and the events. Raises LudotecaError for a start that cannot be."""
        self.match, self.whole, self.unfit, self.pending, self.tile, self._choices = (None,) * 6
        self.form = observer_of(self.game).start_form(self.seat, self.start)
        for each in self.form:
            self.start.setdefault(each.key, [])
        if self.open_detail() is not None:
            return
        first = ObservedMatch(self.game, self.seat, self.start_text)
        self.whole, self.unfit = first.replayed(self.events)
        self.match = self.whole
        if self.changing is not None:
            self.match, _ = first.replayed(self.events[: self.changing])

    def open_detail(self) -> Detail | None:
        """The first part of the start that is not complete."""
        return next((each for each in self.form if len(self.start[each.key]) < each.count), None)

    @property
    def question(self) -> Detail | None:
        """What is being asked besides the event itself: a part of the start, or a detail of an event."""
        return self.open_detail() if self.match is None else None if self.pending is None else self.pending.detail()

    def options(self) -> Sequence[Option]:
        """The answers to `question` that are possible now."""
        asked = self.question
        if asked is None:
            return ()
        taken = self.start.get(asked.key, []) if self.pending is None else self._answers(asked)
        return [each for each in asked.options if asked.repeat or each.text not in taken]

    def _answers(self, asked: Detail) -> list[str]:
        """What the pending event says so far to this question."""
        assert self.pending is not None
        before = 0
        for each in self.pending.choice.details:
            if each is asked:
                break
            before += each.count
        return self.pending.words[before:]

    @property
    def chosen(self) -> Sequence[str]:
        """The answers so far to the question that is open."""
        asked = self.question
        return () if asked is None else self.start.get(asked.key, ()) if self.pending is None else self._answers(asked)

    def choices(self) -> Sequence[Choice]:
        """The events that can be entered now; with an item chosen, only those that play it."""
        if self.match is None or self.pending is not None:
            return ()
        if self._choices is None:
            self._choices = self.match.choices()
        found = self._choices
        return found if self.tile is None else [each for each in found if each.item == self.tile]

    @property
    def at(self) -> int:
        """Where in `events` the next one goes."""
        if self.changing is not None:
            return self.changing
        return len(self.events) if self.unfit is None else self.unfit.number

    @property
    def turn(self) -> Seat | None:
        """Who acts now; None while the start is open, and after the end."""
        return None if self.match is None else self.match.view.turn

    @property
    def is_my_turn(self) -> bool:
        """Whether to give advice: this seat is on turn, and nothing is being corrected."""
        return self.turn == self.seat and self.unfit is None and self.changing is None

    # What the visitor does

    def answer(self, text: str) -> None:
        """Answers the open question. Raises InvalidTable for what is no answer, and LudotecaError."""
        asked = self.question
        if (
            asked is None
            or len(text) > LONGEST_START
            or (asked.options and text not in [o.text for o in self.options()])
        ):
            raise InvalidTable(NONSENSE)
        if self.pending is not None:
            self.pending.words.append(text)
            if self.pending.detail() is None or self._can_be_all(self.pending.text):
                event = self.pending.text
                self.pending.words.clear()  # if the event is refused, they are asked for again
                self._enter(event)
            return
        before = list(self.start[asked.key])
        self.start[asked.key] += [text] if asked.options else text.split()
        try:
            self.replay()
        except LudotecaError:
            self.start[asked.key] = before
            self.replay()
            raise

    def _can_be_all(self, event: str) -> bool:
        """Whether an event is complete with fewer answers than were asked for: a bomb may end several draws."""
        assert self.match is not None
        try:
            self.match.observer.after(self.match.view, event)
        except LudotecaError:
            return False
        return True

    def take_back(self, text: str) -> None:
        """Takes an answer back. Raises InvalidTable."""
        if text not in self.chosen:
            raise InvalidTable(NONSENSE)
        words = self.start[self.question.key] if self.pending is None and self.question else self.pending.words  # type: ignore[union-attr]
        del words[len(words) - 1 - words[::-1].index(text)]

    def choose(self, text: str) -> None:
        """Enters an event, or asks for its details. Raises LudotecaError."""
        found = next((each for each in self.choices() if each.text == text), None)
        if found is None:
            raise InvalidTable(NONSENSE)
        if found.details:
            self.pending = Pending(found)
        else:
            self._enter(found.text)

    def click_item(self, item: int) -> None:
        """A click on a tile or card: an answer, or an event that plays it. Raises LudotecaError."""
        if self.question is not None:
            answer = next((each for each in self.question.options if each.item == item), None)
            if answer is None:
                raise InvalidTable(NONSENSE)
            if answer.text in self.chosen and not self.question.repeat:
                self.take_back(answer.text)
            else:
                self.answer(answer.text)
            return
        self.tile = None
        ways = [each for each in self.choices() if each.item == item]
        if not ways:
            raise InvalidTable(NONSENSE)
        if len(ways) == 1:
            self.choose(ways[0].text)
        else:
            self.tile = item

    def play(self, action: int) -> None:
        """A click on the board. Raises LudotecaError."""
        self.tile = None
        found = next((each for each in self.choices() if each.action == action), None)
        if found is None:
            raise InvalidTable(NONSENSE)
        self.choose(found.text)

    def _enter(self, text: str) -> None:
        """Puts an event where the next one goes. Raises LudotecaError, and then changes nothing."""
        before = list(self.events), self.changing, self.inserting
        if len(self.events) >= MOST_EVENTS:
            raise InvalidTable("a match may have at most {most} events", most=MOST_EVENTS)
        assert self.match is not None
        self.match.replayed(self.match.events)[0].add(text)
        replaced = self.changing is not None and not self.inserting
        self.events[self.at : self.at + replaced] = [text]
        self.changing, self.inserting = None, False
        try:
            self.replay()
        except LudotecaError:
            self.events, self.changing, self.inserting = before
            self.replay()
            raise

    def enter_list(self, text: str, language: Language) -> None:
        """Enters all events of a list, or none. Raises InvalidTable."""
        if self.match is None:
            raise InvalidTable(say("First say how the match began."))
        texts = split_events(self.game, text)
        if len(texts) + len(self.events) > MOST_EVENTS or len(text) > MOST_EVENTS * LONGEST_EVENT:
            raise InvalidTable("a match may have at most {most} events", most=MOST_EVENTS)
        self.cancel()
        match, _ = self.match.replayed(self.events[: self.at])
        for number, each in enumerate(texts, start=1):
            try:
                match.add(each, language)
            except LudotecaError as error:
                raise InvalidTable(
                    "Nothing was entered. Number {number} of the list, {event!r}: {why}", number=number,
                    event=each[:40], why=error.message,
                ) from None  # fmt: skip
        self.events[self.at : self.at] = match.events[self.at :]
        self.replay()

    def remove(self, number: int) -> None:
        """Removes an event. Raises InvalidTable."""
        self._check(number)
        del self.events[number]
        self.changing, self.inserting = None, False
        self.replay()

    def change(self, number: int, *, insert: bool = False) -> None:
        """The next event replaces this one, or comes before it. Raises InvalidTable."""
        self._check(number)
        if self.unfit is not None and number > self.unfit.number:
            raise InvalidTable("First correct entry {number}.", number=self.unfit.number + 1)
        self.changing, self.inserting = number, insert
        self.replay()

    def cancel(self) -> None:
        """Ends a correction, or the entering of details."""
        if self.pending is None and self.tile is None:
            self.changing, self.inserting = None, False
        self.replay()

    def undo(self) -> None:
        """Takes the last step back: what is being entered, the last event, or the last word of the start."""
        if self.pending is not None or self.tile is not None or self.changing is not None:
            self.cancel()
        elif self.events:
            self.remove(self.at - 1 if self.at else 0)
        else:
            last = next((each for each in reversed(self.form) if self.start[each.key]), None)
            if last is not None:
                words = self.start[last.key]
                del words[-1 if last.options else 0 :]  # what was written is written anew
            self.replay()

    @property
    def may_undo(self) -> bool:
        """Whether anything has been entered."""
        return bool(self.events or any(self.start.values()) or self.pending)

    def _check(self, number: int) -> None:
        if not 0 <= number < len(self.events):
            raise InvalidTable(NONSENSE)

    @property
    def why_unfit(self) -> Message | None:
        """Why an event does not fit what comes before it."""
        if self.unfit is None:
            return None
        return say("Entry {number} does not fit any more: {why}", number=self.unfit.number + 1, why=self.unfit.reason)


def _possible(asked: Detail, words: Sequence[str]) -> list[str]:
    """Those of the words that answer a question."""
    if not asked.options:
        return list(words)
    known = [each.text for each in asked.options]
    fitting = [word for word in words if word in known]
    return (fitting if asked.repeat else list(dict.fromkeys(fitting)))[: asked.count]
