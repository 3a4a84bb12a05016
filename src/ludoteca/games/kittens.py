"""Kittens: draw from one face-down deck; whoever draws a bomb without a Defuse loses.

Each seat starts with Defuse, Skip and Attack, besides the deck that the option ``deck`` describes. On its
turn a seat owes one draw, or two after an attack, and plays one action at a time: ``draw`` takes the top
card; ``skip`` cancels one owed draw; ``attack`` ends the turn and the other owes two; ``see`` shows the top
three cards; ``bottom`` draws the bottom card; ``shuffle`` shuffles the deck. When nothing is owed the turn
ends. A drawn bomb costs a Defuse and goes back where its finder says, unseen by the other; without a Defuse
that seat loses. An empty deck gives nothing, and after ``max_turns`` turns the match is a draw.

``rules=original`` is the program this game comes from: at most one card, then all owed draws in one action; a
card not held is a plain draw; ``see`` shows nothing; a Defuse ends the turn of seat 0 but not of seat 1; ``middle`` is
counted from the bottom; seat 0, owing two, draws once more before it puts back a bomb from the bottom, and of two
bombs only one goes back; and it is told how many Defuse, Skip, Attack and Safe cards each hand has.

A position set up by hand is written ``deck: safe bomb skip; 0: defuse skip; 1: 4; turn: 0; owed: 1``, all parts
optional: the deck from the top (left out: all cards that are left, shuffled by the seed), each hand as its cards or
as a number of cards that the seed draws (left out: what is dealt), who is on turn and how many draws it owes. Cards
that are nowhere are out of play, for all to see. A seat knows its own hand; of the other's and of the deck the sizes.

Actions: 0 ``draw``, 1 ``skip``, 2 ``attack``, 3 ``place top``, 4 ``place middle``, 5 ``place bottom``,
6 ``see``, 7 ``bottom``, 8 ``shuffle``; with ``place=any`` a bomb goes to depth d by 9 + d, ``place d``, and
never by 3 to 5.

Cards are numbered Bomb 0, Defuse 1, Skip 2, Attack 3, See 4, Bottom 5, Shuffle 6, Safe 7. The tensor is flat,
161 numbers; a share is a part of all cards of that kind there are, hands included:

==========  ===============================================================================================
0 - 7       own hand, share by card
8 - 15      what the other surely holds, share by card
16 - 31     cards played by this seat (16 - 23) and by the other (24 - 31), share by card
32          chance of a bomb at a place of the deck of which this seat knows nothing
33 - 39     Defuse … Safe among all cards that this seat cannot place
40 - 42     deck size, as a part of the whole; bombs in it, as a part of all; bombs / deck size
43 - 45     cards in own hand, in the other's hand, unknown ones in the other's hand; each / 16
46          draws owed by the seat on turn / 4
47 - 49     this seat is on turn; this seat is placing a bomb; the other is
50          turns ended / max_turns
51 - 57     own last action: none, draw, skip, attack, see, bottom, shuffle
58 - 64     the other's last action, the same way
65, 66      this seat put a bomb back since the last shuffle; 1 / (1 + draws since)
67, 68      the other did; 1 / (1 + draws since)
69, 70      a bomb's place is known; depth of the highest one / size of the whole deck
71 - 130    depths 0 to 5, ten numbers each: unknown, Bomb, Defuse … Safe, the other's last bomb may be here
131 - 160   the bottom card and the two above it, the same way; a place that does not exist is all zeros
==========  ===============================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidOption
from ludoteca.games.described import Described, expect
from ludoteca.games.kittens_cards import CARDS, DECKS, FIRST_HAND, NAMES, Start, read_cards, read_deck, write_deck
from ludoteca.games.picture import GRID, HOT, INK, SEATS, Picture, box, warmth
from ludoteca.games.sides import COLOURS
from ludoteca.games.starts import write_start
from ludoteca.messages import Message, joined, say, say_as, say_count, translate
from ludoteca.protocols import Action, Seat, Spot, View
from ludoteca.spec import Label, one_of, with_suggestion, within

__all__ = ["ACTIONS", "CARDS", "DECKS", "Event", "Kittens"]

ACTIONS: tuple[str, ...] = (
    say_as("action", "draw"), say_as("action", "skip"), say_as("action", "attack"), say_as("action", "place top"),
    say_as("action", "place middle"), say_as("action", "place bottom"), say_as("action", "see"),
    say_as("action", "bottom"), say_as("action", "shuffle"),
)  # fmt: skip
PLACE_AT = len(ACTIONS)
CARD_ACTIONS = {1: 2, 2: 3, 6: 4, 7: 5, 8: 6}
"""Which card an action plays."""
EVENTS = ("", "draw", "bomb", "draw bottom", "bomb bottom", "skip", "attack", "see", "bottom", "shuffle")
COUNTED = (1, 2, 3, 7)
"""The cards of which rules=original tells how many each hand has."""
FACES = ("#2f2a26", "#4f8a4c", "#3d7ea6", "#b5473c", "#7a5aa6", "#8a6d3b", "#5b7f86", "#c58a2b")
"""One colour per card."""


class Event(NamedTuple):
    """One entry of the log as a seat remembers it."""

    seat: int
    what: str
    """One of EVENTS."""
    cards: tuple[str, ...]
    """What the watching seat saw: its own draw, or what ``see`` showed it; nothing of the other's."""
    depth: int | None
    """Where the watching seat put the bomb after this draw."""
    counted: bool | None = None
    """rules=original, a draw: whether the card is one of COUNTED, which everybody is told."""


