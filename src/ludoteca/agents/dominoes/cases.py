"""The case-based player of the seed document dominoes-tumbafichas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.games.described import expect
from ludoteca.games.dominoes import numbers
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of

__all__ = ["Cases"]


class Cases:
    """Decides by cases, two plies deep: which end to play at, then which number to leave open there.

    It plays at the end whose number fewer of its tiles have; but where the other seat cannot hold a tile for that end,
    it keeps that end and plays at the other one. There it leaves the number that most of its remaining tiles have and,
    of equal ones, that which the other seat is least likely to hold. Scores, for each way to play at the chosen end:

        own remaining tiles with the number − expected tiles of the other with it / (tiles of the other + 1)

    An unseen tile is expected in the other's hand with probability 0 if it has a number that the other has shown to
    lack, else tiles of the other / all such tiles. With ``leave=other`` it leaves what the other most likely holds.
    """

    games = frozenset({"dominoes"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        leave: Annotated[
            Literal["own", "other"],
            Label(
                say("number to leave open"),
                say("the number to leave open: one that most own tiles have, or likeliest the other's"),
                {"own": say("that most own tiles have"), "other": say("likeliest the other's")},
            ),
        ] = "own",
    ) -> None:
        self._own = one_of("cases", "leave", leave, ("own", "other")) == "own"

    def act(self, view: View, limit: Limit) -> Decision:
        """The action that the cases lead to; draws, passes and only actions at once. It needs no limit."""
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        known = Known(table)
        if table.ends is None:
            why = say("the first tile")
            left: dict[Action, tuple[int, ...]] = {action: numbers(action // 2) for action in table.legal()}
        else:
            side, why = known.end_to_play()
            here = [action for action in table.legal() if action % 2 == side]
            left = {action: (sum(numbers(action // 2)) - table.ends[side],) for action in here}
        scores = {action: self._score(known, action // 2, open_) for action, open_ in left.items()}
        action = max(scores, key=lambda each: (scores[each], left[each]))
        leaves = [known.told(action // 2, number) for number in dict.fromkeys(left[action])]
        return Decision(
            action,
            scores=scores,
            note=joined([why, joined(leaves, say(" and "))], "; "),
            nodes=len(scores),
            depth=2,
        )

    def _score(self, known: Known, tile: int, open_: Sequence[int]) -> float:
        """How good it is to lay this tile and leave these numbers open."""
        expected = sum(known.expected(number) for number in open_)
        if not self._own:
            return expected
        return sum(known.kept(tile, number) for number in open_) - expected / (len(open_) * (known.theirs + 1))


class Known:
    """What a seat knows about numbers: how many of its tiles have one, and how many of the other's may."""

    def __init__(self, table: _core.DominoesView) -> None:
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
        """How many tiles with a number the other is expected to hold: the sum of their probabilities."""
        return sum(number in pair for pair in self.possible) * self.theirs / len(self.possible)

    def end_to_play(self) -> tuple[int, Message]:
        """The side to play at and why, where some tile fits."""
        assert self.ends is not None
        left, right = self.ends
        if left == right:
            return 0, say("both ends are {number}", number=left)
        for side, end, other in ((1, right, left), (0, left, right)):
            if not self.own(other):
                return side, say("only {number} can be played at", number=end)
        side = int(self.own(right) < self.own(left))
        end, other = self.ends[side], self.ends[1 - side]
        if not self.expected(end):
            return 1 - side, say("the other cannot play at {number}, so it is kept", number=end)
        few, many = self.own(end), self.own(other)
        if few == many:
            return side, say("as many own tiles have {one} as {other} ({few})", one=end, other=other, few=few)
        return side, say(
            "fewer own tiles have {one} ({few}) than {other} ({many})", one=end, few=few, other=other, many=many
        )

    def told(self, tile: int, number: int) -> Message:
        """A number that a tile leaves open, in words."""
        return say_count(
            "leaves {number}, for {count} own tile and {expected:.1f} expected of the other",
            "leaves {number}, for {count} own tiles and {expected:.1f} expected of the other",
            self.kept(tile, number),
            number=number,
            expected=self.expected(number),
        )
