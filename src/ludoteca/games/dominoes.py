"""Dominoes: lay matching tiles at the ends of one line; whoever has no tile left wins.

Two seats hold ``hand`` tiles each of a double-n set (``pips``: 6 gives 28 tiles), the rest lies face down in
the boneyard. The holder of the best tile starts with it: the highest double, or with no double dealt the
heaviest tile, of two equally heavy ones that with the higher number (with ``start=seat`` seat 0 starts with
any tile). In turn, a seat lays a tile that matches the left or right end. A seat that cannot draws tiles
until one fits, and passes when nothing is left to draw; with ``variant=block`` it passes at once. The round
is over when a seat has no tile, or is blocked as soon as neither seat can play and nothing can be drawn: then
the fewer pips win, or nobody (``blocked=draw``). Both hands are turned up at the end. With ``scoring=points``
the winner gets the loser's pips, divided by those of the heaviest hand that a seat could come to hold, and
the loser gets minus that.

Actions are ``tile·2 + side``, written ``6-4@left`` and ``6-4@right``, then ``draw`` and ``pass``. Tile
(hi, lo) has the index hi·(hi+1)/2 + lo. The first tile is laid on the left, its higher number looking left;
where both ends are equal only the left one is listed; and a tile without a side, ``6-4``, means the left.

The tensor is flat, of T tiles and n = pips + 1 numbers:

=============  =======================================================================================
0              [T] own hand
T              [T] tiles that this seat has laid
2T             [T] tiles that the other seat has laid
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
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from ludoteca import _core
from ludoteca.errors import InvalidAction
from ludoteca.games.described import Described, expect
from ludoteca.games.picture import GRID, HOT, INK, SEATS, Picture, box, warmth
from ludoteca.protocols import Action, Seat, Spot, View
from ludoteca.spec import one_of, within
from ludoteca.words import Language, Words

__all__ = ["Chained", "Dominoes", "chain", "numbers", "tile_of"]

SIDES = ("left", "right")
NOTATION = re.compile(r"(\d)\s*-\s*(\d)\s*(?:@?\s*(l|left|r|right))?")
WORDS = Words(
    title=("Dominoes table", "Mesa de dominó"),
    seat=("seat {seat}", "asiento {seat}"),
    turn=("to play", "juega"),
    boneyard=("boneyard", "pozo"),
    lacks=("lacks {numbers}", "sin {numbers}"),
    empty=("no tile yet", "aún no hay fichas"),
    plan=("plan", "plan"),
    drew=("drew", "robó"),
    passed=("passed", "pasó"),
    wins=("seat {seat} wins", "gana el asiento {seat}"),
    tied=("nobody wins", "nadie gana"),
    blocked=("blocked", "cerrado"),
)


class Chained(NamedTuple):
    """A tile in the line: its numbers from left to right, and who laid it."""

    left: int
    right: int
    tile: int
    seat: Seat


def numbers(tile: int) -> tuple[int, int]:
    """The two numbers of a tile, the higher one first.

    >>> numbers(27)
    (6, 6)
    """
    high = (math.isqrt(8 * tile + 1) - 1) // 2
    return high, tile - high * (high + 1) // 2


def tile_of(one: int, other: int) -> int:
    """The tile with these two numbers, in any order."""
    high, low = max(one, other), min(one, other)
    return high * (high + 1) // 2 + low


def chain(line: Iterable[tuple[int, Seat, int]]) -> list[Chained]:
    """The tiles of `DominoesView.line`, which has them as they were laid, as they lie from left to right."""
    laid: deque[Chained] = deque()
    for tile, seat, side in line:
        high, low = numbers(tile)
        if not laid:
            laid.append(Chained(high, low, tile, seat))
        elif side == 0:
            end = laid[0].left
            laid.appendleft(Chained(high + low - end, end, tile, seat))
        else:
            end = laid[-1].right
            laid.append(Chained(end, high + low - end, tile, seat))
    return list(laid)


class Dominoes(Described, _core.DominoesRules):
    """The rules of two-handed Dominoes with their options."""

    name = "dominoes"
    secrets = True

    def __init__(
        self,
        pips: Annotated[int, "highest number of the set, 3 to 9; double-six has 28 tiles"] = 6,
        hand: Annotated[int, "tiles dealt to each seat, at most half the set; 0: a quarter of the set, at most 7"] = 0,
        variant: Annotated[
            Literal["draw", "block"], "draw: who cannot play draws until a tile fits; block: passes"
        ] = "draw",
        start: Annotated[
            Literal["highest-double", "seat"],
            "highest-double: its holder starts with it, or with the heaviest tile; seat: seat 0, any tile",
        ] = "highest-double",
        blocked: Annotated[
            Literal["pips", "draw"], "a blocked round goes to the fewer pips in hand, or to nobody"
        ] = "pips",
        scoring: Annotated[
            Literal["result", "points"], "returns are 1 and -1, or the loser's pips scaled to [-1, 1]"
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
        self.pips, self.hand, self.variant, self.start = pips, hand or usual, variant, start
        super().__init__(
            pips,
            self.hand,
            variant == "draw",
            start == "highest-double",
            blocked == "pips",
            scoring == "points",
        )
        self.draw_action, self.pass_action = 2 * tiles, 2 * tiles + 1
        self._remember(
            pips=pips,
            hand=0 if hand == usual else hand,
            variant=variant,
            start=start,
            blocked=blocked,
            scoring=scoring,
        )

    def action_name(self, action: Action) -> str:
        """``6-4@left``, ``6-4@right``, ``draw`` or ``pass``; a tile's higher number comes first."""
        self._check_range(action)
        if action >= self.draw_action:
            return "draw" if action == self.draw_action else "pass"
        return f"{_name(action // 2)}@{SIDES[action % 2]}"

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
                f"{text!r} is no action of {self.spec}: actions are like 3-1@left or 3-1@right, draw and pass"
            )
        one, other = int(found[1]), int(found[2])
        if max(one, other) > self.pips:
            raise InvalidAction(f"{text!r} is no tile of {self.spec}: tiles are 0-0 to {self.pips}-{self.pips}")
        return 2 * tile_of(one, other) + ((found[3] or "l")[0] == "r")

    def text(self, view: View, *, language: Language = "en") -> str:
        """The other seat's tiles face down, the line with its two ends, the own hand."""
        table = expect(view, _core.DominoesView)
        other = 1 - table.seat
        shown = table.revealed
        theirs = (" ".join(map(_name, shown[other])) or "–") if shown else "▒" * table.counts[other]
        laid = [f"[{each.left}|{each.right}]" for each in chain(table.line)]
        rows = ["".join(laid[at : at + 16]) for at in range(0, len(laid), 16)]
        if table.ends:
            rows[0] = f"{table.ends[0]} {rows[0]}"
            rows[-1] += f" {table.ends[1]}"
        boneyard = f"{WORDS('boneyard', language)}: {table.boneyard}"
        return "\n".join(
            [
                f"{self._caption(table, other, language)}: {theirs}",
                *(rows or [WORDS("empty", language)]),
                f"{self._caption(table, table.seat, language)}: {' '.join(map(_name, table.hand)) or '–'}",
                f"{boneyard} · {result}" if (result := self._result(table, language)) else boneyard,
            ]
        )

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """The table as SVG; see `Drawable.svg`. What is hidden lies face down."""
        table = expect(view, _core.DominoesView)
        return self._draw(table, heat, table.last if last is None else last, line, language).svg()

    def spots(self, view: View) -> list[Spot]:
        """The own tiles and the boneyard; see `Clickable.spots`. A pass has no place.

        A tile that fits both ends has two spots, its left half for the left end. Any other is one spot: for its one
        legal action, or for the left end, where it is not legal.
        """
        table = expect(view, _core.DominoesView)
        _, bottom, _ = self._rows(table)
        legal = set(table.legal())
        spots = []
        for at, tile in enumerate(table.hand):
            x, y = _hand_place(at, bottom)
            x, width = x - (STEP - UNIT) / 2, STEP
            sides = [side for side in (0, 1) if 2 * tile + side in legal]
            for part, side in enumerate(sides or [0]):
                share = width / max(1, len(sides))
                spots.append(Spot(2 * tile + side, box(x + part * share, y - 8, share, 2 * UNIT + 30)))
        if table.boneyard:
            left = WIDTH - MARGIN - UNIT - (table.boneyard - 1) * _boneyard_step(table)
            spots.append(Spot(self.draw_action, box(left - 4, 40, WIDTH - MARGIN - left + 8, 2 * UNIT + 8)))
        return spots

    def _rows(self, table: _core.DominoesView) -> tuple[float, float, float]:
        """In the picture: the middle of the line, the top of the hand, the end of everything."""
        placed = list(_places(table.line))
        # Room for the line to turn once or twice either way, and more when it needs it.
        usual = (2 if self.num_tiles > 28 else 1) * PITCH + UNIT
        above = max([usual, *(-place.y for place in placed)])
        below = max([usual, *(place.y + place.height for place in placed)])
        middle, bottom = 118 + above, 180 + above + below
        return middle, bottom, bottom + max(1, math.ceil(len(table.hand) / PER_ROW)) * ROW

    def _caption(self, table: _core.DominoesView, seat: Seat, language: Language) -> str:
        """Who it is, how many tiles, what it lacks, whether it is on turn or what it did last."""
        parts = [f"{WORDS('seat', language, seat=seat)} ({table.counts[seat]})"]
        if table.lacks[seat]:
            parts.append(WORDS("lacks", language, numbers=" ".join(map(str, table.lacks[seat]))))
        if table.log and table.log[-1] in ((seat, self.draw_action), (seat, self.pass_action)):
            parts.append(WORDS("drew" if table.last == self.draw_action else "passed", language))
        if table.turn == seat:
            parts.append(WORDS("turn", language))
        return " · ".join(parts)

    def _result(self, table: _core.DominoesView, language: Language) -> str:
        if table.turn is not None:
            return ""
        winner = table.winner
        result = WORDS("tied", language) if winner is None else WORDS("wins", language, seat=winner)
        return f"{WORDS('blocked', language)} · {result}" if 0 not in table.counts else result

    def _draw(
        self,
        table: _core.DominoesView,
        heat: Mapping[Action, float] | None,
        last: Action | None,
        plan: Sequence[Action],
        language: Language,
    ) -> Picture:
        placed = list(_places(table.line))
        middle, bottom, height = self._rows(table)
        picture = Picture(WIDTH, height, title=WORDS("title", language))
        self._draw_hidden(picture, table, heat is not None and self.draw_action in heat, language)
        for place in placed:
            marked = last is not None and place.tile == last // 2
            x, y, edge = WIDTH / 2 + place.x, middle + place.y, SEATS[place.seat]
            _tile(picture, x, y, place.shown, edge, across=place.across, bold=marked)
        if not placed:
            picture.label(WIDTH / 2, middle, WORDS("empty", language), size=18)
        _say(picture, bottom - 20, self._caption(table, table.seat, language), SEATS[table.seat])
        names = "  ".join(f"{n} {self.action_name(action)}" for n, action in enumerate(plan[:6], 1))
        news = f"{WORDS('plan', language)}: {names}" if plan else self._result(table, language)
        _say(picture, bottom - 20, news, INK, end=True)
        warm = warmth(heat)
        for at, tile in enumerate(table.hand):
            x, y = _hand_place(at, bottom)
            _tile(picture, x, y, numbers(tile), SEATS[table.seat])
            for side in (0, 1):
                if 2 * tile + side in warm:
                    _arrow(picture, x + UNIT / 2, y + 2 * UNIT + 10, 2 * side - 1, warm[2 * tile + side])
            if orders := [n for n, action in enumerate(plan, 1) if action // 2 == tile]:
                picture.add("circle", cx=x + UNIT / 2, cy=y, r=9, fill=FACE, stroke=INK)
                picture.label(x + UNIT / 2, y, str(orders[0]), size=12, font_weight="bold")
        return picture

    def _draw_hidden(self, picture: Picture, table: _core.DominoesView, chosen: bool, language: Language) -> None:
        """On top: the other seat's hand, face down until the end, and the boneyard."""
        other = 1 - table.seat
        _say(picture, 26, self._caption(table, other, language), SEATS[other])
        hand: Sequence[int | None] = table.revealed[other] if table.revealed else [None] * table.counts[other]
        step = min(STEP, 0.5 * WIDTH / max(1, len(hand)))
        for at, tile in enumerate(hand):
            _tile(picture, MARGIN + at * step, 44, None if tile is None else numbers(tile), SEATS[other])
        _say(picture, 26, f"{WORDS('boneyard', language)} ({table.boneyard})", INK, end=True)
        for at in range(table.boneyard):
            _tile(picture, WIDTH - MARGIN - UNIT - at * _boneyard_step(table), 44, None, HOT if chosen else GRID)


UNIT, GAP, MARGIN, WIDTH = 24.0, 3.0, 28.0, 760.0
"""Half a tile, between two tiles, around everything, the whole picture."""
PITCH = 2 * UNIT + GAP
"""From one row of the line to the next: a tile across, and a gap."""
STEP, ROW = UNIT + 8, 2 * UNIT + 30
PER_ROW = int((WIDTH - 2 * MARGIN) / STEP)
"""The hand: from tile to tile and from row to row, and how many lie in one."""
FACE, BACK = "#fffdf8", "#d9cfbb"
CELLS = ("", "4", "08", "048", "0268", "02468", "035268", "0352684", "03526817", "012345678")
PIPS = [[(int(cell) % 3 - 1, int(cell) // 3 - 1) for cell in cells] for cells in CELLS]
"""Where a number has its pips, in thirds of half an upright tile, from its middle."""


class Place(NamedTuple):
    """Where a tile of the line lies, from the middle of the first one, and its numbers as it lies there."""

    x: float
    y: float
    across: bool
    shown: tuple[int, int]
    tile: int
    seat: Seat

    @property
    def width(self) -> float:
        return 2 * UNIT if self.across else UNIT

    @property
    def height(self) -> float:
        return 3 * UNIT - self.width

    def turned(self) -> Place:
        """By half a turn around the middle of the first tile."""
        x, y = -self.x - self.width, -self.y - self.height
        return self._replace(x=x, y=y, shown=(self.shown[1], self.shown[0]))


def _name(tile: int) -> str:
    return "{}-{}".format(*numbers(tile))


def _hand_place(at: int, bottom: float) -> tuple[float, float]:
    """The corner of the tile that comes at this place in the hand."""
    return MARGIN + at % PER_ROW * STEP, bottom + at // PER_ROW * ROW


def _boneyard_step(table: _core.DominoesView) -> float:
    """From one tile of the boneyard to the next."""
    return min(14.0, 0.3 * WIDTH / max(1, table.boneyard))


def _places(line: Sequence[tuple[int, Seat, int]]) -> Iterator[Place]:
    """The line from its first tile: the right arm turns down at the margin, the left one turns up."""
    if not line:
        return
    laid = chain(line)
    at = [each.tile for each in laid].index(line[0][0])
    first = laid[at]
    half = UNIT / 2 if first.left == first.right else UNIT
    yield Place(-half, half - 1.5 * UNIT, half == UNIT, (first.left, first.right), first.tile, first.seat)
    yield from _arm(laid[at + 1 :], half + GAP)
    left = [each._replace(left=each.right, right=each.left) for each in reversed(laid[:at])]
    yield from (place.turned() for place in _arm(left, half + GAP))


def _arm(tiles: Sequence[Chained], x: float) -> Iterator[Place]:
    """Rows to the right and to the left in turn; doubles lie crosswise, except where a row starts.

    ::

        ──────────┐    A tile that would leave no room for another stands at the corner,
        ──────────┘    and the next row starts below it.
    """
    row, way, fresh = 0.0, 1, False
    for left, right, tile, seat in tiles:
        across = fresh or left != right
        length = 2 * UNIT if across else UNIT
        corner = way * x + length + GAP + UNIT > WIDTH / 2 - MARGIN
        if corner:
            across, length = False, UNIT
        shown = (left, right) if way > 0 or corner else (right, left)
        top = row - (UNIT / 2 if across or corner else UNIT)
        yield Place(x if way > 0 else x - length, top, across, shown, tile, seat)
        if corner:
            x, row, way, fresh = x + way * UNIT, row + PITCH, -way, True
        else:
            x, fresh = x + way * (length + GAP), False


def _say(picture: Picture, y: float, text: str, colour: str, *, end: bool = False) -> None:
    x, anchor = (WIDTH - MARGIN, "end") if end else (MARGIN, "start")
    picture.label(x, y, text, size=14, text_anchor=anchor, fill=colour, font_weight="bold")


def _arrow(picture: Picture, x: float, y: float, way: int, warm: float) -> None:
    """Below a tile of the hand: how good it is on that side."""
    points = " ".join(f"{x + way * dx:.1f},{y + dy:.1f}" for dx, dy in ((12, 0), (2, -6), (2, 6)))
    picture.add("polygon", points=points, fill=HOT, fill_opacity=0.1 + 0.9 * warm, stroke=INK)


def _tile(
    picture: Picture,
    x: float,
    y: float,
    shown: tuple[int, int] | None,
    edge: str,
    *,
    across: bool = False,
    bold: bool = False,
) -> None:
    """A tile with its top left corner at (x, y), upright or across; face down when nothing is shown."""
    dx, dy = (UNIT, 0.0) if across else (0.0, UNIT)
    frame = {"fill": FACE if shown else BACK, "stroke": edge, "stroke_width": 4 if bold else 1.8}
    picture.add("rect", x=x, y=y, width=UNIT + dx, height=UNIT + dy, rx=4, **frame)
    if shown is None:
        return
    (x1, x2), (y1, y2) = ((d, d) if d else (4, UNIT - 4) for d in (dx, dy))
    picture.add("line", x1=x + x1, y1=y + y1, x2=x + x2, y2=y + y2, stroke=GRID, stroke_width=1.5)
    for half, number in enumerate(shown):
        for a, b in PIPS[number]:
            column, row = (b, a) if across else (a, b)  # a tile laid across is turned with its pips
            cx, cy = x + UNIT / 2 + half * dx, y + UNIT / 2 + half * dy
            picture.add("circle", cx=cx + column * 6, cy=cy + row * 6, r=2.3, fill=INK)
