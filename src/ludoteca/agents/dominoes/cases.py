"""The case-based player of the seed document dominoes-tumbafichas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.reasons import with_reasons
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Reason, Seat, View
from ludoteca.spec import Label, one_of


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
    ) -> None:
        self._ours = one_of("cases", "reading", reading, ("document", "ours")) == "ours"

    def act(self, view: View, limit: Limit) -> Decision:
        """The action that the cases lead to. It needs no limit."""
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        known = Known(table)
        if table.ends is None:
            return self._weighed(
                known, {action: numbers(action // 2) for action in table.legal()}, say("it lays the first tile")
            )
        side, why = known.end_to_play() if self._ours else known.weaker_end()
        end = table.ends[side]
        left = {action: sum(numbers(action // 2)) - end for action in table.legal() if action % 2 == side}
        if self._ours:
            return self._weighed(known, {action: (number,) for action, number in left.items()}, why)
        # What the document's loops find: no doubles, and nothing if the opponent has no tile for this end.
        found = {action: number for action, number in left.items() if number != end and known.expected(end)}
        if not found:
            return self._at_the_other_end(table, side, why)
        best = max(found, key=lambda each: (known.expected(found[each]), found[each]))
        laid = {action: known.covering(action, table.legal()) for action in found}
        number = sum(numbers(best // 2)) - table.ends[laid[best] % 2]
        scores = {laid[action]: known.expected(number) for action, number in found.items()}
        reasons = (Reason(why), Reason(known.describe(best // 2, number)))
        return with_reasons(table, Decision(laid[best], scores=scores, nodes=len(found), depth=2, reasons=reasons))

    def _weighed(self, known: Known, left: Mapping[Action, tuple[int, ...]], why: Message) -> Decision:
        """The best of some actions, each with the numbers that it leaves open."""
        scores = {action: self._score(known, action // 2, open_) for action, open_ in left.items()}
        action = max(scores, key=lambda each: (scores[each], left[each]))
        leaves = [known.describe(action // 2, number) for number in dict.fromkeys(left[action])]
        reasons = (Reason(why), Reason(joined(leaves, say(" and "))))
        return with_reasons(known.table, Decision(action, scores=scores, nodes=len(scores), depth=2, reasons=reasons))

    def _score(self, known: Known, tile: int, open_: Sequence[int]) -> float:
        """How good it is to lay this tile and leave these numbers open."""
        expected = sum(known.expected(number) for number in open_)
        if not self._ours:
            return expected
        return sum(known.kept(tile, number) for number in open_) - expected / (len(open_) * (known.theirs + 1))

    def _at_the_other_end(self, table: _core.DominoesView, side: int, why: Message) -> Decision:
        """The document's last resort: the first tile at the other end or, if none fits there, at this one."""
        legal = table.legal()
        action = next((each for each in legal if each % 2 != side), legal[0])
        found = say("it found nothing there, so it lays the first tile that fits the other end, or any")
        return with_reasons(table, Decision(action, nodes=1, depth=1, reasons=(Reason(why), Reason(found))))


class Known:
    """How many own tiles have a number, and how many of the opponent's may."""

    def __init__(self, table: _core.DominoesView) -> None:
        self.table = table
        other = 1 - table.seat
        lacks = table.lacks[other]
        self.ends = table.ends
        self.hand = [numbers(tile) for tile in table.hand]
        self.theirs = table.counts[other]
        self.possible = [pair for tile in table.unseen if not set(pair := numbers(tile)).intersection(lacks)]

    def own(self, number: int) -> int:
        """Own tiles that have a number."""
        return sum(number in pair for pair in self.hand)

    def kept(self, tile: int, number: int) -> int:
        """Own tiles that have a number, once this tile is laid."""
        return self.own(number) - (number in numbers(tile))

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

    def covering(self, action: Action, legal: Sequence[Action]) -> Action:
        """The tile where the document lays it: if it fits both ends, on the number that the opponent likelier has."""
        if action ^ 1 not in legal:
            return action
        assert self.ends is not None
        return action - action % 2 + self.ends.index(max(self.ends, key=lambda end: (self.expected(end), end)))

    def describe(self, tile: int, number: int) -> Message:
        """Says which number a tile leaves open."""
        return say_count(
            "it leaves {number}: {count} of its tiles has it and, by its count, {expected:.1f} of the other's",
            "it leaves {number}: {count} of its tiles have it and, by its count, {expected:.1f} of the other's",
            self.kept(tile, number),
            number=number,
            expected=self.expected(number),
        )
