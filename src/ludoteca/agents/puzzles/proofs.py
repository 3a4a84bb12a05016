"""Proofs about positions with hidden information, over all worlds that one seat cannot tell apart.

A *sure win* is a strategy of the seat that wins in every world, whatever the other does; the strategy may use only what
the seat sees. A *sure loss* is a position that the seat loses against best play in every world, even if it saw
everything. Both hold whatever the seats believe about each other. With perfect information there is one world, and
these are the usual win and loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludoteca.protocols import Action, Seat, State

World = tuple[str, State]
"""A state, and the start from which the actions of the match lead to it."""


class ActionVerdict(NamedTuple):
    """What is proven of an action."""

    value: int
    """1: it wins for sure; -1: it loses for sure; 0: neither."""
    reply: Action | None = None
    """If it does not win: what the other answers, if it is on turn then."""
    start: str = ""
    """The start of a world in which it does not win; empty: the position's own."""


class ProofTooLarge(Exception):
    """The proof needs more positions than it may look at."""


def prove_actions(worlds: Sequence[World], most: int) -> dict[Action, ActionVerdict] | None:
    """What is proven of each action of the seat on turn, over worlds that look the same to it.

    most: positions to look at for one action; None if that is not enough.
    """
    state = worlds[0][1]
    assert state.turn is not None
    try:
        return {action: Proof(worlds, state.turn, most).verdict(action) for action in state.legal()}
    except ProofTooLarge:
        return None


class Proof:
    """Proves actions of one seat; all worlds must look the same to it, and it must be on turn."""

    def __init__(self, worlds: Sequence[World], seat: Seat, most: int) -> None:
        """most: positions to look at. The methods raise ProofTooLarge when that is not enough."""
        self.worlds, self.seat, self.left = list(worlds), seat, most

    def verdict(self, action: Action) -> ActionVerdict:
        """What is proven of this action."""
        failed = next((each for each in self._seen(_after(self.worlds, action)) if not self._wins(each)), None)
        if failed is None:
            return ActionVerdict(1)
        start, reply = self._refutation(failed)
        lost = all(self._value(state) < 0 for _, state in _after(self.worlds, action))
        return ActionVerdict(-1 if lost else 0, reply, start)

    def _wins(self, worlds: Sequence[World]) -> bool:
        """Whether these worlds, which look the same, are a sure win."""
        self._count(len(worlds))
        state = worlds[0][1]
        if state.turn is None:
            return all(each.returns()[self.seat] > 0 for _, each in worlds)
        if state.turn != self.seat:
            return all(map(self._wins, self._seen(_replies(worlds))))
        return any(all(map(self._wins, self._seen(_after(worlds, action)))) for action in state.legal())

    def _refutation(self, worlds: Sequence[World]) -> tuple[str, Action | None]:
        """A world of these, which are no sure win, and what the other plays in it."""
        if worlds[0][1].turn in (None, self.seat):
            worst = next((each for each in worlds if self._value(each[1]) <= 0), worlds[0])
            return worst[0], None
        found: tuple[str, Action | None] = (worlds[0][0], None)
        for seen in self._seen(_replies(worlds)):
            if not self._wins(seen):
                for start, state in worlds:
                    for action in state.legal():
                        if bytes(_child(state, action).view(self.seat)) == bytes(seen[0][1].view(self.seat)):
                            found = start, action
                            if self._value(_child(state, action)) < 0:
                                return found
        return found

    def _value(self, state: State) -> float:
        """The sign of the result with best play by both, who see everything."""
        self._count(1)
        if state.turn is None:
            result = state.returns()[self.seat]
            return (result > 0) - (result < 0)
        mine, best = state.turn == self.seat, -2.0
        for action in state.legal():
            value = self._value(_child(state, action))
            best = max(best, value if mine else -value)
            if best == 1:
                break
        return best if mine else -best

    def _seen(self, worlds: Sequence[World]) -> Iterator[list[World]]:
        """The worlds by what the seat sees, small sets first."""
        sets: dict[bytes, list[World]] = {}
        for start, state in worlds:
            sets.setdefault(bytes(state.view(self.seat)), []).append((start, state))
        yield from sorted(sets.values(), key=len)

    def _count(self, positions: int) -> None:
        self.left -= positions
        if self.left < 0:
            raise ProofTooLarge


def _child(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after


def _after(worlds: Sequence[World], action: Action) -> list[World]:
    return [(start, _child(state, action)) for start, state in worlds]


def _replies(worlds: Sequence[World]) -> list[World]:
    """The worlds after every action of the other seat."""
    return [(start, _child(state, action)) for start, state in worlds for action in state.legal()]
