"""Information states for OpenSpiel: everything that a seat has seen and done, as a digest and as a tensor.

A seat's memory is a chain of moments, one for the start and one for each action of either seat; see `Moment`. Its
text is a digest of all of them. Its tensor is flat and has a row for every action of the longest possible match:

==========================  ======================================================================================
the start                   `View.tensor` of the first view
one row for each action     first whether this seat acted, and whether the other did; zeros for what has not happened
the end                     Dominoes only: [T] the other's hand, which is turned up when the round is over
==========================  ======================================================================================

What else is in a row depends on the game. A is its number of actions, and T its number of tiles:

==========================  ======================================================================================
Hex, Horses                 [A] the action
Dominoes                    [2T + 2] the action · [T] the tile that this seat drew
Kittens                     [A] the own action · [7] the other's, places left out: draw, skip, attack, place, see,
                            bottom, shuffle · twice, for up to two cards drawn: [8] the card that this seat drew, [2]
                            the other drew a card, or a bomb, [1] it is one that ``rules=original`` counts, or the bomb
                            that ended the match · [3 × 8] the cards that ``see`` showed, from the top
==========================  ======================================================================================

So two tensors of one seat are equal exactly if the seat cannot tell the two histories apart. The longest match is known
for our own games only: `shape_of` is None for any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.horses.game import Horses
from ludoteca.games.kittens.cards import ACTIONS, CARDS, EVENTS, FIRST_HAND
from ludoteca.games.kittens.game import Kittens
from ludoteca.protocols import Action, Game, Seat, View

Numbers = NDArray[np.float32]
WHO: Final = 2
"""Numbers at the beginning of a row: this seat acted, the other did."""
SHOWN: Final = 3
"""Cards that `see` shows."""
DRAWS: Final = 2
"""Cards that one action of Kittens can draw: with rules=original all that are owed."""
DRAW: Final = len(CARDS) + 3
"""Numbers for each of them."""
PLACE: Final = ACTIONS.index("place top")
DEEDS: Final = (0, 1, 2, PLACE, 6, 7, 8)
"""Actions of the other in Kittens as the table sees them; PLACE stands for all places."""
V = TypeVar("V")


class Moment:
    """What a seat saw after an action, linked to the moment before. Later states share the chain."""

    __slots__ = ("_trail", "action", "before", "mover", "view")

    def __init__(
        self, view: View | None, before: Moment | None = None, mover: Seat | None = None, action: Action | None = None
    ) -> None:
        """view: what the seat sees; None if the actions say everything. action: None if it is hidden from the seat."""
        self.view, self.before, self.mover, self.action = view, before, mover, action
        self._trail: bytes | None = None

    def chain(self) -> list[Moment]:
        """All moments up to this one, the first one first."""
        return list(self._back())[::-1]

    def trail(self) -> bytes:
        """A digest of all moments up to this one; computed once, on demand."""
        unknown = []
        last = b""
        for moment in self._back():
            if moment._trail is not None:
                last = moment._trail
                break
            unknown.append(moment)
        for moment in reversed(unknown):
            last = moment._trail = moment._digest(last)
        return last

    def _back(self) -> Iterator[Moment]:
        moment: Moment | None = self
        while moment is not None:
            yield moment
            moment = moment.before

    def _digest(self, before: bytes) -> bytes:
        digest = hashlib.blake2b(before, digest_size=16)
        seen = [] if self.view is None else [bytes(self.view)]
        for each in [*seen, *([] if self.action is None else [self.action.to_bytes(4, "little")])]:
            digest.update(len(each).to_bytes(4, "little") + each)
        return digest.digest()


class Shape(NamedTuple):
    """How many numbers an information state has, and what fills a row of it."""

    start: int
    rows: int
    """Actions of the longest match that there can be."""
    width: int
    tail: int
    fill: Callable[[Moment, bool, Numbers], None]
    """Writes what a seat learned from an action: the moment after it, whether the seat acted, the row behind WHO."""

    @property
    def size(self) -> int:
        """Of the whole tensor."""
        return self.start + self.rows * self.width + self.tail


def shape_of(game: Game) -> Shape | None:
    """The layout of a game's information state tensors; None if the longest match is unknown."""
    make = SHAPES.get(game.name)
    return None if make is None else make(game, int(np.prod(game.tensor_shape)))


def _hex(game: Game, start: int) -> Shape:
    return Shape(start, game.num_actions, WHO + game.num_actions, 0, _act)


