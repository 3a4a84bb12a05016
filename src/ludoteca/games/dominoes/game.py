"""Dominoes: play matching tiles at the ends of one line; the first seat without tiles wins.

Two seats hold ``hand`` tiles each of a double-n set (``pips``: 6 gives 28 tiles); the rest lies face down in
the boneyard. The holder of the best tile starts with it: the highest double, or without any double the
heaviest tile, of two equally heavy ones the one with the higher number. (With ``start=seat`` seat 0 starts with
any tile.) In turn, a seat plays a tile that matches the left or right end. A seat that cannot play draws tiles
until one fits, and passes when nothing is left to draw; with ``variant=block`` it passes at once. The round
is over when a seat has no tiles. It is blocked as soon as neither seat can play and nothing can be drawn: then
fewer pips win, or it is a draw (``blocked=draw``). Both hands are shown at the end. With ``scoring=points``
the winner gets the loser's pips, divided by those of the heaviest possible hand, and the loser gets minus that.

A position set up by hand is written ``line: 6-6 6-4 4-1; 0: 5-5 3-1; 1: 4; turn: 1``: the line from left to right,
each hand as its tiles or as a number that the seed draws (by default ``hand``), and who is on turn (by default
seat 0). The rest is the boneyard. The tiles of the line belong to no seat; without a line, the seat on turn begins
with any tile.

Actions are ``tile·2 + side``, written ``6-4@left`` and ``6-4@right``, then ``draw`` and ``pass``. Tile
(hi, lo) has the index hi·(hi+1)/2 + lo. The first tile is laid on the left, its higher number on the left;
where both ends are equal only the left one is listed; and a tile without a side, ``6-4``, means the left.

The tensor is flat, of T tiles and n = pips + 1 numbers:

=============  =======================================================================================
0              [T] own hand
T              [T] tiles that this seat has laid
2T             [T] tiles that the other seat has laid, and those of a line set up by hand
3T             [n] the left end, one hot; zeros before the first tile
3T + n         [n] the right end, likewise
3T + 2n        [n] numbers that the other seat has shown to lack; only a tile just drawn may have them
3T + 3n        [n] numbers that this seat has shown to lack, likewise
3T + 4n        own tiles / T, then at + 1 the other seat's tiles / T, at + 2 the boneyard's / T
3T + 4n + 3    1 on this seat's turn
3T + 4n + 4    1 if the last action was a draw by the other seat, at + 5 by this seat
=============  =======================================================================================
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidOption, InvalidPosition
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.games.deals import Deals, distinct_deals
from ludoteca.games.display import show_types
from ludoteca.games.dominoes.cover import cover
from ludoteca.games.dominoes.guide import GUIDE
from ludoteca.games.dominoes.lesson import EXERCISE, FIGURES
from ludoteca.games.dominoes.observed import DominoesObserver
from ludoteca.games.dominoes.picture import NARROW, WIDE, Caption, DominoesPicture
from ludoteca.games.dominoes.public_picture import PublicTable, draw_public
from ludoteca.games.dominoes.reason_marks import draw_marks
from ludoteca.games.dominoes.tiles import Numbers, chain, lined_up, numbers, tile_name, tile_of, tile_svg
from ludoteca.games.picture import Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.games.start_notation import drawn_for_seats, read_number, read_start, write_start
from ludoteca.messages import Message, joined, say, say_as, translate
from ludoteca.protocols import Action, ClickArea, Decision, Seat, View
from ludoteca.spec import Label, one_of, within

SIDES = ("left", "right")
NOTATION = re.compile(r"(\d)\s*-\s*(\d)\s*(?:@?\s*(l|left|r|right))?")
PAIR = re.compile(r"(\d)-(\d)", re.ASCII)
DRAW, PASS = say_as("action", "draw"), say_as("action", "pass")


class Dominoes(CoreGame, _core.DominoesRules):
    """The rules of two-handed Dominoes with their options."""

    name = "dominoes"
    title = say("Dominoes")
    tensor_range = (0.0, 1.0)
    zero_sum = True
    can_end_in_draw = True
    hidden_information = True
    summary = say("Lay matching tiles; get rid of yours first.")
    rules_text = say(
        "In turn lay a tile that matches the left or the right end of the line.\n\nIf none of yours fits, you draw "
        "from the boneyard until one does, and pass when nothing is left.\n\nThe first player without tiles wins. "
        "When neither can go on, fewer pips win. You see your own tiles, not the other player's."
    )
    figures = FIGURES
    exercise = EXERCISE
    guide = GUIDE
    cover = staticmethod(cover)
    side_choices: ClassVar[Mapping[str, str]] = {
        "chance": say("the highest double begins"),
        "0": say("you begin, with any tile"),
        "1": say("your opponent begins, with any tile"),
    }
    options_by_side: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "start": {"chance": "highest-double", "0": "seat", "1": "seat"}
    }
    narrow_layout = True

    def __init__(
        self,
        pips: Annotated[
            int, Label(say("highest number"), say("highest number of the set, 3 to 9; double-six has 28 tiles"))
        ] = 6,
        hand: Annotated[
            int,
            Label(
                say("tiles per hand"),
                say("tiles dealt to each seat, at most half the set; 0: a quarter of the set, at most 7"),
            ),
        ] = 0,
        variant: Annotated[
            Literal["draw", "block"],
            Label(
                say("when nothing fits"),
                say("draw: a seat that cannot play draws until a tile fits; block: it passes"),
                {"draw": say("draw until a tile fits"), "block": say("pass")},
            ),
        ] = "draw",
        start: Annotated[
            Literal["highest-double", "seat"],
            Label(
                say("who starts"),
                say("highest-double: its holder starts with it, or with the heaviest tile; seat: seat 0, any tile"),
                {"highest-double": say("the highest double"), "seat": say("the first player, with any tile")},
            ),
        ] = "highest-double",
        blocked: Annotated[
            Literal["pips", "draw"],
            Label(
                say("a blocked round"),
                say("a blocked round is won by fewer pips in hand, or is a draw"),
                {"pips": say("fewer pips win"), "draw": say("it is a draw")},
            ),
        ] = "pips",
        scoring: Annotated[
            Literal["result", "points"],
            Label(
                say("what counts"),
                say("returns are 1 and -1, or the loser's pips scaled to [-1, 1]"),
                {"result": say("who wins"), "points": say("the loser's pips")},
            ),
        ] = "result",
    ) -> None:
        within("dominoes", "pips", pips, 3, 9)
        tiles = tile_of(pips, pips) + 1
        within(f"dominoes:pips={pips}", "hand", hand, 0, tiles // 2)
        one_of("dominoes", "variant", variant, ("draw", "block"))
        one_of("dominoes", "start", start, ("highest-double", "seat"))
        one_of("dominoes", "blocked", blocked, ("pips", "draw"))
        one_of("dominoes", "scoring", scoring, ("result", "points"))
        usual = min(7, tiles // 4)
        self.pips, self.hand, self.variant = pips, hand or usual, variant
        super().__init__(
            pips, self.hand, variant == "draw", start == "highest-double", blocked == "pips", scoring == "points"
        )
        self.draw_action, self.pass_action = 2 * tiles, 2 * tiles + 1
        self.stake = float(self.points_scale) if scoring == "points" else None
        self._remember(
            pips=pips,
            hand=0 if hand == usual else hand,
            variant=variant,
            start=start,
            blocked=blocked,
            scoring=scoring,
        )

    def deals(self) -> Deals:
        """Every pair of hands; see `GameDetails.deals`. Of a boneyard to draw from, every order would be a deal."""
        if self.variant != "block" and self.num_tiles > 2 * self.hand:
            raise InvalidOption("{game} has too many deals to list; use variant=block", game=self.spec)
        pairs = math.comb(self.num_tiles, self.hand) * math.comb(self.num_tiles - self.hand, self.hand)
        return distinct_deals(self, pairs)

    def aim(self, seat: Seat) -> str:
        """No tiles."""
        return say("be the first without tiles")

    def action_name(self, action: Action) -> str:
        """``6-4@left``, ``6-4@right``, ``draw`` or ``pass``; a tile's higher number comes first."""
        self._check_range(action)
        if action >= self.draw_action:
            return DRAW if action == self.draw_action else PASS
        return f"{tile_name(action // 2)}@{SIDES[action % 2]}"

    def parse_action(self, text: str) -> Action:
        """The action that `text` names; also ``4-6@l``, ``6-4 right``, and ``6-4`` for the left side.

        Raises InvalidAction.
        """
        word = text.strip().lower()
        if word in ("draw", "pass"):
            return self.draw_action if word == "draw" else self.pass_action
        found = NOTATION.fullmatch(word) if word.isascii() else None
        if not found:
            raise InvalidAction(
                "{text!r} is no action of {game}: actions are like 3-1@left or 3-1@right, draw and pass",
                text=text,
                game=self.spec,
            )
        one, other = int(found[1]), int(found[2])
        if max(one, other) > self.pips:
            raise InvalidAction(self._no_tile(text))
        return 2 * tile_of(one, other) + ((found[3] or "l")[0] == "r")

    def _no_tile(self, text: str) -> Message:
        return say(
            "{text!r} is no tile of {game}: tiles are 0-0 to {most}-{most}", text=text, game=self.spec, most=self.pips
        )

    @staticmethod
    def start(
        *,
        line: Iterable[Numbers] = (),
        hands: tuple[Iterable[Numbers] | int | None, Iterable[Numbers] | int | None] = (None, None),
        turn: Seat = 0,
    ) -> str:
        """The text that `deal_from` reads. A hand is its tiles, a number of tiles to draw, or None for a usual deal.

        >>> Dominoes.start(line=[(6, 6), (6, 4)], hands=([(5, 5), (3, 1)], 4), turn=1)
        'line: 6-6 6-4; 0: 5-5 3-1; 1: 4; turn: 1'
        """
        parts = {"line": [f"{left}-{right}" for left, right in line]}
        if not parts["line"]:
            del parts["line"]
        for seat, hand in enumerate(hands):
            if isinstance(hand, int):
                parts[str(seat)] = [str(hand)]
            elif hand is not None:
                parts[str(seat)] = [f"{one}-{other}" for one, other in hand]
        return write_start(parts | {"turn": [str(turn)]})

    def deal_from(self, start: str, seed: int) -> _core.DominoesState:
        """A position set up by hand, in the notation of this module; see `CustomStart.deal_from`."""
        parts = read_start(start, ("line", "0", "1", "turn"))
        where: dict[int, str] = {}
        laid = lined_up(self._read_tiles("line", parts.get("line", []), where))
        hands: tuple[list[int], list[int]] = ([], [])
        more = [0, 0]
        for seat, hand in enumerate(hands):
            words = parts.get(str(seat), [str(self.hand)])
            if len(words) == 1 and words[0].isdigit():
                more[seat] = read_number({str(seat): words}, str(seat), 0, self.num_tiles, least=1)
            elif words:
                hand += [tile_of(*pair) for pair in self._read_tiles(str(seat), words, where)]
            else:
                raise InvalidPosition(
                    "the hand of seat {seat} is empty: it needs at least one tile, or a number", seat=seat
                )
        left = self.num_tiles - len(where)
        if sum(more) > left:
            raise InvalidPosition(
                "the start draws {wanted}, but only {left} of {total} tiles are left",
                wanted=drawn_for_seats(more),
                left=left,
                total=self.num_tiles,
            )
        turn = read_number(parts, "turn", 0, 1)
        state = self.arrange_tiles(laid, hands, (more[0], more[1]), turn, seed)
        if state.turn is None:
            ends = _alternatives(sorted(set(state.view(0).ends or ())))
            why = say("no tile of the hands fits {ends}, and none can be drawn", ends=ends)
            if any(more):
                raise InvalidPosition("neither seat can play with seed {seed}: {why}", seed=seed, why=why)
            raise InvalidPosition("neither seat can play: {why}", why=why)
        return state

    def _read_tiles(self, part: str, words: Sequence[str], where: dict[int, str]) -> list[Numbers]:
        """Reads tiles; adds to `where` the part of each one. Raises InvalidPosition."""
        pairs = []
        for word in words:
            found = PAIR.fullmatch(word)
            if not found or max(pair := (int(found[1]), int(found[2]))) > self.pips:
                raise InvalidPosition(joined([part, self._no_tile(word[:40])], ": "))
            tile = tile_of(*pair)
            if tile in where:
                one, other = _part(where[tile]), _part(part)
                both = one if where[tile] == part else say("{one} and in {other}", one=one, other=other)
                raise InvalidPosition("{tile} is there twice: in {places}", tile=tile_name(tile), places=both)
            where[tile] = part
            pairs.append(pair)
        return pairs

    def text(self, view: View, *, language: Language = "en") -> str:
        """The other seat's tiles face down, the line with its two ends, this seat's hand."""
        table = expect(view, _core.DominoesView)
        other = 1 - table.seat
        shown = table.revealed
        theirs = (" ".join(map(tile_name, shown[other])) or "–") if shown else "▒" * table.counts[other]
        laid = [f"[{each.left}|{each.right}]" for each in chain(table.line)]
        rows = ["".join(laid[at : at + 16]) for at in range(0, len(laid), 16)]
        if table.ends:
            rows[0] = f"{table.ends[0]} {rows[0]}"
            rows[-1] += f" {table.ends[1]}"
        # Translators: the tiles that nobody holds and that players draw from
        boneyard = say("boneyard: {count}", count=table.boneyard)
        lines = [
            joined([self._captioned(table, other), theirs], ": "),
            *(rows or [say("no tile yet")]),
            joined([self._captioned(table, table.seat), " ".join(map(tile_name, table.hand)) or "–"], ": "),
            joined([boneyard, *self._result(table)], " · "),
        ]
        if table.turn == table.seat and table.legal()[0] >= self.draw_action:
            lines.append(self._stuck(table))
        return "\n".join(translate(each, language) for each in lines)

    def text_styles(self, language: Language) -> Sequence[tuple[str, str]]:
        """Tiles bold, hidden ones dim."""
        return [(r"\[\d\|\d\]|\b\d-\d\b", "bold"), ("▒+", "dim")]

    def end_reasons(self, view: View) -> Sequence[str]:
        """The last tile, or the pips of a blocked round."""
        table = expect(view, _core.DominoesView)
        if table.winner is not None and table.counts[table.winner] == 0:
            return [say("{side} has played its last tile.", side=self.side(table.winner))]
        left = [sum(sum(numbers(tile)) for tile in hand) for hand in table.revealed or ((), ())]
        one, other = self.side(0), self.side(1)
        if table.winner is None:
            return [say("Neither can go on, so it is a draw: {one} holds {pips} pips, {other} {more}.",
                        one=one, pips=left[0], other=other, more=left[1])]  # fmt: skip
        return [say("Neither can go on, and fewer pips win: {one} holds {pips}, {other} {more}.",
                    one=one, pips=left[0], other=other, more=left[1])]  # fmt: skip

    def task(self, view: View) -> str:
        """What to do now, and why nothing else is possible; see `GameDetails.task`."""
        table = expect(view, _core.DominoesView)
        if table.ends is None:
            return say("lay a tile")
        ends = _alternatives(sorted(set(table.ends)))
        names = {self.action_name(action) for action in table.legal()}
        if names == {"draw"}:
            return say("draw a tile, for none of yours fits {ends}", ends=ends)
        if names == {"pass"}:
            return say("pass, for none of your tiles fits {ends} and none is left to draw", ends=ends)
        return say("lay a tile that fits {ends}", ends=ends)

    def move_sentence(self, name: str, who: str) -> str:
        """A move as a sentence; see `GameDetails.move_sentence`."""
        match name:
            case "draw":
                return say("{who} drew a tile.", who=who) if who else say("You drew a tile.")
            case "pass":
                return say("{who} passed.", who=who) if who else say("You passed.")
        return ""

    def hand_text(self, view: View) -> str:
        """The tiles of the hand."""
        return " ".join(map(tile_name, expect(view, _core.DominoesView).hand)) or say("no tile")

    def piece_svg(self, piece: int) -> str:
        """A tile, lying across."""
        return tile_svg(piece)

    def public_svg(self, view: View, *, narrow: bool = False, language: Language = "en") -> str:
        """The table without its hands."""
        table = expect(view, _core.DominoesView)
        return draw_public(PublicTable(table.line, table.counts, table.boneyard), narrow=narrow, language=language)

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
        """The table as SVG; see `Drawable.svg` and `NarrowLayout`. What is hidden lies face down."""
        table = expect(view, _core.DominoesView)
        laid = DominoesPicture(table, NARROW if narrow else WIDE, self.num_tiles)
        picture = Picture(laid.layout.width, laid.height, title=say("Dominoes table"), language=language)
        captions = [Caption(*self._caption(table, seat)) for seat in (0, 1)]
        marked = table.last if last is None else last
        laid.draw(picture, captions, self._news(table), marked, line, self.draw_action)
        laid.warm(picture, heat, self.draw_action)
        return picture.svg()

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """Frames, and the chances of hidden tiles; see `GameDetails.reason_marks`. A pass has no place."""
        laid = DominoesPicture(expect(view, _core.DominoesView), NARROW if narrow else WIDE, self.num_tiles)
        picture = Picture(laid.layout.width, laid.height, language=language)
        draw_marks(picture, laid, decision, self.draw_action)
        return picture.inside()

    def click_areas(self, view: View, *, narrow: bool = False) -> list[ClickArea]:
        """The tiles of the hand and the boneyard; see `DominoesPicture.click_areas`. A pass has no area."""
        laid = DominoesPicture(expect(view, _core.DominoesView), NARROW if narrow else WIDE, self.num_tiles)
        return laid.click_areas(self.draw_action)

    def area_name(self, view: View, action: Action) -> str:
        """A tile of the hand and where it would go, or the boneyard with its number of tiles."""
        table = expect(view, _core.DominoesView)
        if action == self.draw_action:
            return joined([DRAW, say("boneyard ({count})", count=table.boneyard)])
        tile = tile_name(action // 2)
        if action not in table.legal():
            return say("{tile}, fits nowhere", tile=tile) if table.turn == table.seat else tile
        if not table.line:
            return tile
        return say("{tile}, to the right end", tile=tile) if action % 2 else say("{tile}, to the left end", tile=tile)

    def observer(self) -> DominoesObserver:
        """How it is followed at a real table."""
        return DominoesObserver(self)

    def _caption(self, table: _core.DominoesView, seat: Seat) -> tuple[Message, Message | None]:
        """Side, number of tiles, turn or last action; and the numbers that it cannot have."""
        parts = [say("{side} ({count})", side=COLOURS[seat], count=table.counts[seat])]
        if table.log and table.log[-1] in ((seat, self.draw_action), (seat, self.pass_action)):
            parts.append(say("drew") if table.last == self.draw_action else say("passed"))
        if table.turn == seat:
            parts.append(say("to play"))
        lacks = table.lacks[seat]
        missing = say("has no {numbers}", numbers=_alternatives(lacks)) if lacks else None
        return joined(parts, " · "), missing

    def _captioned(self, table: _core.DominoesView, seat: Seat) -> Message:
        """The whole caption in one line."""
        return joined((part for part in self._caption(table, seat) if part is not None), " · ")

    def _news(self, table: _core.DominoesView) -> Message:
        """What this seat does now and why, what the other does, or how the round ended."""
        if table.turn is None:
            return joined(self._result(table), " · ")
        if table.turn != table.seat:
            return say("It is {side}'s turn.", side=COLOURS[table.turn])
        legal = table.legal()
        if legal[0] >= self.draw_action:
            return self._stuck(table)
        if not table.line:
            return (
                say("Begin with {tile}: the best tile starts.", tile=tile_name(legal[0] // 2))
                if len(legal) == 1
                else say("Begin with any tile.")
            )
        ends = sorted({(table.ends or ())[action % 2] for action in legal})
        if len(ends) == 1:
            return say("Lay a lit tile: it shows {one}.", one=ends[0])
        return say("Lay a lit tile: it shows {one} or {two}.", one=ends[0], two=ends[1])

    def _stuck(self, table: _core.DominoesView) -> Message:
        """Why this seat has to draw or to pass."""
        one, two = min(table.ends or (0,)), max(table.ends or (0,))
        none = say("You have no {one}", one=one) if one == two else say("You have no {one} or {two}", one=one, two=two)
        if table.legal() == [self.draw_action]:
            return say("{none}: draw.", none=none)
        if self.variant == "draw":
            return say("{none}, and nothing is left to draw: pass.", none=none)
        return say("{none}: pass.", none=none)

    def _result(self, table: _core.DominoesView) -> list[Message]:
        """How the round ended; empty before its end."""
        if table.turn is not None:
            return []
        winner = table.winner
        result = say("a draw") if winner is None else say("{side} wins", side=COLOURS[winner])
        # Translators: the round is over because no tile fits
        return [say("blocked"), result] if 0 not in table.counts else [result]


def _alternatives(numbers: Sequence[int]) -> Message:
    """``4``, ``4 or 6``, ``1, 4 or 6``."""
    *others, last = map(str, numbers)
    return joined([joined(others), last], say(" or ")) if others else joined([last])


def _part(key: str) -> Message:
    return say("the line") if key == "line" else say("the hand of seat {seat}", seat=key)


show_types(_core.DominoesState, _core.DominoesView)
