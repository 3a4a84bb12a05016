"""Kittens followed at a real table: the events, why one cannot have happened, and what the other player holds.

Your own events are an action and the cards that you drew or saw: ``draw safe``, ``bottom bomb``, ``skip``, ``attack``,
``see safe bomb skip``, ``shuffle``, and ``place top`` after a bomb. The other player's are an action and what everybody
saw: ``draw`` for any card but a bomb, ``draw bomb`` for one that it defused and hid, ``draw explodes``, ``bottom``,
``bottom bomb``, ``bottom explodes``, ``skip``, ``attack``, ``see``, ``shuffle``.

With ``rules=original`` an action draws all owed cards: yours are all named, ``skip safe``; of the other player's each
is ``common`` (Defuse, Skip, Attack or Safe), ``rare``, ``bomb`` or ``explodes``: ``draw common bomb``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ludoteca import _core
from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import ImpossibleEvent, InvalidAction, InvalidPosition
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARD_ACTIONS, CARDS, COUNTED, FIRST_HAND, NAMES, PLACE_AT
from ludoteca.games.observed import THE_OTHER, Belief, Choice, Detail, Holding, Option, Step, as_chance
from ludoteca.messages import Message, joined, say, say_as, say_count, translate
from ludoteca.protocols import Action, Seat, View

if TYPE_CHECKING:
    from ludoteca.games.kittens.game import Kittens

BOMB, DEFUSE, SEE, SAFE = 0, 1, 4, 7
DRAW, PLACE_TOP, PLACE_BOTTOM, LOOK, BOTTOM, SHUFFLE = 0, 3, 5, 6, 7, 8
CARD, EXPLODES = say_as("drawn", "card"), say_as("drawn", "explodes")
COMMON, RARE = say_as("drawn", "common"), say_as("drawn", "rare")
SAVED = say_as("drawn", "bomb")
RESULTS = {CARD: SAFE, COMMON: SAFE, RARE: SEE, SAVED: BOMB, EXPLODES: BOMB}
"""What everybody sees of a card that the other player draws, and a card that looks so."""
OPPONENTS = Path(__file__).with_name("opponents.json")
"""The policies by which the other player may play, fitted to our agents by bench/strength/opponents.py."""
ASSUMPTION = say(
    "This supposes that the other player plays more or less like one of the agents here. What it plays, and what it "
    "does not play, is evidence."
)
LEAST = 1e-6
"""The smallest chance of what is possible; 1 less this is the largest of what is not certain."""


@cache
def opponents() -> list[_core.KittensSoftmaxPolicy]:
    """The policies of `OPPONENTS`."""
    fields = json.loads(OPPONENTS.read_text(encoding="utf-8"))
    return [_core.KittensSoftmaxPolicy(each["weights"], each["wasteful"]) for each in fields]


class _Event(NamedTuple):
    """An event as it was read."""

    action: Action
    words: tuple[str, ...]
    """In English: the cards, or what everybody saw of them."""


class KittensObserver:
    """Follows Kittens from one seat."""

    def __init__(self, game: Kittens) -> None:
        self.game = game
        self.original = bool(game.options["rules"] == "original")

    def start_form(self, seat: Seat, said: Mapping[str, Sequence[str]]) -> Sequence[Detail]:
        """Nothing: both players start with Defuse, Skip and Attack, and seat 0 begins."""
        return ()

    def begun_form(self) -> Sequence[Detail]:
        """Nothing: what a player knows of the deck comes from all that happened, so all of it has to be entered."""
        return ()

    def begun_start(self, view: View) -> str:
        """Nothing; see `begun_form`."""
        return ""

    def first_view(self, seat: Seat, start: str) -> _core.KittensView:
        """The first view, which every deal shows."""
        if start.strip():
            raise InvalidPosition("{game} needs no start, so {start!r} is too much", game=self.game.spec, start=start)
        return self.game.deal(0).view(seat)

    def after(self, view: View, text: str, language: Language = SOURCE) -> Step:
        """The event that `text` describes; see `Observer.after`."""
        table = expect(view, _core.KittensView)
        if table.turn is None:
            raise ImpossibleEvent("the match is over, so {text!r} cannot follow", text=text[:40])
        mine = table.turn == table.seat
        event = self._read(text, language, mine)
        return self._own(table, event) if mine else self._others(table, event)

    # How an event is read

    def _read(self, text: str, language: Language, mine: bool) -> _Event:
        line = " ".join(text.lower().split())[:200]
        line = {"top": "place top", "middle": "place middle"}.get(line, line)
        names = {name: action for action in range(self.game.num_actions) for name in self._names(action, language)}
        begun = max((name for name in names if f"{line} ".startswith(f"{name} ")), key=len, default=None)
        if begun is None:
            raise InvalidAction(
                "{text!r} is no event: write what happened first, one of {names}", text=text[:40], names=[*ACTIONS]
            )
        known = self._card_names(language) if mine else self._result_names(language)
        words = []
        for word in line[len(begun) :].split():
            if word not in known:
                raise InvalidAction(
                    "{word!r} cannot come after {action}: only {names}", word=word[:40], action=begun,
                    names=[*(CARDS if mine else self._results())],
                )  # fmt: skip
            words.append(known[word])
        return _Event(names[begun], tuple(words))

    def _names(self, action: Action, language: Language) -> set[str]:
        name = self.game.action_name(action)
        return {str(name).lower(), translate(name, language).lower()}

    @staticmethod
    def _card_names(language: Language) -> dict[str, str]:
        names = {translate(card, language).lower(): name for card, name in zip(CARDS, NAMES, strict=True)}
        return names | {name: name for name in NAMES}

    def _result_names(self, language: Language) -> dict[str, str]:
        return {word: str(each) for each in self._results() for word in (str(each), translate(each, language).lower())}

    def _results(self) -> Sequence[str]:
        return (COMMON, RARE, SAVED, EXPLODES) if self.original else (CARD, SAVED, EXPLODES)

    # The person's own events

    def _own(self, table: _core.KittensView, event: _Event) -> Step:
        cards = [NAMES.index(word) for word in event.words]
        self._check_action(table, event.action)
        if BOMB in cards and not table.bombs:
            raise ImpossibleEvent(say("no bomb is left in the deck"))
        found = table.after(event.action, cards)
        if found is None:
            raise ImpossibleEvent(say("after all that you entered, that cannot have happened"))
        seen, used = found
        if used > len(cards):
            raise InvalidAction(self._which(event.action, used))
        if used < len(cards):
            raise ImpossibleEvent("so many cards are not drawn: {number}, not {given}", number=used, given=len(cards))
        if not seen.possible:
            raise ImpossibleEvent(self._why_not_mine(table, event.action, cards))
        text = " ".join([str(self.game.action_name(event.action)), *event.words])
        return Step(text, self._own_sentence(event.action, cards), seen, event.action)

    def _check_action(self, table: _core.KittensView, action: Action) -> None:
        """Raises ImpossibleEvent if the person cannot have done this."""
        if table.placing != (PLACE_TOP <= action <= PLACE_BOTTOM or action >= PLACE_AT):
            if table.placing:
                raise ImpossibleEvent(say("a bomb was drawn: first say where it goes, such as place top"))
            raise ImpossibleEvent(say("no bomb was drawn, so none can be put back"))
        if action in table.legal():
            return
        card = CARD_ACTIONS.get(action)
        if card is not None:
            raise ImpossibleEvent("it is your turn, and you have no {card}", card=CARDS[card])
        names = [self.game.action_name(each) for each in table.legal()]
        raise ImpossibleEvent("the bomb can only go to: {places}", places=names)

    def _which(self, action: Action, used: int) -> Message:
        name, some = self.game.action_name(action), [SAFE, BOMB, 2, SAFE][:used]
        example = joined([name, *(CARDS[card] for card in some)], " ")
        if action == LOOK and not self.original:
            return say(
                "which {number} cards did you see? write them from the top, such as {example}",
                number=used,
                example=example,
            )
        if used == 1:
            return say("which card did you draw? write it, such as {example}", example=example)
        return say(
            "which {number} cards did you draw? write them in order, such as {example}", number=used, example=example
        )

    def _why_not_mine(self, table: _core.KittensView, action: Action, cards: Sequence[int]) -> Message:
        for card in set(cards) - {BOMB}:
            total = self.game.counts[CARDS[card]] + 2 * (card in FIRST_HAND)
            known = table.hand[card] + table.played[0][card] + table.played[1][card] + table.gone[card]
            if known + table.holds[card] + cards.count(card) > total and action != LOOK:
                return say("the game has {number} {card}, and you know where all of them are", number=total,
                           card=CARDS[card])  # fmt: skip
        if cards and action != SHUFFLE:
            depths = [table.deck_size - 1] if action == BOTTOM else list(range(len(cards)))
            for depth, card in zip(depths, cards, strict=False):
                if why := self._why_not_there(table, depth, card):
                    return why
        return say("after all that you entered, that cannot have happened")

    @staticmethod
    def _why_not_there(table: _core.KittensView, depth: int, card: int) -> Message | None:
        """Why this card cannot lie at this depth; None if nothing simple says so."""
        known = dict(table.known).get(depth)
        if known is not None and known != card:
            return say("you know that this card is {card}", card=CARDS[known])
        chance = table.bomb_chance(depth)
        if card == BOMB and chance == 0:
            return say("this card is certainly no bomb")
        if card != BOMB and chance == 1:
            return say("this card is certainly a bomb")
        return None

    def _own_sentence(self, action: Action, cards: Sequence[int]) -> str:
        names = [CARDS[card] for card in cards]
        sentence = self.game.move_sentence(str(self.game.action_name(action)), "")
        if action == LOOK and names and not self.original:
            return say("You saw: {cards}.", cards=names)
        if action == DRAW and names:
            return say("You drew: {cards}.", cards=names)
        if action == BOTTOM and names and not self.original:
            return say("You drew from the bottom: {cards}.", cards=names)
        played = sentence or say("You played {action}.", action=self.game.action_name(action))
        return joined([played, say("You drew: {cards}.", cards=names)], " ") if names else played

    # The other player's events

    def _others(self, table: _core.KittensView, event: _Event) -> Step:
        if PLACE_TOP <= event.action <= PLACE_BOTTOM or event.action >= PLACE_AT:
            raise ImpossibleEvent(say("you do not see where the other player hides a bomb: write only draw bomb"))
        words = event.words
        if not words and not self.original and event.action in (DRAW, BOTTOM) and table.deck_size:
            words = ("card",)
        if any(word in (SAVED, EXPLODES) for word in words) and not table.bombs:
            raise ImpossibleEvent(say("no bomb is left in the deck"))
        if EXPLODES in words[:-1]:
            raise ImpossibleEvent(say("nothing can follow after the other player has exploded"))
        found = self._follow(table, event.action, words)
        if found is None:
            raise ImpossibleEvent(self._why_not_theirs(table, event.action, words))
        seen, used = found
        if used > len(words):
            raise InvalidAction(self._what_it_drew(used))
        if used < len(words):
            raise ImpossibleEvent("so many cards are not drawn: {number}, not {given}", number=used, given=len(words))
        if not seen.possible:
            raise ImpossibleEvent(self._why_not_theirs(table, event.action, words))
        kept = [word for word in words if word != CARD]
        text = " ".join([str(self.game.action_name(event.action)), *kept])
        return Step(text, self._others_sentence(event.action, words), seen)

    def _what_it_drew(self, used: int) -> Message:
        *cards, last = (CARDS[card] for card in COUNTED)
        return say_count(
            "what did the other player draw? write common ({cards} or {last}), rare, bomb (it defused it) or explodes",
            "what did the other player draw? of each of its {count} cards write common ({cards} or {last}), rare, bomb "
            "(it defused it) or explodes", used, cards=cards, last=last,
        )  # fmt: skip

    def _follow(
        self, table: _core.KittensView, action: Action, words: Sequence[str]
    ) -> tuple[_core.KittensView, int] | None:
        """The view after an action of the other player and after it hid its bombs; and how many cards it drew."""
        rest = [next(card for each, card in RESULTS.items() if each == word) for word in words]
        saved = [word == SAVED for word in words]
        found = table.after(action, rest, sum(saved))
        if found is None:
            return None
        seen, used = found
        if action == LOOK and not self.original:
            used = 0  # nobody else sees those cards
        while seen.placing:
            left = rest[used:]
            ways = (seen.after(place, left, sum(saved[used:])) for place in self._places(seen))
            options = [each for each in ways if each is not None]
            if not options:
                return None
            seen, more = next((each for each in options if each[1] <= len(left) and each[0].possible), options[0])
            used += more
        return seen, used

    def _places(self, table: _core.KittensView) -> Sequence[Action]:
        if self.game.options["place"] == "any":
            return range(PLACE_AT, PLACE_AT + table.deck_size + 1)
        return range(PLACE_TOP, PLACE_BOTTOM + 1)

    def _why_not_theirs(self, table: _core.KittensView, action: Action, words: Sequence[str]) -> Message:
        other = 1 - table.seat
        card = CARD_ACTIONS.get(action)
        if card is not None and (not table.hand_sizes[other] or table.held_chances(card)[0] == 1):
            return say("it is the other player's turn, and it cannot have a {card}", card=CARDS[card])
        if SAVED in words and table.held_chances(DEFUSE)[0] == 1:
            return say("the other player cannot have a Defuse: if it drew a bomb, it explodes")
        if EXPLODES in words and table.held_chances(DEFUSE)[0] == 0:
            return say("the other player has a Defuse, which saves it: write draw bomb")
        if words and action != SHUFFLE and table.deck_size:
            depth = table.deck_size - 1 if action == BOTTOM else 0
            drawn = BOMB if words[0] in (SAVED, EXPLODES) else SAFE
            if table.bomb_chance(depth) == (drawn != BOMB):
                return say("this card is certainly no bomb") if drawn == BOMB else say("this card is certainly a bomb")
        return say("after all that you entered, that cannot have happened")

    def _others_sentence(self, action: Action, words: Sequence[str]) -> str:
        name = str(self.game.action_name(action))
        sentence = self.game.move_sentence(name, THE_OTHER) or say("The other player played {action}.",
                                                                   action=self.game.action_name(action))  # fmt: skip
        parts = [] if words and action == DRAW else [sentence]
        for word in words:
            if word == SAVED:
                parts.append(say("The other player drew a bomb, defused it and hid it."))
            elif word == EXPLODES:
                parts.append(say("The other player drew a bomb and exploded."))
            elif action != BOTTOM or self.original:
                parts.append(self.game.move_sentence("draw", THE_OTHER))
        return joined(parts, " ")

    # What can have happened, and what is hidden

    def choices(self, view: View) -> Sequence[Choice]:
        """The actions of the seat on turn with the cards that they can show; see `Observer.choices`."""
        table = expect(view, _core.KittensView)
        if table.turn is None:
            return ()
        return list(self._own_choices(table) if table.turn == table.seat else self._others_choices(table))

    def _own_choices(self, table: _core.KittensView) -> Iterator[Choice]:
        for action in table.legal():
            found = table.after(action, [])
            if found is None or self.game.is_wasted(table, action):
                continue
            name, used = self.game.action_name(action), found[1]
            detail = Detail(say("Which cards?"), self._possible_cards(table, action, used), used, repeat=True)
            yield Choice(str(name), name, True, action, (detail,) if used else ())

    def _possible_cards(self, table: _core.KittensView, action: Action, used: int) -> Sequence[Option]:
        """The cards that can be among those drawn or seen; exactly, if it is one."""
        cards = self.items()
        if used > 1:
            return cards
        after = ((each, table.after(action, [NAMES.index(each.text)])) for each in cards)
        return tuple(each for each, found in after if found is not None and found[0].possible)

    def _others_choices(self, table: _core.KittensView) -> Iterator[Choice]:
        for action in (DRAW, *CARD_ACTIONS):
            name = self.game.action_name(action)
            if self.original:
                found = self._follow(table, action, ["common"] * table.owed)
                if found is None or (action and table.held_chances(CARD_ACTIONS[action])[0] == 1):
                    continue
                options = tuple(Option(str(each), each) for each in (COMMON, RARE, SAVED, EXPLODES))
                detail = Detail(say("What did it draw?"), options, found[1], repeat=True)
                yield Choice(str(name), name, False, action, (detail,) if found[1] else ())
                continue
            draws = action in (DRAW, BOTTOM) and table.deck_size
            for word in (CARD, SAVED, EXPLODES) if draws else ("",):
                found = self._follow(table, action, [word] if word else []) if not word or word == CARD or table.bombs \
                    else None  # fmt: skip
                if found is not None and found[0].possible:
                    text = " ".join([str(name), *([word] if word and word != CARD else [])])
                    yield Choice(text, self._label(name, word), False, action)

    @staticmethod
    def _label(name: str, word: str) -> str:
        if word == SAVED:
            return say("{action}: a bomb, defused and hidden", action=name)
        return say("{action}: a bomb, and it explodes", action=name) if word == EXPLODES else name

    def belief(self, view: View) -> Belief:
        """The chance of every kind of card, given what the other player played and did not play."""
        table = expect(view, _core.KittensView)
        kinds, _, exact = table.held_by_policies(opponents())
        held = []
        for card in range(DEFUSE, len(CARDS)):
            if not self.game.counts[CARDS[card]] and card not in FIRST_HAND:
                continue
            chances, error = kinds[card]
            counted = as_chance(1 - table.held_chances(card)[0])
            certain = counted in (0.0, 1.0)
            chance = counted if certain else min(1 - LEAST, max(LEAST, 1 - chances[0]))
            expected = sum(number * each for number, each in enumerate(chances))
            held.append(Holding(card, CARDS[card], chance, expected, 0.0 if certain else error))
        held.sort(key=lambda each: -each.expected)
        return Belief(table.hand_sizes[1 - table.seat], held, exact, ASSUMPTION)

    def items(self) -> Sequence[Option]:
        """The kinds of cards of the game."""
        held = [card for card in range(len(CARDS)) if self.game.counts[CARDS[card]] or card in FIRST_HAND]
        return tuple(Option(NAMES[card], CARDS[card], card) for card in held)

    def places(self, view: View) -> Mapping[int, str]:
        """Nothing: the other player may hold any kind."""
        return {}
