"""The case-based player of the seed document dominoes-tumbafichas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.reasons import with_reasons
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers, tile_of
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Reason, Seat, View
from ludoteca.spec import Label, one_of, within

MAX_DEPTH = 8
OUT = 100.0
"""The value of going out, more than any score of a number."""
STUCK = -1.0
"""The value where no own tile fits, less than any score of a number."""


class Cases:
    """Decides by cases, two plies deep: which end to play at, then which number to leave open there.

    It plays at the end whose number fewer of its tiles have. ``reading=document`` is the document's player, corrected
    only as far as it needs to play: it leaves the number that the opponent most likely holds, although a comment calls
    that the worst play; it ignores doubles; a tile that fits both ends covers the likelier number; and if it finds
    nothing, or the opponent cannot hold a tile for that end, it lays the first tile at the other end. Scores are the
    expected number of the opponent's tiles with the number that is left.

    ``reading=ours`` reverses that: it leaves the number that most of its remaining tiles have and, of equal ones, the
    one that the opponent is least likely to hold. If the opponent cannot hold a tile for the weaker end, it keeps that
    end and plays in the same way at the other one. Its scores, for each way to play at the chosen end:

        own remaining tiles with the number − expected tiles of the opponent with it / (tiles of the opponent + 1)

    An unseen tile is in the opponent's hand with probability 0 if it has a number that the opponent has shown to lack,
    else with probability tiles of the opponent / all such tiles.

    ``depth`` looks further ahead than the document's two plies, as it wished. A reply is any tile that the opponent may
    hold, at any end where it fits; then the cases choose again. ``document`` counts the worst reply, ``ours`` the mean
    of all. Going out is worth 100, the opponent's going out −100.
    """

    games = frozenset({"dominoes"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        reading: Annotated[
            Literal["document", "ours"],
            Label(
                say("reading of the document"),
                say("document: leaves the number that the opponent likely has; ours: the one that most own tiles have"),
                {"document": say("as it is written"), "ours": say("our own, reversed")},
            ),
        ] = "document",
        depth: Annotated[
            int, Label(say("plies ahead"), say("plies to look ahead, 2 to 8; the document has 2 and wished for more"))
        ] = 2,
    ) -> None:
        self._ours = one_of("cases", "reading", reading, ("document", "ours")) == "ours"
        self._depth = within("cases", "depth", depth, 2, MAX_DEPTH)

        if depth % 2:
            raise InvalidOption(say("cases: depth must be even: each own tile is looked at with what may answer it"))

    def act(self, view: View, limit: Limit) -> Decision:
        """The action that the cases lead to. It needs no limit."""
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        known = Known.seen(table)
        search = Search(self._ours)
        options, why = search.options(known)
        action_of = {lay: 2 * tile_of(*lay.tile) + lay.side for lay in options}
        if not options[0].found:
            reasons = (
                Reason(why),
                Reason(say("it found nothing there, so it lays the first tile that fits the other end, or any")),
            )
            return with_reasons(table, Decision(action_of[options[0]], nodes=1, depth=1, reasons=reasons))
        values = {each: search.value(known, each, self._depth) for each in options}
        lay = max(options, key=lambda each: (values[each], each.rank))
        leaves = [known.describe(lay.tile, number) for number in dict.fromkeys(known.left_by(lay))]
        decision = Decision(
            action_of[lay],
            scores={action_of[each]: value for each, value in values.items()},
            note=self._note(values[lay]),
            nodes=max(search.nodes, len(options)),
            depth=self._depth,
            reasons=(Reason(why), Reason(joined(leaves, say(" and ")))),
        )
        return with_reasons(table, decision)

    def _note(self, value: float) -> Message | str:
        if self._depth == 2:
            return ""
        ahead = say_count("{count} ply ahead", "{count} plies ahead", self._depth)
        return joined([ahead, say("value {value:+zg}", value=round(value, 2))], ": ")


Tile = tuple[int, int]


@dataclass(frozen=True)
class Lay:
    """A tile to lay at an end, and how the cases rank it."""

    tile: Tile
    side: int
    score: float = 0.0
    rank: tuple[int, ...] = ()
    """Of equal scores the higher rank is played."""
    found: bool = True
    """False: the document's last resort, which it plays without looking at it."""


