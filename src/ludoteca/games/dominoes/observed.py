"""Dominoes followed at a real table: the events, why one cannot have happened, and what the other player holds.

Events: ``6-4@left`` and ``6-4@right`` (``6-4`` alone if only one end is possible), ``pass``, ``draw`` for the other
player's draw, ``draw 5-3`` for your own, and ``shows 5-3 2-1`` when the other player shows its tiles: in a blocked
round without drawing, or after you have won.

The start is ``hand: 6-6 5-4 …; begins: me``, or ``begins: other``; without it where your tiles decide who begins.
A match that has already begun starts with ``line: 6-6 6-4; hand: 5-5 3-1; other: 4; turn: me``: the line from left to
right, your tiles, how many the other player holds, and who is on turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ludoteca import _core
from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import ImpossibleEvent, InvalidAction, InvalidPosition
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import chain, numbers, tile_name, tile_of
from ludoteca.games.observed import THE_OTHER, Belief, Choice, Detail, Holding, Option, Step, as_chance
from ludoteca.games.start_notation import read_number, read_start, write_start
from ludoteca.messages import Message, joined, say, say_as, translate
from ludoteca.protocols import Action, Seat, View

if TYPE_CHECKING:
    from ludoteca.games.dominoes.game import Dominoes

DRAW, PASS, SHOWS = say_as("action", "draw"), say_as("action", "pass"), say_as("action", "shows")
LEFT, RIGHT = say_as("side of the line", "left"), say_as("side of the line", "right")
OTHER_WORDS = {"draws": DRAW, "knock": PASS, "knocks": PASS, "passes": PASS, "show": SHOWS, "blocked": SHOWS}
TILE = re.compile(r"(\d)\s*[-|:/]?\s*(\d)", re.ASCII)
ASSUMPTION = say(
    "Counted over all deals that fit what you entered, each equally likely: which tile the other player chose to "
    "lay is no evidence."
)
BEGUN_ASSUMPTION = say(
    "Counted over all deals that fit what you entered, each equally likely. What happened before the position that "
    "you entered is not known, so it is no evidence: neither draws nor passes."
)
ME, OTHER = Option("me", say("you begin")), Option("other", say("the other player begins"))
MOST_DEALS = 200
"""Deals that are tried for a position in which the round goes on."""


class DominoesObserver:
    """Follows Dominoes from one seat."""

    def __init__(self, game: Dominoes) -> None:
        self.game = game

    def start_form(self, seat: Seat, said: Mapping[str, Sequence[str]]) -> Sequence[Detail]:
        """Your tiles, and who begins if the highest double decides it and may be in either hand."""
        if "line" in said:
            return self.begun_form()
        form = [Detail(say("Which tiles do you hold?"), self.items(), self.game.hand, "hand")]
        if self._best_starts and not self._decides_who_begins(seat, said.get("hand", ())):
            form.append(Detail(say("Who begins?"), (ME, OTHER), 1, "begins"))
        return form

    def _decides_who_begins(self, seat: Seat, words: Sequence[str]) -> bool:
        """Whether nobody has to say who begins; also with a hand that is wrong, which has to be said first."""
        if not words:
            return False
        try:
            return len(self._able_to_begin(seat, self._read_hand(words))) == 1
        except InvalidPosition:
            return True

    def begun_form(self) -> Sequence[Detail]:
        """The line, your tiles, how many the other player holds, and who is on turn."""
        who = (Option("me", say("you")), Option("other", say("the other player")))
        return (
            Detail(say("Which tiles lie on the table, from left to right?"), key="line"),
            Detail(say("Which tiles do you hold?"), key="hand"),
            Detail(say("How many tiles does the other player hold?"), key="other"),
            Detail(say("Whose turn is it?"), who, key="turn"),
        )

    def begun_start(self, view: View) -> str:
        """The line, the hand, the other's number of tiles and the turn."""
        table = expect(view, _core.DominoesView)
        laid = [f"{each.left}-{each.right}" for each in chain(table.line)]
        turn = "me" if table.turn == table.seat else "other"
        parts = {"line": laid, "hand": list(map(tile_name, table.hand))}
        return write_start(parts | {"other": [str(table.counts[1 - table.seat])], "turn": [turn]})

    @property
    def _best_starts(self) -> bool:
        return bool(self.game.options["start"] == "highest-double")

    def first_view(self, seat: Seat, start: str) -> _core.DominoesView:
        """The first view of a deal that gave the seat these tiles. Raises InvalidPosition."""
        parts = read_start(start, ("hand", "begins", "line", "other", "turn"))
        if {"line", "other", "turn"} & set(parts):
            return self._begun_view(seat, parts)
        hand = self._read_hand(parts.get("hand", []))
        turn = self._begins(seat, hand, " ".join(parts.get("begins", [])))
        view = self.game.first_view(hand, seat, turn)
        if not view.possible:
            best = tile_name(max(hand, key=_rank))
            if turn == seat:
                raise InvalidPosition(
                    "you cannot begin: whatever the other player holds, it ranks above {tile}", tile=best
                )
            raise InvalidPosition("the other player cannot begin: no tile ranks above your {tile}", tile=best)
        return view

    def _begun_view(self, seat: Seat, parts: Mapping[str, Sequence[str]]) -> _core.DominoesView:
        """What the seat sees in the middle of a match. Raises InvalidPosition."""
        if set(parts) != {"line", "hand", "other", "turn"} or not all(parts.values()):
            raise InvalidPosition(
                "a match that has begun needs line, hand, other and turn, as in {example}",
                example="line: 6-6 6-4; hand: 5-5 3-1; other: 4; turn: me",
            )
        line, hand = ([tile_name(self._dealt_tile(word)) for word in parts[key]] for key in ("line", "hand"))
        other = read_number(parts, "other", 0, self.game.num_tiles, least=1)
        who = " ".join(parts["turn"])
        if who not in ("me", "other"):
            raise InvalidPosition("turn: {word!r} must be me or other", word=who[:40])
        turn = seat if who == "me" else 1 - seat
        start = write_start({"line": line, str(seat): hand, str(1 - seat): [str(other)], "turn": [str(turn)]})
        for seed in range(MOST_DEALS):
            try:
                return self.game.deal_from(start, seed).view(seat)
            except InvalidPosition as error:  # also a deal in which the round is over already
                wrong = error
        raise wrong

    def _dealt_tile(self, word: str) -> int:
        tile = self._tile(word)
        if tile is None:
            raise InvalidPosition(self._no_tile(word))
        return tile

    def _read_hand(self, words: Sequence[str]) -> list[int]:
        hand: list[int] = []
        for word in words:
            tile = self._dealt_tile(word)
            if tile in hand:
                raise InvalidPosition("{tile} is there twice: in {places}", tile=tile_name(tile),
                                      places=say("your hand"))  # fmt: skip
            hand.append(tile)
        if len(hand) != self.game.hand:
            raise InvalidPosition(
                "your hand has {number} tiles, but {dealt} are dealt; write them as in hand: 6-4 3-1",
                number=len(hand),
                dealt=self.game.hand,
            )
        return hand

    def _begins(self, seat: Seat, hand: Sequence[int], word: str) -> Seat:
        """Who begins, by this word or by the rules. Raises InvalidPosition."""
        if word not in ("", "me", "other"):
            raise InvalidPosition("begins: {word!r} must be me or other", word=word[:40])
        said = None if not word else seat if word == "me" else 1 - seat
        if not self._best_starts:
            if said not in (None, 0):
                raise InvalidPosition("in {game} seat 0 begins, and you are in seat {seat}", game=self.game.spec,
                                          seat=seat)  # fmt: skip
            return 0
        if said is not None:
            return said
        able = self._able_to_begin(seat, hand)
        if len(able) > 1:
            raise InvalidPosition(say("who begins? write begins: me or begins: other"))
        return able[0]

    def _able_to_begin(self, seat: Seat, hand: Sequence[int]) -> list[Seat]:
        """The seats that may hold the best tile when this seat holds these."""
        return [turn for turn in (0, 1) if self.game.first_view(hand, seat, turn).possible]

    def after(self, view: View, text: str, language: Language = SOURCE) -> Step:
        """The event that `text` describes; see `Observer.after`."""
        table = expect(view, _core.DominoesView)
        mine = table.turn == table.seat
        verb, rest = self._read(text, language)
        if verb == SHOWS:
            return self._shown(table, [self._need_tile(word) for word in rest.split()])
        if table.turn is None:
            raise ImpossibleEvent("the match is over, so {text!r} cannot follow", text=text[:40])
        if verb == DRAW:
            return self._drawn(table, self._need_tile(rest) if rest else None, mine)
        if verb == PASS:
            return self._passed(table, mine)
        return self._laid(table, self._need_tile(verb), rest, mine)

    def _read(self, text: str, language: Language) -> tuple[str, str]:
        """The verb, or the tile that is laid, and the rest. Raises InvalidAction."""
        line = " ".join(text.lower().replace("@", " ").split())[:200]
        word, _, rest = line.partition(" ")
        word = OTHER_WORDS.get(word, word)
        for verb in (DRAW, PASS, SHOWS):
            if word in (str(verb), translate(verb, language)):
                return verb, rest
        found = TILE.match(line)
        if not found:
            raise InvalidAction(
                "{text!r} is no event: write a tile such as 6-4 left, or draw, pass, shows", text=text[:40]
            )
        side = line[found.end() :].strip()
        for name, words in ((LEFT, "left"), (RIGHT, "right")):
            if side and (words.startswith(side) or translate(name, language).startswith(side)):
                return found[0], words
        if side:
            raise InvalidAction("{side!r} is no end of the line: left or right", side=side[:40])
        return found[0], ""

    def _tile(self, word: str) -> int | None:
        found = TILE.fullmatch(word.strip())
        if not found or max(int(found[1]), int(found[2])) > self.game.pips:
            return None
        return tile_of(int(found[1]), int(found[2]))

    def _need_tile(self, word: str) -> int:
        tile = self._tile(word)
        if tile is None:
            raise InvalidAction(self._no_tile(word))
        return tile

    def _no_tile(self, word: str) -> Message:
        most, spec = self.game.pips, self.game.spec
        return say(
            "{text!r} is no tile of {game}: tiles are 0-0 to {most}-{most}", text=word[:40], game=spec, most=most
        )

    # A tile is laid

    def _laid(self, table: _core.DominoesView, tile: int, side: str, mine: bool) -> Step:
        self._check_owner(table, tile, mine)
        sides = self._sides(table, tile)
        if not sides:
            raise ImpossibleEvent("{tile} does not fit: the ends are {ends}", tile=tile_name(tile), ends=_ends(table))
        if not side and len(sides) > 1:
            raise InvalidAction("{tile} fits at both ends: write {tile} left or {tile} right", tile=tile_name(tile))
        at = 0 if side == "left" else 1
        if side and at not in sides:
            if table.ends is None or table.ends[0] == table.ends[1]:
                at = 0  # both ends are the same
            else:
                number = table.ends[at]
                raise ImpossibleEvent("{tile} does not fit there: that end is {number}", tile=tile_name(tile),
                                      number=number)  # fmt: skip
        action = 2 * tile + (at if side else sides[0])
        seen = table.after(action)
        if seen is None or not seen.possible:
            raise ImpossibleEvent(self._why_not_laid(table, tile, mine))
        name = tile_name(tile)
        sentence = say("You played {action}.", action=name) if mine else say(
            "The other player played {action}.", action=name)  # fmt: skip
        return Step(str(self.game.action_name(action)), sentence, seen, action if mine else None)

    def _check_owner(self, table: _core.DominoesView, tile: int, mine: bool) -> None:
        """Raises ImpossibleEvent if the seat on turn cannot have this tile, by what lies open."""
        name = tile_name(tile)
        if any(laid == tile for laid, _, _ in table.line):
            raise ImpossibleEvent("{tile} lies on the table already", tile=name)
        if mine and tile not in table.hand:
            raise ImpossibleEvent("{tile} is not in your hand, and it is your turn", tile=name)
        if not mine and tile in table.hand:
            raise ImpossibleEvent("{tile} is in your hand, and it is the other player's turn", tile=name)

    def _sides(self, table: _core.DominoesView, tile: int) -> list[int]:
        if table.ends is None or table.ends[0] == table.ends[1]:
            return [0] if table.ends is None or table.ends[0] in numbers(tile) else []
        return [side for side, end in enumerate(table.ends) if end in numbers(tile)]

    def _why_not_laid(self, table: _core.DominoesView, tile: int, mine: bool) -> Message:
        """Why a tile that is hidden and fits cannot have been laid."""
        name = tile_name(tile)
        if table.ends is None and mine:
            return say("the highest double begins: you begin with {best}", best=tile_name(table.legal()[0] // 2))
        if table.ends is None:
            best = tile_name(max(table.hand, key=_rank))
            return say("the best tile begins, and your {best} ranks above {tile}", best=best, tile=name)
        return self._why_not_held(table, tile)

    def _why_not_held(self, table: _core.DominoesView, tile: int) -> Message:
        """Why the other player cannot hold a hidden tile."""
        name = tile_name(tile)
        number, event = self._shown_to_lack(table, tile)
        if number is not None:
            return say(
                "the other player has no {number}: it had to draw or pass at event {event}, when {number} was open, so "
                "it cannot have {tile}", number=number, event=event, tile=name,
            )  # fmt: skip
        if self._best_starts and table.line and _rank(tile) > _rank(table.line[0][0]):
            return say("the best tile begins: a player who was dealt {tile} would have begun with it", tile=name)
        return say("after all that you entered, the other player cannot hold {tile}", tile=name)

    def _shown_to_lack(self, table: _core.DominoesView, tile: int) -> tuple[int | None, int]:
        """The last draw or pass of the other player at which this tile would have fitted: number and event."""
        other = 1 - table.seat
        stuck = iter(table.stuck)
        found: tuple[int | None, int] = (None, 0)
        for event, (seat, action) in enumerate(table.log, start=1):
            if action < self.game.draw_action:
                continue
            _, _, left, right = next(stuck)
            for number in (left, right):
                if seat == other and number in numbers(tile):
                    found = number, event
        return found

    # A seat is stuck

    def _drawn(self, table: _core.DominoesView, tile: int | None, mine: bool) -> Step:
        self._check_stuck(table, mine)
        if self.game.variant == "block":
            raise ImpossibleEvent(say("nobody draws in this game: who cannot play passes"))
        if not table.boneyard:
            raise ImpossibleEvent(say("the boneyard is empty, so nobody can draw: who cannot play passes"))
        if not mine and tile is not None:
            raise ImpossibleEvent(say("it is the other player's turn, and you do not see what it draws: write draw"))
        if mine and tile is None:
            raise InvalidAction(say("which tile did you draw? write it, such as draw 5-3"))
        if tile is not None:
            name = tile_name(tile)
            if tile in table.hand:
                raise ImpossibleEvent("{tile} is in your hand already", tile=name)
            if tile not in table.unseen:
                raise ImpossibleEvent("{tile} lies on the table already", tile=name)
        seen = table.after(self.game.draw_action, tile)
        if seen is None or not seen.possible:
            if tile is None:
                raise ImpossibleEvent(self._why_not_stuck(table))
            raise ImpossibleEvent(
                "the other player holds {tile} for certain, so you cannot draw it", tile=tile_name(tile)
            )
        if tile is None:
            return Step("draw", self._stuck_sentence("draw"), seen)
        text, action = tile_name(tile), self.game.draw_action
        return Step(f"draw {text}", say("You drew {tile}.", tile=text), seen, action)

    def _passed(self, table: _core.DominoesView, mine: bool) -> Step:
        self._check_stuck(table, mine)
        if self.game.variant == "draw" and table.boneyard:
            raise ImpossibleEvent(
                say("nobody passes while the boneyard has tiles ({count}): who cannot play draws", count=table.boneyard)
            )
        stuck = not any(self._sides(table, tile) for tile in table.hand)
        if not mine and stuck:
            raise ImpossibleEvent(
                say("you cannot play either, so the round is blocked: write shows and the other player's tiles")
            )
        seen = table.after(self.game.pass_action)
        if seen is None or not seen.possible:
            raise ImpossibleEvent(self._why_not_stuck(table))
        sentence = say("You passed.") if mine else self._stuck_sentence("pass")
        return Step("pass", sentence, seen, self.game.pass_action if mine else None)

    def _stuck_sentence(self, name: str) -> str:
        return self.game.move_sentence(name, THE_OTHER)

    def _check_stuck(self, table: _core.DominoesView, mine: bool) -> None:
        """Raises ImpossibleEvent if the seat on turn can play for all that lies open."""
        if table.ends is None:
            raise ImpossibleEvent(say("no tile lies on the table yet, so any tile can be laid"))
        fits = [tile for tile in table.hand if self._sides(table, tile)] if mine else []
        if fits:
            raise ImpossibleEvent("it is your turn, and your {tile} fits: lay a tile", tile=tile_name(fits[0]))

    def _why_not_stuck(self, table: _core.DominoesView) -> Message:
        count, ends = table.counts[1 - table.seat], _ends(table)
        return say(
            "one of the other player's tiles must fit {ends}: with all that you entered, it cannot hold {count} tiles "
            "without any", ends=ends, count=count,
        )  # fmt: skip

    # Tiles are shown

    def _shown(self, table: _core.DominoesView, tiles: Sequence[int]) -> Step:
        for tile in tiles:
            self._check_owner(table, tile, mine=False)
        count = table.counts[1 - table.seat]
        if len(set(tiles)) != count:
            raise ImpossibleEvent("the other player holds {count} tiles, not {number}", count=count,
                                  number=len(set(tiles)))  # fmt: skip
        if table.turn is not None:
            for tile in (*table.hand, *tiles):
                if self._sides(table, tile) or table.ends is None:
                    raise ImpossibleEvent("the round is not blocked: {tile} still fits", tile=tile_name(tile))
        elif table.revealed and table.revealed[1 - table.seat]:
            raise ImpossibleEvent(say("the other player's tiles are known already"))
        seen = table.reveal(list(tiles))
        if seen is None:
            raise ImpossibleEvent(say("the round is not blocked: a tile can still be drawn"))
        if not seen.possible:
            wrong = next((tile for tile in tiles if as_chance(table.holding_chance([tile])) == 0.0), tiles[0])
            raise ImpossibleEvent(self._why_not_held(table, wrong))
        names = " ".join(map(tile_name, tiles))
        return Step(f"shows {names}", say("The other player showed {tiles}.", tiles=names), seen)

    # What can have happened, and what is hidden

    def choices(self, view: View) -> Sequence[Choice]:
        """Every tile that can be laid, a draw, a pass, or tiles that are shown; see `Observer.choices`."""
        table = expect(view, _core.DominoesView)
        return [*self._acts(table), *self._shows(table)]

    def _acts(self, table: _core.DominoesView) -> Iterator[Choice]:
        if table.turn is None:
            return
        mine = table.turn == table.seat
        tiles = table.hand if mine else table.unseen
        for tile in tiles:
            for side in self._sides(table, tile):
                action = 2 * tile + side
                if self._can_follow(table, action):
                    yield Choice(
                        str(self.game.action_name(action)), self._label(table, action), mine, action, item=tile
                    )
        draw, passes = self.game.draw_action, self.game.pass_action
        if mine and table.legal() == [draw]:
            options = tuple(
                Option(tile_name(tile), tile_name(tile), tile) for tile in table.unseen
                if self._can_follow(table, draw, tile)
            )  # fmt: skip
            yield Choice("draw", DRAW, True, draw, (Detail(say("Which tile did you draw?"), options),))
        elif not mine and self._can_follow(table, draw):
            yield Choice("draw", say("it drew a tile"), False, draw)
        if self._can_follow(table, passes) and (mine or any(self._sides(table, tile) for tile in table.hand)):
            yield Choice("pass", PASS if mine else say("it passed"), mine, passes)

    def _can_follow(self, table: _core.DominoesView, action: Action, drawn: int | None = None) -> bool:
        seen = table.after(action, drawn)
        return seen is not None and seen.possible

    def _label(self, table: _core.DominoesView, action: Action) -> str:
        tile = tile_name(action // 2)
        if len(self._sides(table, action // 2)) < 2:
            return tile
        return say("{tile} on the right", tile=tile) if action % 2 else say("{tile} on the left", tile=tile)

    def _shows(self, table: _core.DominoesView) -> Iterator[Choice]:
        other = 1 - table.seat
        if table.turn is None:
            if not table.counts[other] or (table.revealed and table.revealed[other]):
                return
        elif self.game.variant == "draw" or table.ends is None or any(self._sides(table, tile) for tile in table.hand):
            return
        label = say("the other player shows its tiles") if table.turn is None else say(
            "the round is blocked: the other player shows its tiles")  # fmt: skip
        tiles = [each for each in table.unseen if table.turn is None or not self._sides(table, each)]
        if len(tiles) < table.counts[other]:
            return
        options = tuple(Option(tile_name(tile), tile_name(tile), tile) for tile in tiles)
        detail = Detail(say("Which tiles does it show?"), options, table.counts[other])
        yield Choice("shows", label, False, None, (detail,))

    def belief(self, view: View) -> Belief:
        """The chance of every hidden tile, counted."""
        table = expect(view, _core.DominoesView)
        other = 1 - table.seat
        if table.turn is None:
            known = table.revealed[other] if table.revealed else []
            held = [Holding(tile, tile_name(tile), 1.0, 1.0) for tile in known]
        else:
            chances = {tile: as_chance(table.holding_chance([tile])) for tile in table.unseen}
            ranked = sorted(chances.items(), key=lambda each: (-each[1], each[0]))
            held = [Holding(tile, tile_name(tile), chance, chance) for tile, chance in ranked]
        begun = any(owner is None for _, owner, _ in table.line)
        return Belief(table.counts[other], held, True, BEGUN_ASSUMPTION if begun else ASSUMPTION)

    def items(self) -> Sequence[Option]:
        """All tiles."""
        return tuple(Option(tile_name(tile), tile_name(tile), tile) for tile in range(self.game.num_tiles))

    def places(self, view: View) -> Mapping[int, str]:
        """Your tiles, and those on the table."""
        table = expect(view, _core.DominoesView)
        return {tile: say("yours") for tile in table.hand} | {tile: say("played") for tile, _, _ in table.line}


def _rank(tile: int) -> tuple[int, int, int]:
    """Which tile begins: the highest double, else the heaviest tile."""
    high, low = numbers(tile)
    return (1, high, 0) if high == low else (0, high + low, high)


def _ends(table: _core.DominoesView) -> Message:
    return joined(map(str, sorted(set(table.ends or ()))), say(" and "))
