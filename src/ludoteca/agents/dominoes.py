"""The two players of the seed document dominoes-tumbafichas: a minimax that counts tiles, and one of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.games.described import expect
from ludoteca.games.dominoes import numbers
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import one_of, within

__all__ = ["Cases", "TumbaFichas", "growing_depth"]

DEEPEST = 64
WIN = 1000.0


def growing_depth(table: _core.DominoesView) -> int:
    """Plies to look ahead as the seed's program does: the more tiles are known, the more; 7 before the first tile.

    In the program's double-six it is 24 less the unseen tiles, which is 4 or more; in a larger set it stays at 4 until
    as few tiles are unseen.
    """
    return 7 if table.ends is None else max(4, 24 - len(table.unseen))


def forced(table: _core.DominoesView) -> Decision | None:
    """The decision where there is nothing to decide."""
    legal = table.legal()
    if len(legal) > 1:
        return None
    words = {
        table.game.draw_action: "nothing fits: draws",
        table.game.pass_action: "nothing fits and nothing can be drawn: passes",
    }
    return Decision(legal[0], note=words.get(legal[0], "forced: the only legal action"))


class TumbaFichas:
    """Looks ahead knowing its own hand, and of the other's only how many tiles it has.

    On the other's turn every unseen tile that fits is a possible reply; where this seat cannot play, every unseen tile
    that fits is a possible draw, laid at once. Its scores are exact for the depth: 1000 for going out, −1000 when the
    other does, 0 where no tile fits, and where the depth ends 10 · (the other's tiles − own tiles) · probability, that
    of the tile revealed last (see core/dominoes_minimax.hpp). They are no expected returns, so a decision has no value.
    Of equal actions it takes the first. Under a limit that stops it early, it decides by the deepest finished look.
    """

    games = frozenset({"dominoes"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        depth: Annotated[int, "plies to look ahead, 1 to 64; 0: from 4 on, growing as tiles become known"] = 0,
        opponent: Annotated[
            Literal["min", "mean"], "of the other's possible replies count the worst, or the mean of all"
        ] = "min",
    ) -> None:
        self._depth = within("tumbafichas", "depth", depth, 0, DEEPEST)
        self._mean = one_of("tumbafichas", "opponent", opponent, ("min", "mean")) == "mean"

    def act(self, view: View, limit: Limit) -> Decision:
        """The action with the best value; draws, passes and only actions at once."""
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        depth = self._depth or growing_depth(table)
        found = _core.dominoes_minimax(table, depth, self._mean, limit.nodes, limit.seconds)
        if not found.depth:
            return Decision(found.action, note="no time to look ahead: the first legal action", nodes=found.nodes)
        scores = dict(zip(table.legal(), found.values, strict=True))
        return Decision(
            found.action,
            scores=scores,
            line=found.line,
            note=self._note(table, found, scores, depth),
            nodes=found.nodes,
            depth=found.depth,
        )

    def _note(self, table: _core.DominoesView, found: _core.Look, scores: dict[Action, float], depth: int) -> str:
        game, value = table.game, scores[found.action]
        plies = "1 ply" if found.depth == 1 else f"{found.depth} plies"
        seen = "seen to the end" if found.exhaustive else f"{plies} ahead"
        if self._mean:
            told = f"{round(value, 1):+g} on average over all replies"
        elif abs(value) == WIN:
            told = "goes out first against every reply" if value > 0 else "the other may go out first"
        else:
            own, theirs = _tiles_left(table, found.line)
            blocked = found.exhaustive or (value == 0 and own != theirs)
            told = "at worst nothing fits any more" if blocked else f"at worst {own} tiles against {theirs}"
            if value:
                told += f", value {round(value, 1):+g}"
        notes = [f"{seen}: {told}"]
        if equal := [game.action_name(each) for each in scores if scores[each] == value and each != found.action]:
            notes.append(f"as good: {', '.join(equal)}")
        if found.depth < depth and not found.exhaustive:
            notes.append(f"the limit left no time for {depth} plies")
        return "; ".join(notes)


def _tiles_left(table: _core.DominoesView, line: Sequence[Action]) -> tuple[int, int]:
    """The own tiles and the other's after a line; what this seat draws there, it lays at once."""
    draw = table.game.draw_action
    counts = [table.counts[table.seat], table.counts[1 - table.seat]]
    who = 0
    for action in line:
        counts[who] += (action == draw) - (action < draw)
        if action != draw:
            who = 1 - who
    return counts[0], counts[1]


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
            Literal["own", "other"], "the number to leave open: one that most own tiles have, or likeliest the other's"
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
            why = "the first tile"
            left: dict[Action, tuple[int, ...]] = {action: numbers(action // 2) for action in table.legal()}
        else:
            side, why = known.end_to_play()
            here = [action for action in table.legal() if action % 2 == side]
            left = {action: (sum(numbers(action // 2)) - table.ends[side],) for action in here}
        scores = {action: self._score(known, action // 2, open_) for action, open_ in left.items()}
        action = max(scores, key=lambda each: (scores[each], left[each]))
        return Decision(
            action,
            scores=scores,
            note=f"{why}; {' and '.join(known.told(action // 2, number) for number in dict.fromkeys(left[action]))}",
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

    def end_to_play(self) -> tuple[int, str]:
        """The side to play at and why, where some tile fits."""
        assert self.ends is not None
        left, right = self.ends
        if left == right:
            return 0, f"both ends are {left}"
        for side, end, other in ((1, right, left), (0, left, right)):
            if not self.own(other):
                return side, f"only {end} can be played at"
        side = int(self.own(right) < self.own(left))
        end, other = self.ends[side], self.ends[1 - side]
        if not self.expected(end):
            return 1 - side, f"the other cannot play at {end}, so it is kept"
        if self.own(end) == self.own(other):
            return side, f"as many own tiles have {end} as {other} ({self.own(end)})"
        return side, f"fewer own tiles have {end} ({self.own(end)}) than {other} ({self.own(other)})"

    def told(self, tile: int, number: int) -> str:
        """A number that a tile leaves open, in words."""
        kept = self.kept(tile, number)
        own = "1 own tile" if kept == 1 else f"{kept} own tiles"
        return f"leaves {number}, for {own} and {self.expected(number):.1f} expected of the other"