class Kittens(Described, _core.KittensRules):
    """The rules of Kittens with their options."""

    name = "kittens"
    title = say("Kittens")
    secrets = True

    def __init__(
        self,
        rules: Annotated[
            Literal["clean", "original"],
            Label(
                say("rules"),
                say("clean: as told; original: as the program it comes from, quirks included"),
                {"clean": say("as told"), "original": say("as in the original program")},
            ),
        ] = "clean",
        deck: Annotated[
            str, Label(say("deck"), say("v2, rich, v1, or counts of cards such as bomb4+defuse2+skip3+safe9"))
        ] = "v2",
        stack: Annotated[
            bool, Label(say("attacks add up"), say("attacking while owing two or more passes these on with two more"))
        ] = False,
        place: Annotated[
            Literal["thirds", "any"],
            Label(
                say("where bombs go back"),
                say("thirds: bombs go back to the top, middle or bottom; any: to any depth"),
                {"thirds": say("top, middle or bottom"), "any": say("any depth")},
            ),
        ] = "thirds",
        max_turns: Annotated[
            int, Label(say("turns until a draw"), say("turns after which the match is a draw, 1 to 10000"))
        ] = 200,
    ) -> None:
        one_of("kittens", "rules", rules, ("clean", "original"))
        one_of("kittens", "place", place, ("thirds", "any"))
        within("kittens", "max_turns", max_turns, 1, 10_000)
        if stack and rules == "original":
            raise InvalidOption(
                say("kittens: stack=true needs rules=clean: in rules=original an attack always sets two")
            )
        counts = read_deck(deck)
        super().__init__(counts, rules == "original", bool(stack), place == "any", max_turns)
        self.counts = dict(zip(CARDS, counts, strict=True))
        self._remember(rules=rules, deck=write_deck(counts), stack=bool(stack), place=place, max_turns=max_turns)

    def action_name(self, action: Action) -> str:
        """``draw``, ``skip`` … ``place top``, or ``place d`` for a depth."""
        self._check_range(action)
        return ACTIONS[action] if action < PLACE_AT else say_as("action", "place {depth}", depth=action - PLACE_AT)

    def public_name(self, action: Action) -> str:
        """Where a bomb was put back is for the seat that put it there to know."""
        name = self.action_name(action)
        return say_as("action", "place the bomb") if "place" in name else name

    def parse_action(self, text: str) -> Action:
        """The action that `text` names; ``top`` and ``middle`` will do for places. Raises InvalidAction."""
        word = " ".join(text.lower().split())
        if word in ("top", "middle"):
            word = f"place {word}"
        if word in ACTIONS:
            return ACTIONS.index(word)
        depths = self.num_actions - PLACE_AT
        match = re.fullmatch(r"place ([0-9]{1,3})", word)
        if match and int(match[1]) < depths:
            return PLACE_AT + int(match[1])
        places = [say("place 0 to place {deepest}", deepest=depths - 1)] if depths else []
        wrong = say(
            "{text!r} is no action of {game}: actions are {names}", text=text, game=self.spec, names=[*ACTIONS, *places]
        )
        raise InvalidAction(with_suggestion(wrong, word, ACTIONS))

    @staticmethod
    def start(
        *,
        deck: Iterable[str] | None = None,
        hands: tuple[Iterable[str] | int | None, Iterable[str] | int | None] = (None, None),
        turn: Seat = 0,
        owed: int = 1,
    ) -> str:
        """The text that `arrange` reads. Raises InvalidPosition for what is no card.

        The deck is given from the top; None is all that is left, shuffled. A hand is its cards, a number of cards to
        draw, or None for what is dealt.

        >>> Kittens.start(deck=["Safe", "Bomb", "Skip"], hands=(["Defuse", "Skip"], 4))
        'deck: safe bomb skip; 0: defuse skip; 1: 4; turn: 0; owed: 1'
        """
        parts: dict[str, list[str]] = {}
        for part, cards in (("deck", deck), ("0", hands[0]), ("1", hands[1])):
            if isinstance(cards, int):
                parts[part] = [str(cards)]
            elif cards is not None:
                parts[part] = [NAMES[card] for card in read_cards(part, cards)]
        return write_start(parts | {"turn": [str(turn)], "owed": [str(owed)]})

    def arrange(self, start: str, seed: int) -> _core.KittensState:
        """A position set up by hand, as the text of this module tells; see `Arrangeable.arrange`."""
        position = Start.read(start, max_owed=self.max_owed)
        total = [count + 2 * (card in FIRST_HAND) for card, count in enumerate(self.counts.values())]
        position.check(total, self.max_deck)
        return self.arrange_cards(*position, seed)

    def events(self, view: View) -> list[Event]:
        """All that happened, as the seat of this view remembers it."""
        return [
            Event(seat, EVENTS[event], tuple(CARDS[card] for card in cards), depth, counted)
            for seat, event, cards, depth, counted in expect(view, _core.KittensView).log
        ]

    def text(self, view: View, *, language: Language = "en") -> str:
        """The table in a few lines: what this seat knows of the deck, both hands, what happens."""
        table = expect(view, _core.KittensView)
        lines = [_deck(table)]
        if table.deck_size:
            lines[0] = joined([lines[0], _risk(table)], "; ")
        known = [joined([self._depth(depth, table), CARDS[card]], " ") for depth, card in table.known]
        if table.suspects:
            known.append(self._hidden(table))
        if known:
            lines.append(say("known: {cards}", cards=known))
        lines.append(say("hand: {cards}", cards=_counted(table.hand)))
        lines.append(self._other(table))
        for seat, action in enumerate(table.last):
            if action is not None:
                lines.append(
                    say(
                        "{side}: last: {action}, played: {cards}",
                        side=COLOURS[seat],
                        action=ACTIONS[action],
                        cards=_counted(table.played[seat]),
                    )
                )
        if any(table.gone):
            lines.append(say("out of play: {cards}", cards=_counted(table.gone)))
        lines.append(self._status(table))
        return translate(joined(lines, "\n"), language)

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """The table as SVG, this seat's hand in front; see `Drawable.svg`."""
        table = expect(view, _core.KittensView)
        picture = Picture(660, 420, title=say("Kittens table"), language=language)
        self._draw_other(picture, table)
        self._draw_deck(picture, table)
        self._draw_played(picture, table)
        self._draw_hand(picture, table)
        self._draw_marks(picture, table, heat, last, line)
        return picture.svg()

    def spots(self, view: View) -> list[Spot]:
        """The deck, the cards of the hand that can be played, and the places of a bomb; see `Clickable.spots`."""
        table = expect(view, _core.KittensView)
        if table.placing and table.turn == table.seat:
            legal = table.legal()
            high = min(24.0, 132 / len(legal))
            return [Spot(action, box(6, self._spot(table, action)[1] - high / 2, 130, high)) for action in legal]
        spots = [Spot(0, box(42, 118, 104, 138))]
        for action, card in CARD_ACTIONS.items():
            if table.hand[card]:
                spots.append(Spot(action, box(*_hand_place(table.hand, card), 72, 101)))
        return spots

    def _status(self, table: _core.KittensView) -> Message:
        if table.loser is not None:
            return say("{side} exploded", side=COLOURS[table.loser])
        if table.turn is None:
            return say_count("a draw after {count} turn", "a draw after {count} turns", table.turns)
        if table.placing:
            return say("{side} puts the bomb back", side=COLOURS[table.turn])
        return say("{side} owes draws: {owed}", side=COLOURS[table.turn], owed=table.owed)

    def _other(self, table: _core.KittensView) -> Message:
        seat = 1 - table.seat
        parts = [say_count("{side}: {count} card", "{side}: {count} cards", table.hand_sizes[seat], side=COLOURS[seat])]
        if table.counted:
            *cards, last = (CARDS[card] for card in COUNTED)
            number = table.counted[seat]
            parts.append(say("{number} of them {cards} or {last}", number=number, cards=cards, last=last))
        if any(table.holds):
            parts.append(say("surely {cards}", cards=_counted(table.holds)))
        return joined(parts)

    def _depth(self, depth: int, table: _core.KittensView) -> str:
        """``top``, ``bottom`` or the depth."""
        if depth == 0:
            return say("top")
        return say("bottom") if depth == table.deck_size - 1 else str(depth)

    def _hidden(self, table: _core.KittensView) -> Message:
        few = table.suspects if len(table.suspects) < 4 else []
        places = joined((self._depth(depth, table) for depth in few), "/") if few else say("anywhere")
        return say("bomb put back: {places}", places=places)

    def _draw_other(self, picture: Picture, table: _core.KittensView) -> None:
        other = 1 - table.seat
        count = table.hand_sizes[other]
        for i in range(count):
            _card(picture, 20 + min(26.0, 560 / count) * i, 16, 44, "#fffdf8", SEATS[other])
        _note(picture, 20, 96, self._other(table), fill=SEATS[other])

    def _draw_deck(self, picture: Picture, table: _core.KittensView) -> None:
        size = table.deck_size
        for i in range(min(size, 8), 0, -1):
            _card(picture, 42 + 2.0 * i, 118 + 2.0 * i, 84, "#a597ad", "#6b5b73")
        picture.label(86, 178, str(size), size=34, fill="#fffdf8" if size else INK, font_weight="bold")
        if size:
            picture.add("rect", x=46, y=262, width=96, height=8, rx=4, fill="#e4dccb")
            picture.add("rect", x=46, y=262, width=96 * table.bomb_chance(0), height=8, rx=4, fill=SEATS[0])
            _note(picture, 46, 282, _risk(table), size=12)
        _note(picture, 176, 124, _deck(table))
        for i in range(table.bombs):
            _icon(picture, 0, 184 + min(20.0, 190 / table.bombs) * i, 146, 0.5)
        known = [(self._depth(depth, table), card) for depth, card in table.known][:4]
        for row, (depth, card) in enumerate(known):
            y = 172 + 23 * row
            picture.label(222, y, depth, size=12, text_anchor="end")
            picture.add("rect", x=230, y=y - 10, width=96, height=20, rx=5, fill=FACES[card])
            picture.label(278, y, CARDS[card], size=12, fill="#fffdf8")
        if table.suspects:
            where = self._hidden(table)
            _note(picture, 176, 172 + 23 * len(known), where, size=12, fill=SEATS[1 - table.seat])

    def _draw_played(self, picture: Picture, table: _core.KittensView) -> None:
        for row, seat in enumerate((1 - table.seat, table.seat)):
            y, action = 128 + 74 * row, table.last[seat]
            picture.add("rect", x=398, y=y - 14, width=246, height=66, rx=8, fill="#fffdf8", stroke=GRID)
            picture.add("rect", x=398, y=y - 14, width=6, height=66, rx=3, fill=SEATS[seat])
            _note(picture, 414, y, COLOURS[seat], fill=SEATS[seat])
            if action is not None:
                text = say("last: {action}", action=ACTIONS[action])
                picture.label(634, y, text, size=13, text_anchor="end", font_weight="bold")
            cards = [card for card, count in enumerate(table.played[seat]) for _ in range(count)]
            for i, card in enumerate(cards):
                x = 414 + min(22.0, 206 / len(cards)) * i
                _card(picture, x, y + 14, 20, FACES[card])
                _icon(picture, card, x + 10, y + 28, 0.3)
        if any(table.gone):
            _note(picture, 398, 263, say("out of play"), size=11)
            for place, (card, count) in enumerate((card, count) for card, count in enumerate(table.gone) if count):
                _icon(picture, card, 489 + 21 * place, 262, 0.28)
                _note(picture, 495 + 21 * place, 263, str(count), size=11)
        picture.label(520, 280, self._status(table), size=14, font_weight="bold")

    def _draw_hand(self, picture: Picture, table: _core.KittensView) -> None:
        for card, count in enumerate(table.hand):
            if not count:
                continue
            x, y = _hand_place(table.hand, card)
            for i in range(min(count, 3) - 1, -1, -1):
                _card(picture, x + 4 * i, y - 4 * i, 72, FACES[card])
            _icon(picture, card, x + 36, y + 44, 1.0)
            picture.label(x + 36, y + 84, CARDS[card], size=11, fill=FACES[card], font_weight="bold")
            if count > 1:
                picture.add("circle", cx=x + 62, cy=y + 12, r=10, fill=FACES[card])
                picture.label(x + 62, y + 12, str(count), size=12, fill="#fffdf8", font_weight="bold")

    def _draw_marks(
        self,
        picture: Picture,
        table: _core.KittensView,
        heat: Mapping[Action, float] | None,
        last: Action | None,
        line: Sequence[Action],
    ) -> None:
        """Warm spots for scores, a ring for `last`, numbers for a plan."""
        for action, warm in warmth(heat).items():
            x, y = self._spot(table, action)
            picture.add("circle", cx=x, cy=y, r=9 + 9 * warm, fill=HOT, fill_opacity=0.25 + 0.65 * warm)
        if table.placing and table.turn == table.seat:
            for action in table.legal():
                x, y = self._spot(table, action)
                picture.add("path", d=f"M{x + 8:.1f} {y:.1f} l-12 -6 v12 z", fill=INK)
        if last is not None:
            x, y = self._spot(table, last)
            picture.add("circle", cx=x, cy=y, r=13, fill="none", stroke=INK, stroke_width=3)
        for order, action in enumerate(line, start=1):
            x, y = self._spot(table, action)
            picture.add("circle", cx=x, cy=y, r=10, fill="#fffdf8", fill_opacity=0.9, stroke=INK)
            picture.label(x, y, str(order), size=12, font_weight="bold")

    def _spot(self, table: _core.KittensView, action: Action) -> tuple[float, float]:
        """Where an action is drawn: on the deck, beside it, or on a card of the hand."""
        if action == 0:
            return 72, 142
        if action in CARD_ACTIONS:
            x, y = _hand_place(table.hand, CARD_ACTIONS[action])
            return x + 12, y + 12
        depth = (action - 3) / 2 if action < PLACE_AT else (action - PLACE_AT) / max(table.deck_size, 1)
        return 26, 132 + 112 * depth