class Search:
    """Looks ahead by cases: own tiles are those of `options`, replies all that the opponent may hold."""

    def __init__(self, ours: bool) -> None:
        self._ours = ours
        self.nodes = 0

    def value(self, known: Known, lay: Lay, plies: int) -> float:
        """What it is worth to lay this tile; with two plies left, its score."""
        self.nodes += 1
        if plies == 2:
            return lay.score
        after = replace(
            known,
            hand=tuple(tile for tile in known.hand if tile != lay.tile),
            ends=known.ends_after(lay.tile, lay.side),
        )
        return self._answered(after, plies - 1) if after.hand else OUT

    def _answered(self, known: Known, plies: int) -> float:
        """The worst of the replies or, in our reading, their mean and what follows if there is none."""
        values = []
        for tile in known.possible:
            for side in known.sides(tile):
                after = replace(
                    known,
                    possible=tuple(each for each in known.possible if each != tile),
                    theirs=known.theirs - 1,
                    ends=known.ends_after(tile, side),
                )
                values.append(self._best(after, plies - 1) if after.theirs else -OUT)
        if not values:
            return self._best(known, plies - 1)
        if not self._ours:
            return min(values)
        mean, none = sum(values) / len(values), known.chance_of_no_reply()
        return mean if not none else none * self._best(known, plies - 1) + (1 - none) * mean

    def _best(self, known: Known, plies: int) -> float:
        """The value of the best own tile; with none that fits, of what the opponent can do then."""
        if not any(known.sides(tile) for tile in known.hand):
            return STUCK if plies == 2 else self._answered(known, plies - 1)
        if len(known.hand) == 1:
            return OUT
        return max(self.value(known, lay, plies) for lay in self.options(known)[0])

    def options(self, known: Known) -> tuple[list[Lay], Message]:
        """The tiles that the cases allow, at least one, and why; own tiles must fit."""
        if known.ends is None:
            lays = [Lay(tile, 0, self._score(known, tile, tile), tile) for tile in known.hand]
            return lays, say("it lays the first tile")
        side, why = known.end_to_play() if self._ours else known.weaker_end()
        end = known.ends[side]
        left = {tile: sum(tile) - end for tile in known.hand if end in tile}
        # What the document's loops find: no doubles, and nothing if the opponent has no tile for this end.
        lays = [
            Lay(
                tile, side if self._ours else known.covering(tile, side), self._score(known, tile, (number,)), (number,)
            )
            for tile, number in left.items()
            if self._ours or (number != end and known.expected(end))
        ]
        return lays or [self._last_resort(known, side)], why

    def _last_resort(self, known: Known, side: int) -> Lay:
        """The document's: the first tile at the other end or, if none fits there, at this one."""
        fitting = [(tile, each) for tile in known.hand for each in known.sides(tile)]
        tile, at = next((lay for lay in fitting if lay[1] != side), fitting[0])
        assert known.ends is not None
        return Lay(tile, at, known.expected(sum(tile) - known.ends[at]), found=False)

    def _score(self, known: Known, tile: Tile, open_: Tile | tuple[int]) -> float:
        """How good it is to lay this tile and leave these numbers open."""
        expected = sum(known.expected(number) for number in open_)
        if not self._ours:
            return expected
        return sum(known.kept(tile, number) for number in open_) - expected / (len(open_) * (known.theirs + 1))