def _horses(game: Game, start: int) -> Shape:
    """Every pass is followed by a move, and every move destroys a square."""
    return Shape(start, 2 * expect(game, Horses).size ** 2, WHO + game.num_actions, 0, _act)


def _dominoes(game: Game, start: int) -> Shape:
    """Every pass is followed by a tile, or else the round is blocked."""
    rules = expect(game, Dominoes)
    tiles, hand = rules.num_tiles, rules.hand
    rows = 4 * hand if rules.variant == "block" else 2 * tiles + (tiles - 2 * hand)
    return Shape(start, rows, WHO + game.num_actions + tiles, tiles, _lay_or_draw)


def _kittens(game: Game, start: int) -> Shape:
    width = WHO + game.num_actions + len(DEEDS) + DRAWS * DRAW + SHOWN * len(CARDS)
    return Shape(start, _longest_kittens(expect(game, Kittens)), width, 0, _play_cards)


SHAPES: Final = {"hex": _hex, "horses": _horses, "dominoes": _dominoes, "kittens": _kittens}
"""By the name of the game."""


def write(shape: Shape, seat: Seat, memory: Moment, out: Numbers) -> None:
    """Fills `out`, of shape (size,), with all that a seat has seen and done."""
    out[:] = 0
    first, *later = memory.chain()
    assert first.view is not None, "every chain begins with what was dealt"
    out[: shape.start] = first.view.tensor().ravel()
    rows = out[shape.start : shape.start + shape.rows * shape.width].reshape(shape.rows, shape.width)
    for row, moment in zip(rows[: len(later)], later, strict=True):
        mine = moment.mover == seat
        row[0 if mine else 1] = 1
        shape.fill(moment, mine, row[WHO:])
    if shape.tail and (revealed := expect(memory.view, _core.DominoesView).revealed):
        out[-shape.tail :][revealed[1 - seat]] = 1


def _act(moment: Moment, mine: bool, row: Numbers) -> None:
    assert moment.action is not None, "nothing is hidden"
    row[moment.action] = 1


def _lay_or_draw(moment: Moment, mine: bool, row: Numbers) -> None:
    """The action is in the log; what was drawn shows in the own hand."""
    view, before = _now_and_before(moment, _core.DominoesView)
    row[view.log[-1][1]] = 1
    if mine:
        drawn = set(view.hand) - set(before.hand)
        row[[view.game.num_actions + tile for tile in drawn]] = 1


def _play_cards(moment: Moment, mine: bool, row: Numbers) -> None:
    """What was drawn and shown is in the log; where the other puts a bomb is not."""
    view, before = _now_and_before(moment, _core.KittensView)
    actions = view.game.num_actions
    own, deeds, draws, shown = np.split(row, np.cumsum([actions, len(DEEDS), DRAWS * DRAW]))
    if moment.action is not None:
        own[moment.action] = 1
    else:
        deed = PLACE if before.placing else view.last[1 - view.seat]
        deeds[DEEDS.index(deed)] = 1
    slots, drawn = draws.reshape(DRAWS, DRAW), 0
    for _, event, cards, _, counted in view.log[len(before.log) :]:
        what = EVENTS[event]
        if what == "see":
            shown.reshape(SHOWN, len(CARDS))[range(len(cards)), cards] = 1
        elif what.startswith(("draw", "bomb")):
            slots[drawn, cards if mine else [len(CARDS) + what.startswith("bomb")]] = 1
            slots[drawn, -1] = bool(counted)
            drawn += 1
    if view.loser is not None:
        slots[drawn - 1, -1] = 1


def _now_and_before(moment: Moment, kind: type[V]) -> tuple[V, V]:
    assert moment.before is not None
    return expect(moment.view, kind), expect(moment.before.view, kind)


def _longest_kittens(game: Kittens) -> int:
    """Actions: cards played, cards drawn, bombs put back, and draws from an empty deck."""
    cards = {name: count + 2 * (number in FIRST_HAND) for number, (name, count) in enumerate(game.counts.items())}
    in_hand = 2 * len(FIRST_HAND)
    others = sum(game.counts.values()) - game.counts["Bomb"]
    # Each bomb that is drawn costs a Defuse, and the last one the match.
    drawn = others + cards["Defuse"] + 1
    played = others + in_hand - cards["Defuse"]
    # While a bomb is left, and all of them go back, the deck does not run empty. Then each turn owes a draw, and each
    # Attack up to two more.
    runs_empty = game.options["rules"] == "original" or not game.counts["Bomb"]
    empty = game.options["max_turns"] + 2 * cards["Attack"] if runs_empty else 0
    return played + drawn + cards["Defuse"] + int(empty)