def _deck(table: _core.KittensView) -> Message:
    cards = say_count("{count} card", "{count} cards", table.deck_size)
    bombs = say_count("{count} bomb", "{count} bombs", table.bombs)
    return say("deck: {cards}, {bombs}", cards=cards, bombs=bombs)


def _risk(table: _core.KittensView) -> Message:
    return say("top card: {risk:.0%} bomb", risk=table.bomb_chance(0))


def _counted(counts: Sequence[int]) -> Message:
    """``Defuse, Skip 2``, or a dash."""
    held = [(CARDS[card], count) for card, count in enumerate(counts) if count]
    return (
        joined(joined([name, str(count)], " ") if count > 1 else name for name, count in held)
        if held
        else joined(["–"])
    )


def _hand_place(hand: Sequence[int], card: int) -> tuple[float, float]:
    """The corner of a card in the hand; one that is not held has its place at the end."""
    held = [each for each, count in enumerate(hand) if count]
    return 24.0 + 90 * (held.index(card) if card in held else len(held)), 304.0


def _note(picture: Picture, x: float, y: float, text: str, *, size: float = 13, fill: str = INK) -> None:
    picture.label(x, y, text, size=size, text_anchor="start", fill=fill)


def _card(picture: Picture, x: float, y: float, width: float, edge: str, back: str = "#fffdf8") -> None:
    """An empty card, or its back in a colour."""
    place = {"x": x, "y": y, "width": width, "height": 1.4 * width, "rx": width / 10}
    picture.add("rect", **place, fill=back, stroke=edge, stroke_width=min(2.0, width / 20))


