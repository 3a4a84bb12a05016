"""Horses played to the end by every line: slow, and independent of the engine."""

from __future__ import annotations

from ludoteca import _core


class Brute:
    """Plays every line to its end. What is still to come depends on the squares left, not on the points so far."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def lead(self, state: _core.HorsesState) -> int:
        """By how much seat 0 is ahead in the end, if both play for points."""
        view = state.view(0)
        now = view.scores[0] - view.scores[1]
        if state.turn is None:
            return now
        key = (tuple(view.destroyed), view.squares, view.penalised, view.paid_ahead, state.turn)
        if key not in self._known:
            best = max if state.turn == 0 else min
            self._known[key] = best(self.lead(after(state, action)) for action in state.legal()) - now
        return now + self._known[key]

    def margin(self, view: _core.HorsesView) -> int:
        """The lead in the end of the seat that looks."""
        return self.lead(view.sample(0)) * (1 if view.seat == 0 else -1)


def after(state: _core.HorsesState, action: int) -> _core.HorsesState:
    copy = state.copy()
    copy.apply(action)
    return copy