@dataclass(frozen=True)
class Known:
    """How many own tiles have a number, and how many of the opponent's may."""

    hand: tuple[Tile, ...]
    possible: tuple[Tile, ...]
    """Unseen tiles that the opponent may hold."""
    theirs: int
    """How many of them it holds."""
    ends: tuple[int, int] | None

    @classmethod
    def seen(cls, table: _core.DominoesView) -> Known:
        """What a view shows."""
        other = 1 - table.seat
        lacks = set(table.lacks[other])
        possible = (tile for tile in map(numbers, table.unseen) if lacks.isdisjoint(tile))
        return cls(tuple(map(numbers, table.hand)), tuple(possible), table.counts[other], table.ends)

    def sides(self, tile: Tile) -> list[int]:
        """Where a tile fits; on equal ends only the left side."""
        assert self.ends is not None
        left, right = self.ends
        return [side for side, end in enumerate(self.ends) if end in tile and (side == 0 or left != right)]

    def ends_after(self, tile: Tile, side: int) -> tuple[int, int]:
        """The ends once a tile is laid."""
        if self.ends is None:
            return tile
        left, right = self.ends
        return (left, sum(tile) - right) if side else (sum(tile) - left, right)

    def left_by(self, lay: Lay) -> tuple[int, ...]:
        """The numbers that a tile leaves open."""
        return lay.tile if self.ends is None else (self.ends_after(lay.tile, lay.side)[lay.side],)

    def chance_of_no_reply(self) -> float:
        """How likely the opponent holds nothing that fits."""
        without = sum(not self.sides(tile) for tile in self.possible)
        return comb(without, self.theirs) / comb(len(self.possible), self.theirs)

    def own(self, number: int) -> int:
        """Own tiles that have a number."""
        return sum(number in pair for pair in self.hand)

    def kept(self, tile: Tile, number: int) -> int:
        """Own tiles that have a number, once this tile is laid."""
        return self.own(number) - (number in tile)

    def expected(self, number: int) -> float:
        """The expected number of the opponent's tiles with a number."""
        return sum(number in pair for pair in self.possible) * self.theirs / len(self.possible)

    def weaker_end(self) -> tuple[int, Message]:
        """The only side with a tile that fits or, of two, the one whose number fewer own tiles have; and why."""
        assert self.ends is not None
        left, right = self.ends
        if left == right:
            return 0, say("both ends are {number}", number=left)
        for side, end, other in ((1, right, left), (0, left, right)):
            if not self.own(other):
                return side, say("its tiles fit only at the {number}", number=end)
        side = int(self.own(right) < self.own(left))
        end, other = self.ends[side], self.ends[1 - side]
        few, many = self.own(end), self.own(other)
        if few == many:
            return side, say("as many of its tiles have {one} as {other} ({few})", one=end, other=other, few=few)
        return side, say(
            "fewer of its tiles have {one} ({few}) than {other} ({many})", one=end, few=few, other=other, many=many
        )

    def end_to_play(self) -> tuple[int, Message]:
        """The weaker end, unless the opponent cannot play there: then the other end; and why."""
        assert self.ends is not None
        side, why = self.weaker_end()
        end, other = self.ends[side], self.ends[1 - side]
        if not self.expected(end) and end != other and self.own(other):
            return 1 - side, say("the other cannot play at {number}, so it keeps that end", number=end)
        return side, why

    def covering(self, tile: Tile, side: int) -> int:
        """Where the document lays a tile: if it fits both ends, on the number that the opponent likelier has."""
        assert self.ends is not None
        if len(self.sides(tile)) < 2:
            return side
        return self.ends.index(max(self.ends, key=lambda end: (self.expected(end), end)))

    def describe(self, tile: Tile, number: int) -> Message:
        """Says which number a tile leaves open."""
        return say_count(
            "it leaves {number}: {count} of its tiles has it and, by its count, {expected:.1f} of the other's",
            "it leaves {number}: {count} of its tiles have it and, by its count, {expected:.1f} of the other's",
            self.kept(tile, number),
            number=number,
            expected=self.expected(number),
        )
