"""The scale on which several ratings with their 95% intervals are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.games.picture import GRID, SEATS
from ludoteca.ratings.elo import Interval


class _Span(NamedTuple):
    """Where an interval lies on a scale, from 0 to 1."""

    low: float
    high: float
    elo: float | None
    """None if it lies outside."""
    open_low: bool
    """Whether the interval goes on below the scale."""
    open_high: bool


class IntervalScale:
    """The common scale of several intervals: it runs from the first to the last of its round `ticks`.

    >>> IntervalScale([Interval(120, 90, math.inf), Interval(-40, -80, 0)]).ticks
    [-100, -50, 0, 50, 100, 150]
    """

    def __init__(self, intervals: Sequence[Interval], count: int = 6) -> None:
        """count: about so many ticks."""
        self.ticks = _ticks(intervals, count)

    def at(self, elo: float) -> float:
        """The place of a value, from 0 to 1; a value outside is moved to the nearer end."""
        first, last = self.ticks[0], self.ticks[-1]
        return min(1.0, max(0.0, (elo - first) / (last - first)))

    def span(self, interval: Interval) -> _Span:
        """The place of an interval. Of one that lies outside, a sixteenth of the scale is shown."""
        first, last = self.ticks[0], self.ticks[-1]
        return _Span(
            self.at(interval.low) if interval.low < last else 15 / 16,
            self.at(interval.high) if interval.high > first else 1 / 16,
            self.at(interval.elo) if first <= interval.elo <= last else None,
            interval.low < first,
            interval.high > last,
        )

    def bar(self, interval: Interval) -> str:
        """The interval as a bar in SVG that fills the width of a table cell; arrows where it goes on."""
        span = self.span(interval)
        parts = [_line(self.at(tick), self.at(tick), "0", "100%", GRID, "s-grid", 1) for tick in self.ticks]
        parts.append(_line(span.low, span.high, "50%", "50%", SEATS[1], "s-seat1", 3))
        if span.open_low:
            parts.append(_arrow(span.low, 7))
        if span.open_high:
            parts.append(_arrow(span.high, -7))
        if span.elo is not None:
            parts.append(f'<circle cx="{100 * span.elo:.1f}%" cy="50%" r="5" fill="{SEATS[1]}" class="f-seat1"/>')
        return f'<svg class="interval" width="100%" height="18" aria-hidden="true">{"".join(parts)}</svg>'


def _line(x1: float, x2: float, y1: str, y2: str, colour: str, style: str, width: int) -> str:
    return (
        f'<line x1="{100 * x1:.1f}%" x2="{100 * x2:.1f}%" y1="{y1}" y2="{y2}" '
        f'stroke="{colour}" stroke-width="{width}" class="{style}"/>'
    )


def _arrow(x: float, inwards: int) -> str:
    """An arrowhead at x; an inner drawing can mix per cents with pixels."""
    return (
        f'<svg x="{100 * x:.1f}%" y="50%" overflow="visible"><path d="M{inwards} -5L0 0L{inwards} 5" fill="none" '
        f'stroke="{SEATS[1]}" stroke-width="2" class="s-seat1"/></svg>'
    )


def _ticks(intervals: Sequence[Interval], count: int) -> list[float]:
    """Round values from below the intervals to above them, 0 among them.

    Values of open intervals may lie far out, where nothing is known: they widen the scale by at most a half.
    """

    def range_of(chosen: Sequence[Interval]) -> tuple[float, float]:
        ends = [end for each in chosen for end in (each.low, each.elo, each.high) if math.isfinite(end)]
        return min([0.0, *ends]), max([0.0, *ends])

    whole = range_of(intervals)
    low, high = range_of([each for each in intervals if math.isfinite(each.margin)])
    if high > low:
        half = (high - low) / 2
        low, high = max(whole[0], low - half), min(whole[1], high + half)
    else:
        low, high = whole
    rough = max(high - low, 20.0) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    first, last = math.floor(low / step - 0.02), math.ceil(high / step + 0.02)
    return [step * index for index in range(first, last + 1)]
