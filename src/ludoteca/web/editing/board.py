"""Stones and knights put on a board by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludoteca.errors import LudotecaError
from ludoteca.games.hex.game import Hex
from ludoteca.games.horses.game import Horses
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Game, Seat
from ludoteca.web.editing.positions import Unplayable
from ludoteca.web.errors import InvalidTable
from ludoteca.web.serving.allowed_specs import rules

__all__ = ["BoardEditing", "hex_actions"]

HORSES_BRUSHES = ["W", "B", *(f"{value:+}" for value in (10, 5, 4, 3, 1, -1, -3, -4, -5, -10))]


def hex_actions(game: Hex, stones: Mapping[int, Seat]) -> list[Action]:
    """Actions, in turn, that put exactly these stones. Raises Unplayable when no match can have come to them.

    The order does not matter: stones that connect nothing contain no stones that do, so nobody wins on the way.
    """
    own = [[cell for cell in sorted(stones) if stones[cell] == seat] for seat in (0, 1)]
    if len(own[0]) - len(own[1]) not in (0, 1):
        raise Unplayable(
            say(
                "Seat 0 has {first} stones and seat 1 has {second}: in a match seat 0 has as many, or one more.",
                first=len(own[0]),
                second=len(own[1]),
            )
        )
    actions = [own[turn % 2][turn // 2] for turn in range(len(stones))]
    match = Match(game, 0)
    for action in actions:
        if match.turn is None:
            raise Unplayable(say("These stones connect two sides: the match is over."))
        match.play(action)
    return actions


@dataclass
class BoardEditing:
    """What has been put on the board so far: by cell or square the name of the brush that put it."""

    game: Game
    things: dict[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, game: Game, fields: Mapping[str, str]) -> BoardEditing:
        """What an address says, such as ``at=0@c3/1@d4``. Raises LudotecaError."""
        editing = cls(game)
        for item in filter(None, fields.get("at", "").split("/")):
            brush, at, name = item.partition("@")
            cell = game.parse_action(name)
            if not at or not brush or cell in editing.things:
                raise InvalidTable(say("{item!r} is nothing on a cell of its own", item=item[:40]))
            editing.put(cell, brush)
        return editing

    def written(self) -> dict[str, str]:
        """As `read` takes it."""
        things = sorted(self.things.items())
        at = "/".join(f"{thing}@{self.game.action_name(cell)}" for cell, thing in things)
        return {"game": self.game.spec, "at": at}

    @property
    def brushes(self) -> list[str]:
        """What can be put."""
        return ["0", "1"] if self.game.name == "hex" else HORSES_BRUSHES

    def put(self, cell: int, brush: str) -> None:
        """Puts something on a cell, or takes away what is there with the same brush or an empty one.

        A knight that stands elsewhere moves. Raises InvalidTable for what does not exist.
        """
        size = getattr(self.game, "size", 0)
        if not 0 <= cell < size * size or brush not in (*self.brushes, ""):
            raise InvalidTable(say("{what!r} cannot be put on {cell}", what=brush[:20], cell=cell))
        if not brush or self.things.get(cell) == brush:
            self.things.pop(cell, None)
            return
        if brush in ("W", "B"):
            self.things = {at: thing for at, thing in self.things.items() if thing != brush}
        self.things[cell] = brush

    def match(self) -> Match:
        """A match that has come to what was set up. Raises LudotecaError with the reason why none can."""
        if isinstance(self.game, Hex):
            stones = {cell: int(seat) for cell, seat in self.things.items()}
            return Match(self.game, 0, hex_actions(self.game, stones))
        if isinstance(self.game, Horses):
            layout = "/".join(f"{thing}@{self.game.action_name(cell)}" for cell, thing in sorted(self.things.items()))
            options = f"size={self.game.size},penalty={self.game.penalty},charge={self.game.charge}"
            if not layout:
                raise Unplayable(say("Put both knights, W and B, on the board."))
            return Match(rules(f"horses:{options},layout={layout}"), 0)
        raise LudotecaError(say("{name} cannot be set up by hand", name=self.game.name))
