"""Nim: take stones from one heap; the player who takes the last stone wins.

A whole game in pure Python and an agent for it, in a package of their own. Nothing is inherited: the classes have
the methods that `ludoteca.protocols` asks for, and that is enough to play everywhere. Texts for people go through
`say`, so that the catalogues beside it can translate them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ludoteca import Action, Decision, IllegalAction, InvalidAction, InvalidOption, Limit
from ludoteca.catalogues import Language
from ludoteca.messages import say, say_as, translate
from ludoteca.spec import Label


@dataclass(frozen=True)
class Nim:
    """The rules; a frozen dataclass has the equality that a game must have."""

    heaps: Annotated[str, Label(say("heaps"), say("the stones of each heap, joined by dashes"))] = "3-5-7"

    name = "nim"
    title = say("Nim")
    seats = 2
    hidden_information = False
    zero_sum = True
    tensor_range = (0.0, 99.0)

    def __post_init__(self) -> None:
        if not all(part.isdigit() and 0 < int(part) < 100 for part in self.heaps.split("-")):
            raise InvalidOption(
                "nim: heaps={heaps} is not of the form 3-5-7, with 1 to 99 stones each", heaps=self.heaps
            )

    @property
    def start(self) -> tuple[int, ...]:
        """The heaps as numbers."""
        return tuple(int(part) for part in self.heaps.split("-"))

    @property
    def spec(self) -> str:
        """The string that makes this game again."""
        return "nim" if self.heaps == "3-5-7" else f"nim:heaps={self.heaps}"

    @property
    def num_actions(self) -> int:
        """Heap by heap, taking 1, 2, 3… up to as many as the largest heap has."""
        return len(self.start) * max(self.start)

    @property
    def tensor_shape(self) -> tuple[int, ...]:
        """One number per heap."""
        return (len(self.start),)

    def split(self, action: Action) -> tuple[int, int]:
        """An action as (heap, how many to take)."""
        heap, less_one = divmod(action, max(self.start))
        return heap, less_one + 1

    def deal(self, seed: int) -> NimState:
        """Nothing is random here, so every seed gives the same start."""
        return NimState(self, self.start, 0)

    def action_name(self, action: Action) -> str:
        """For example ``take 2 from 1``, the first heap being 1."""
        heap, count = self.split(action)
        return say_as("action", "take {number} from {heap}", number=count, heap=heap + 1)

    def public_name(self, action: Action) -> str:
        """Nothing is hidden."""
        return self.action_name(action)

    def parse_action(self, text: str) -> Action:
        """The action of this name. Raises InvalidAction."""
        names = {self.action_name(action): action for action in range(self.num_actions)}
        word = " ".join(text.lower().split())
        if word not in names:
            raise InvalidAction(
                "{text!r} is no action of {game}; say, for example, 'take 1 from 1'", text=text, game=self.spec
            )
        return names[word]

    def text(self, view: NimView, *, language: Language = "en") -> str:
        """A row of strokes per heap."""
        rows = (say("heap {heap}: {stones}", heap=heap, stones="|" * count) for heap, count in enumerate(view.heaps, 1))
        return "\n".join(translate(row, language) for row in rows)


@dataclass
class NimState:
    """The truth; with nothing hidden, it is as much as a view knows."""

    game: Nim
    heaps: tuple[int, ...]
    mover: int

    @property
    def turn(self) -> int | None:
        """The mover, until nothing is left."""
        return self.mover if any(self.heaps) else None

    def legal(self) -> list[Action]:
        """All ways to take at least one stone from a heap that has as many."""
        actions = range(self.game.num_actions)
        return [action for action in actions if self.game.split(action)[1] <= self.heaps[self.game.split(action)[0]]]

    def apply(self, action: Action) -> None:
        """Takes the stones."""
        if action not in self.legal():
            raise IllegalAction.at(self, action)
        chosen, count = self.game.split(action)
        self.heaps = tuple(heap - count * (index == chosen) for index, heap in enumerate(self.heaps))
        self.mover = 1 - self.mover

    def copy(self) -> NimState:
        """An independent state."""
        return NimState(self.game, self.heaps, self.mover)

    def returns(self) -> tuple[float, ...]:
        """The seat on turn has lost: there is no stone left to take."""
        if any(self.heaps):
            return (0, 0)
        return (-1, 1) if self.mover == 0 else (1, -1)

    def view(self, seat: int) -> NimView:
        """Everything."""
        return NimView(self.game, self.heaps, self.mover, seat)


@dataclass(frozen=True)
class NimView:
    """A value: a frozen dataclass has equality and a hash."""

    game: Nim
    heaps: tuple[int, ...]
    mover: int
    seat: int

    @property
    def turn(self) -> int | None:
        """The mover, until nothing is left."""
        return self.mover if any(self.heaps) else None

    def legal(self) -> list[Action]:
        """The legal actions if it is this seat's turn."""
        return self.sample(0).legal() if self.turn == self.seat else []

    def sample(self, seed: int) -> NimState:
        """With nothing hidden there is one world."""
        return NimState(self.game, self.heaps, self.mover)

    def tensor(self) -> NDArray[np.float32]:
        """The heaps."""
        return np.array(self.heaps, np.float32)

    def __bytes__(self) -> bytes:
        return bytes([*self.heaps, self.mover, self.seat])


class NimSum:
    """Leaves heaps whose exclusive-or is zero whenever that can be done: perfect play."""

    games = frozenset({"nim"})

    def __init__(self, game: Nim, seat: int, seed: int) -> None:
        self._game = game

    def act(self, view: NimView, limit: Limit) -> Decision:
        """The first action that leaves a zero sum, else the first legal one."""
        total = reduce(xor, view.heaps)
        for action in view.legal():
            heap, count = self._game.split(action)
            if total ^ view.heaps[heap] == view.heaps[heap] - count:
                return Decision(action, value=1.0, note=say("leaves a zero sum"))
        return Decision(view.legal()[0], value=-1.0, note=say("every action loses"))