ICONS = (
    "M-3 4 m-13 0 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0 M5 -8 q4 -8 12 -6 M17 -19 v9 M12.5 -14.5 h9",
    "M0 -18 l15 5 v9 q0 14 -15 21 q-15 -7 -15 -21 v-9 z M-7 -2 l5 6 l9 -11",
    "M-14 -13 l13 13 l-13 13 M2 -13 l13 13 l-13 13",
    "M4 -19 l-15 22 h10 l-4 17 l16 -23 h-10 z",
    "M-19 0 q19 -22 38 0 q-19 22 -38 0 z M-6 0 a6 6 0 1 0 12 0 a6 6 0 1 0 -12 0",
    "M-14 -16 h28 M-14 -9 h28 M0 18 v-19 M-8 6 l8 -8 l8 8",
    "M-17 -9 h8 q6 0 9 9 q3 9 9 9 h7 M12 5 l5 4 l-5 4 M-17 9 h8 q6 0 9 -9 q3 -9 9 -9 h7 M12 -13 l5 4 l-5 4",
    "M-15 -2 l-1 -16 l10 6 q6 -2 12 0 l10 -6 l-1 16 q1 17 -15 17 q-16 0 -15 -17 z M-6 1 v3 M6 1 v3 M-3 9 h6",
)


def _icon(picture: Picture, card: int, x: float, y: float, scale: float) -> None:
    colour = FACES[card]
    where = f"translate({x:.1f} {y:.1f}) scale({scale})"
    style = {"stroke_width": 2.6, "stroke_linecap": "round", "stroke_linejoin": "round"}
    fill = colour if card == 0 else "none"
    picture.add("path", d=ICONS[card], transform=where, fill=fill, stroke=colour, **style)
