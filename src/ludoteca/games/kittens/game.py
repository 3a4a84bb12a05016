"""Kittens: draw from one face-down deck; a seat that draws a bomb without a Defuse loses.

Each seat starts with Defuse, Skip and Attack, which are not part of the option ``deck``. On its
turn a seat owes one draw, or two after an attack, and plays one action at a time: ``draw`` takes the top
card; ``skip`` cancels one owed draw; ``attack`` ends the turn and the other owes two; ``see`` shows the top
three cards; ``bottom`` draws the bottom card; ``shuffle`` shuffles the deck. When nothing is owed the turn
ends. A drawn bomb costs a Defuse, and the seat puts it back where it likes, unseen by the other; without a Defuse
it loses. An empty deck gives nothing, and after ``max_turns`` turns the match is a draw.

``rules=original`` is the original program: at most one card, then all owed draws in one action; a
card not held is a plain draw; ``see`` shows nothing; a Defuse ends the turn of seat 0 but not of seat 1; ``middle`` is
counted from the bottom; seat 0, owing two, draws once more before it puts back a bomb from the bottom, and of two
bombs only one goes back; and both seats know how many Defuse, Skip, Attack and Safe cards each hand has.

A position set up by hand is written ``deck: safe bomb skip; 0: defuse skip; 1: 4; turn: 0; owed: 1``, all parts
optional: the deck from the top (default: all other cards, shuffled by the seed), each hand as its cards or
as a number of cards that the seed draws (default: the usual hand), who is on turn and how many draws it owes. Cards
that are nowhere are out of play, which both seats see. A seat knows its own hand, and the sizes of the other's hand and
of the deck.

Actions: 0 ``draw``, 1 ``skip``, 2 ``attack``, 3 ``place top``, 4 ``place middle``, 5 ``place bottom``,
6 ``see``, 7 ``bottom``, 8 ``shuffle``; with ``place=any`` a bomb goes to depth d by 9 + d, ``place d``, and
never by 3 to 5.

Cards are numbered Bomb 0, Defuse 1, Skip 2, Attack 3, See 4, Bottom 5, Shuffle 6, Safe 7. The tensor is flat,
161 numbers; a share is a part of all cards of that kind there are, hands included:

==========  ===============================================================================================
0 - 7       own hand, share by card
8 - 15      what the other certainly holds, share by card
16 - 31     cards played by this seat (16 - 23) and by the other (24 - 31), share by card
32          chance of a bomb at a place of the deck that is unknown to this seat
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

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidOption
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.games.deals import Deals, distinct_deals
from ludoteca.games.display import show_types
from ludoteca.games.kittens.cards import (
    ACTIONS,
    CARD_ACTIONS,
    CARDS,
    COUNTED,
    EVENTS,
    FIRST_HAND,
    NAMES,
    PLACE_AT,
    Start,
    read_cards,
    read_deck,
    write_deck,
)
from ludoteca.games.kittens.cover import cover
from ludoteca.games.kittens.guide import GUIDE
from ludoteca.games.kittens.lesson import EXERCISE, FIGURES
from ludoteca.games.kittens.news import Bomb, bomb_of, depth_name, news_of, place_name
from ludoteca.games.kittens.observed import KittensObserver
from ludoteca.games.kittens.picture import NARROW, WIDE, KittensPicture, TableTexts, card_svg
from ludoteca.games.kittens.public_picture import PublicTable, draw_public
from ludoteca.games.picture import Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.games.start_notation import write_start
from ludoteca.messages import Message, joined, say, say_as, say_count, translate
from ludoteca.protocols import Action, ClickArea, Decision, Seat, View
from ludoteca.spec import Label, one_of, with_suggestion, within

STYLES = ("bold red", "green", "blue", "red", "magenta", "yellow", "cyan", "yellow")
"""For each card the style of its name in a terminal."""


class Event(NamedTuple):
    """One entry of the log as a seat saw it."""

    seat: int
    what: str
    """One of EVENTS."""
    cards: tuple[str, ...]
    """The cards that the seat saw: its own draw, or what ``see`` showed; never the other's."""
    depth: int | None
    """Where the seat put the bomb after this draw."""
    counted: bool | None = None
    """rules=original, a draw: whether the card is one of COUNTED, which both seats know."""


