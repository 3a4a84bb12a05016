"""What follows from the actions alone, whatever the cards: whose turn it is, and what each seat has paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoteca import Action

FOLD, CALL, RAISE = range(3)
ANTE = 1
BETS = (2, 4)
"""What a raise costs beyond a call, by round."""


@dataclass(frozen=True)
class Played:
    """One action with its place in the match."""

    round: int
    place: int
    """How many actions of the same round came before."""
    seat: int
    action: Action


@dataclass(frozen=True)
class Betting:
    """The table after some actions."""

    played: tuple[Played, ...] = ()
    round: int = 0
    place: int = 0
    raises: int = 0
    """In this round."""
    paid: tuple[int, int] = (ANTE, ANTE)
    turn: int | None = 0
    """None after a fold, or when both rounds are over."""
    folded: int | None = None
    """The seat that folded."""

    @classmethod
    def of(cls, history: Sequence[Action]) -> Betting:
        """The table after these actions, which must be legal."""
        table = cls()
        for action in history:
            table = table.after(action)
        return table

    def legal(self, most_raises: int) -> list[Action]:
        """Fold if there is something to pay, call, and raise until `most_raises` have been made in the round."""
        return list(self._legal(most_raises))

    def _legal(self, most_raises: int) -> Iterator[Action]:
        if self.turn is None:
            return
        if self.paid[self.turn] < self.paid[1 - self.turn]:
            yield FOLD
        yield CALL
        if self.raises < most_raises:
            yield RAISE

    def after(self, action: Action) -> Betting:
        """The table after one more action."""
        seat = self.turn
        assert seat is not None, "the match is over"
        played = (*self.played, Played(self.round, self.place, seat, action))
        if action == FOLD:
            return Betting(played, self.round, self.place + 1, self.raises, self.paid, None, seat)
        level = self.paid[1 - seat] + (BETS[self.round] if action == RAISE else 0)
        paid = (level, self.paid[1]) if seat == 0 else (self.paid[0], level)
        if action == CALL and self.place > 0:  # both have acted, and have paid the same
            last = self.round + 1 == len(BETS)
            return Betting(played, self.round + 1, paid=paid, turn=None if last else 0)
        return Betting(played, self.round, self.place + 1, self.raises + (action == RAISE), paid, 1 - seat)
