"""A line and two hands of dominoes set up by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludoteca.errors import InvalidPosition
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers, tile_of
from ludoteca.games.start_notation import read_number, read_start
from ludoteca.messages import say, say_count
from ludoteca.play.match import Match
from ludoteca.protocols import Seat
from ludoteca.web.editing.positions import Unplayable, read_seed
from ludoteca.web.errors import InvalidTable

TARGETS = ("left", "right", "0", "1")
"""Where a tile can go: an end of the line, or the hand of a seat."""


@dataclass
class DominoesEditor:
    """Where each tile is; the seed deals the tiles that were not placed."""

    game: Dominoes
    seed: int
    turn: Seat = 0
    line: list[tuple[int, int]] = field(default_factory=list)
    """Numbers from left to right, as the tiles lie."""
    hands: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    counts: list[int] = field(default_factory=list)
    """By seat how many tiles the seed deals into a hand without placed tiles."""

    def __post_init__(self) -> None:
        self.counts = self.counts or [self.game.hand, self.game.hand]

    @classmethod
    def read(cls, game: Dominoes, fields: Mapping[str, str]) -> DominoesEditor:
        """Reads an address: ``start=line: 6-4 4-1; 0: 5; 1: 3-2; turn: 1`` and a seed. Raises LudotecaError."""
        editor = cls(game, read_seed(fields))
        parts = read_start(fields.get("start", ""), ("line", "0", "1", "turn"))
        for one, other in map(_pair, parts.get("line", [])):
            if editor.line and editor.line[-1][1] != one:
                raise Unplayable("{tile} does not fit there.", tile=f"{one}-{other}")
            editor._free(one, other)
            editor.line.append((one, other))
        for seat in (0, 1):
            words = parts.get(str(seat), [])
            if len(words) == 1 and words[0].isdigit():
                editor.counts[seat] = read_number(parts, str(seat), game.hand, game.num_tiles - 1)
            else:
                editor.hands[seat].extend(editor._free(*_pair(word)) for word in words)
        editor.turn = read_number(parts, "turn", 0, 1)
        return editor

    def fields(self) -> dict[str, str]:
        """The position as the fields that `read` takes."""
        return {"game": self.game.spec, "start": self.start(), "seed": str(self.seed)}

    def _free(self, one: int, other: int) -> int:
        """The tile with these numbers, if it is not placed yet. Raises Unplayable."""
        if max(one, other) > self.game.pips or self.where(tile_of(one, other)):
            raise Unplayable("{tile} does not fit there.", tile=f"{one}-{other}")
        return tile_of(one, other)

    def where(self, tile: int) -> str:
        """``line``, ``0`` or ``1`` for a hand, or nothing for a free tile."""
        if any(sorted(pair) == sorted(numbers(tile)) for pair in self.line):
            return "line"
        return next((str(seat) for seat in (0, 1) if tile in self.hands[seat]), "")

    def fits(self, tile: int, target: str) -> bool:
        """Whether a free tile may go there."""
        if self.where(tile):
            return False
        if target in ("0", "1") or not self.line:
            return True
        end = self.line[0][0] if target == "left" else self.line[-1][1]
        return end in numbers(tile)

    def put(self, tile: int, target: str) -> None:
        """Places a free tile, turned so that it matches, or removes a placed one.

        Raises InvalidTable for a tile or place that does not exist, and Unplayable for a tile that does not fit.
        """
        if not 0 <= tile < self.game.num_tiles or target not in TARGETS:
            raise InvalidTable("tile {tile} cannot be put to {place!r}", tile=tile, place=target[:20])
        high, low = numbers(tile)
        if here := self.where(tile):
            self._take(tile, here)
        elif not self.fits(tile, target):
            raise Unplayable("{tile} does not fit there.", tile=f"{high}-{low}")
        elif target in ("0", "1"):
            self.hands[int(target)].append(tile)
        elif not self.line:
            self.line.append((high, low))
        elif target == "left":
            end = self.line[0][0]
            self.line.insert(0, (high + low - end, end))
        else:
            end = self.line[-1][1]
            self.line.append((end, high + low - end))

    def _take(self, tile: int, here: str) -> None:
        if here != "line":
            self.hands[int(here)].remove(tile)
            return
        for end in (0, -1):
            if sorted(self.line[end]) == sorted(numbers(tile)):
                del self.line[end]
                return
        raise Unplayable(say("Only the tiles at the ends of the line can be taken away."))

    def clear(self) -> None:
        """Removes every tile."""
        self.line.clear()
        for hand in self.hands:
            hand.clear()

    def change(self, game: Dominoes) -> None:
        """Takes over other options; another set of tiles removes every tile."""
        if game.pips != self.game.pips:
            self.clear()
        if game.hand != self.game.hand:
            self.counts = [game.hand, game.hand]
        self.game = game

    def start(self) -> str:
        """The position in the notation of the game."""
        hands = [
            list(map(numbers, sorted(hand))) if hand else count
            for hand, count in zip(self.hands, self.counts, strict=True)
        ]
        return Dominoes.start(line=self.line, hands=(hands[0], hands[1]), turn=self.turn)

    def advised_seat(self) -> Seat | None:
        """The seat whose tiles were placed, of two the one on turn; None without a line, for then nothing has begun."""
        own = [seat for seat in (self.turn, 1 - self.turn) if self.hands[seat]]
        return own[0] if own and self.line else None

    def match(self) -> Match:
        """A match that starts from the position. Raises Unplayable."""
        wanted = sum(count for hand, count in zip(self.hands, self.counts, strict=True) if not hand)
        left = self.game.num_tiles - len(self.line) - sum(map(len, self.hands))
        if wanted > left:
            raise Unplayable(
                say_count(
                    "{count} tile must be drawn at random, but only {left} are left.",
                    "{count} tiles must be drawn at random, but only {left} are left.",
                    wanted,
                    left=left,
                )
            )
        try:
            return Match(self.game, self.seed, start=self.start())
        except InvalidPosition as error:
            blocked = say("No player can move: no tile in the hands fits, and none can be drawn.")
            raise Unplayable(blocked) from error  # every other reason was ruled out above


def _pair(word: str) -> tuple[int, int]:
    """The numbers of a tile as it lies, ``6-4``. Raises Unplayable."""
    one, dash, other = word.partition("-")
    if not dash or not (one.isascii() and one.isdigit() and other.isascii() and other.isdigit()) or len(word) > 3:
        raise Unplayable("{word!r} is not a tile", word=word[:20])
    return int(one), int(other)