class Kittens(CoreGame, _core.KittensRules):
    """The rules of Kittens with their options."""

    name = "kittens"
    # Translators: the name of the game, after Exploding Kittens
    title = say("Kittens")
    tensor_range = (0.0, 64.0)
    zero_sum = True
    narrow_layout = True
    hidden_information = True
    summary = say("Draw cards, but not the bomb.")
    rules_text = say(
        "On your turn you must draw a card from the deck. If you draw a bomb without a Defuse, you lose; with one you "
        "put the bomb back where you like, unseen.\n\nBefore drawing you may play cards: Skip cancels a draw, Attack "
        "ends your turn and the other player must draw two, See shows the top three cards, Bottom draws from the "
        "bottom, Shuffle shuffles.\n\nYou see how likely the top card is a bomb, from what you know."
    )
    figures = FIGURES
    exercise = EXERCISE
    guide = GUIDE
    cover = staticmethod(cover)

    def __init__(
        self,
        rules: Annotated[
            Literal["clean", "original"],
            Label(
                say("rules"),
                say("clean: as described; original: as the original program, with its quirks"),
                {"clean": say("as described"), "original": say("as in the original program")},
            ),
        ] = "clean",
        deck: Annotated[
            str,
            Label(
                say("deck"),
                say("v2, rich, v1, or counts of cards such as bomb4+defuse2+skip3+safe9"),
                {"rich": say("with more action cards")},
            ),
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
        self.may_waste_actions = rules == "original"
        self.counts = dict(zip(CARDS, counts, strict=True))
        self._remember(rules=rules, deck=write_deck(counts), stack=bool(stack), place=place, max_turns=max_turns)

    def deals(self) -> Deals:
        """Every order of the deck; see `GameDetails.deals`. A Shuffle card would bring in new chance."""
        if self.counts["Shuffle"] or self.options["rules"] != "clean":
            raise InvalidOption(
                "{game} cannot list its deals: that needs rules=clean and a deck without Shuffle cards", game=self.spec
            )
        counts = self.counts.values()
        orders = math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
        return distinct_deals(self, orders, lambda state: bytes(self.deck_of(expect(state, _core.KittensState))))

    def aim(self, seat: Seat) -> str:
        """The bomb for the other."""
        return say("let {other} draw the bomb", other=self.side(1 - seat))

    def action_name(self, action: Action) -> str:
        """``draw``, ``skip`` … ``place top``, or ``place d`` for a depth."""
        self._check_range(action)
        return ACTIONS[action] if action < PLACE_AT else say_as("action", "place {depth}", depth=action - PLACE_AT)

    def public_name(self, action: Action) -> str:
        """The action without the place of a bomb, which only the mover knows."""
        name = self.action_name(action)
        return say_as("action", "place the bomb") if "place" in name else name

    def parse_action(self, text: str) -> Action:
        """The action that `text` names; ``top`` and ``middle`` are short for places. Raises InvalidAction."""
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
        """The text that `deal_from` reads. Raises InvalidPosition for an unknown card.

        The deck is given from the top; None is all other cards, shuffled. A hand is its cards, a number of cards to
        draw, or None for the usual hand.

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

    def deal_from(self, start: str, seed: int) -> _core.KittensState:
        """A position set up by hand, in the notation of this module; see `CustomStart.deal_from`."""
        position = Start.read(start, max_owed=self.max_owed)
        total = [count + 2 * (card in FIRST_HAND) for card, count in enumerate(self.counts.values())]
        position.check(total, self.max_deck)
        return self.arrange_cards(*position, seed)

    def observer(self) -> KittensObserver:
        """How it is followed at a real table."""
        return KittensObserver(self)

    def events(self, view: View) -> list[Event]:
        """Everything that happened, as the view's seat saw it."""
        return [
            Event(seat, EVENTS[event], tuple(CARDS[card] for card in cards), depth, counted)
            for seat, event, cards, depth, counted in expect(view, _core.KittensView).log
        ]

    def text(self, view: View, *, language: Language = "en") -> str:
        """The table in a few lines: what this seat knows of the deck, both hands, and the turn."""
        table = expect(view, _core.KittensView)
        lines = [_deck(table)]
        if table.deck_size:
            lines[0] = joined([lines[0], _risk(table)], "; ")
        known = [joined([depth_name(depth, table.deck_size), CARDS[card]], " ") for depth, card in table.known]
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

    def text_styles(self, language: Language) -> Sequence[tuple[str, str]]:
        """Cards in similar colours as in the picture."""
        return [
            (rf"\b{re.escape(translate(card, language))}\b", style) for card, style in zip(CARDS, STYLES, strict=True)
        ]

    def end_reasons(self, view: View) -> Sequence[str]:
        """The bomb, or too many turns."""
        table = expect(view, _core.KittensView)
        if table.loser is None:
            return [say("No bomb was drawn in {count} turns, so it is a draw.", count=table.turns)]
        return [say("{side} drew a bomb and had no Defuse.", side=self.side(table.loser))]

    def is_wasted(self, view: View, action: Action) -> bool:
        """Whether rules=original make it a plain draw, because the hand does not have the card."""
        card = CARD_ACTIONS.get(action)
        return card is not None and not expect(view, _core.KittensView).hand[card]

    def task(self, view: View) -> str:
        """What to do now; see `GameDetails.task`."""
        table = expect(view, _core.KittensView)
        if all(self.action_name(action).startswith("place") for action in table.legal()):
            return say("choose where to put the bomb back")
        if table.owed > 1:
            return say("play a card or draw; you owe {count} draws", count=table.owed)
        return say("play a card, or draw to end your turn")

    def move_sentence(self, name: str, who: str) -> str:
        """A move as a sentence; see `GameDetails.move_sentence`."""
        match name.partition(" ")[0]:
            case "draw":
                return say("{who} drew a card.", who=who) if who else say("You drew a card.")
            case "bottom":
                return say("{who} drew the bottom card.", who=who) if who else say("You drew the bottom card.")
            case "skip":
                return say("{who} skipped.", who=who) if who else say("You skipped.")
            case "attack":
                return say("{who} attacked.", who=who) if who else say("You attacked.")
            case "shuffle":
                return say("{who} shuffled the deck.", who=who) if who else say("You shuffled the deck.")
            case "place":
                return say("{who} put the bomb back.", who=who) if who else say("You put the bomb back.")
        return ""

    def hand_text(self, view: View) -> str:
        """The cards of the hand."""
        hand = expect(view, _core.KittensView).hand
        return _counted(hand) if any(hand) else say("no card")

    def piece_svg(self, piece: int) -> str:
        """The sign of a card."""
        return card_svg(piece)

    def public_svg(self, view: View, *, narrow: bool = False, language: Language = "en") -> str:
        """The table without its hands and without what a seat knows of the deck."""
        table = expect(view, _core.KittensView)
        over = table.turn is None
        bomb = table.loser if over else table.turn if table.placing else None
        public = PublicTable(table.deck_size, table.bombs, table.hand_sizes, table.played, table.owed, over, bomb)
        return draw_public(public, narrow=narrow, language=language)

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
        narrow: bool = False,
    ) -> str:
        """The table as SVG, this seat's hand in front; see `Drawable.svg` and `NarrowLayout`."""
        table = expect(view, _core.KittensView)
        laid = KittensPicture(table, NARROW if narrow else WIDE)
        picture = Picture(laid.layout.width, laid.height, title=say("Kittens table"), language=language)
        laid.draw(picture, self._texts(table, language))
        laid.mark(picture, heat, last, line)
        return picture.svg()

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """Frames, and the chance of a bomb on the deck; see `GameDetails.reason_marks`."""
        laid = KittensPicture(expect(view, _core.KittensView), NARROW if narrow else WIDE)
        picture = Picture(laid.layout.width, laid.height, language=language)
        laid.mark_reasons(picture, decision)
        return picture.inside()

    def click_areas(self, view: View, *, narrow: bool = False) -> list[ClickArea]:
        """The deck, the cards of the hand that can be played, and the places of a bomb; see `Clickable.click_areas`."""
        return KittensPicture(expect(view, _core.KittensView), NARROW if narrow else WIDE).click_areas()

    def area_name(self, view: View, action: Action) -> str:
        """The deck with its number of cards, or a card with how many of it are held; see `Clickable.area_name`."""
        table = expect(view, _core.KittensView)
        if action == 0:
            return joined([ACTIONS[0], _deck(table)])
        if action in CARD_ACTIONS:
            card = CARD_ACTIONS[action]
            held = say_count("{count} card", "{count} cards", table.hand[card])
            return joined([CARDS[card], held])
        return place_name(action, table.deck_size)

    def _texts(self, table: _core.KittensView, language: Language) -> TableTexts:
        """The texts of the picture."""

        def sentence(text: str) -> str:
            first_letter = re.compile(r"^\W*\w")  # a language may open exclamations with a sign
            return first_letter.sub(lambda found: found[0].upper(), translate(text, language))

        bomb = bomb_of(table)
        return TableTexts(
            self._other(table),
            _deck(table),
            _risk(table),
            " ".join(map(sentence, news_of(table) or [self._status(table)])),
            None if bomb is None else Bomb(*map(sentence, bomb)),
            [(depth_name(depth, table.deck_size), card) for depth, card in table.known],
            self._hidden(table) if table.suspects else None,
            [None if action is None else ACTIONS[action] for action in table.last],
            [_counted(cards) for cards in table.played],
            _counted(table.gone),
        )

    def _status(self, table: _core.KittensView) -> Message:
        if table.loser is not None:
            return say("{side} exploded", side=COLOURS[table.loser])
        if table.turn is None:
            return say_count("a draw after {count} turn", "a draw after {count} turns", table.turns)
        if table.placing:
            if table.turn == table.seat:
                return say("Where do you hide the bomb?")
            return say("{side} hides the bomb", side=COLOURS[table.turn])
        if table.turn == table.seat:
            return say_count("You must draw {count} card.", "You must draw {count} cards.", table.owed)
        return say_count(
            "{side} must draw {count} card", "{side} must draw {count} cards", table.owed, side=COLOURS[table.turn]
        )

    def _other(self, table: _core.KittensView) -> Message:
        seat = 1 - table.seat
        parts = [say_count("{side}: {count} card", "{side}: {count} cards", table.hand_sizes[seat], side=COLOURS[seat])]
        if table.counted:
            *cards, last = (CARDS[card] for card in COUNTED)
            number = table.counted[seat]
            parts.append(say("{number} of them {cards} or {last}", number=number, cards=cards, last=last))
        if any(table.holds):
            parts.append(say("has at least: {cards}", cards=_counted(table.holds)))
        return joined(parts)

    def _hidden(self, table: _core.KittensView) -> Message:
        few = table.suspects if len(table.suspects) < 4 else []
        places = joined((depth_name(depth, table.deck_size) for depth in few), "/") if few else say("anywhere")
        return say("bomb put back: {places}", places=places)


def _deck(table: _core.KittensView) -> Message:
    cards = say_count("{count} card", "{count} cards", table.deck_size)
    bombs = say_count("{count} bomb", "{count} bombs", table.bombs)
    return say("deck: {cards}, {bombs}", cards=cards, bombs=bombs)


def _risk(table: _core.KittensView) -> Message:
    # Translators: short, on a phone it stands under the deck
    return say("top card: {risk:.0%} bomb", risk=table.bomb_chance(0))


def _counted(counts: Sequence[int]) -> Message:
    """``Defuse, Skip × 2``, or a dash."""
    held = [(CARDS[card], count) for card, count in enumerate(counts) if count]
    return (
        joined(joined([name, str(count)], " × ") if count > 1 else name for name, count in held)
        if held
        else joined(["–"])
    )


show_types(_core.KittensState, _core.KittensView)
