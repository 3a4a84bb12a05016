"""Learning curves as charts: lines with their intervals, in a plot that is as wide as the screen allows.

The plot is stretched, its lines are not (``vector-effect``), and its labels are HTML: so they stay readable on a phone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ludoteca.messages import Speaker

MOST_POINTS = 240
"""Points of a line that are drawn; of more, equally spaced ones and the last."""
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 5", "12 4")
"""Line styles: lines differ not only in colour."""
NARROWEST = 0.2
"""The least range of a chart of shares."""


@dataclass(frozen=True)
class Line:
    """One line of a chart: x, y, and the ends of the interval of y, where there is one."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]
    place: int = 0
    """Selects colour and dashes; the same line has the same in all charts."""


def thinned(points: Sequence[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
    """At most MOST_POINTS points, the last among them."""
    step = math.ceil(len(points) / MOST_POINTS)
    return [*reversed(points[::-1][::step])] if step else []


def draw_chart(speaker: Speaker, lines: Sequence[Line], title: str, unit: str, *, shares: bool) -> str:
    """A chart as HTML: plot, labels and legend. title: what y is. unit: what x counts. shares: y goes from 0 to 1."""
    drawn = [Line(line.name, tuple(thinned(line.points)), line.place) for line in lines if line.points]
    ends = [end for line in drawn for point in line.points for end in point[1:]]
    if not ends:
        return ""
    low, high = _range(ends, shares=shares)
    last = max(point[0] for line in drawn for point in line.points) or 1.0

    def place(x: float, y: float) -> str:
        return f"{1000 * x / last:.1f},{300 * (high - y) / (high - low):.1f}"

    rows, columns = ticks(low, high), [each for each in ticks(0, last) if each == round(each)]
    parts = [f"<path d='M0,{y:.1f}H1000' class='grid'/>" for y in (300 * (high - y) / (high - low) for y in rows)]
    for line in drawn:
        if any(bottom < top for _, _, bottom, top in line.points):
            there = " ".join(place(x, top) for x, _, _, top in line.points)
            back = " ".join(place(x, bottom) for x, _, bottom, _ in reversed(line.points))
            parts.append(f"<polygon points='{there} {back}' class='band line{line.place}'/>")
    for line in drawn:
        path = " ".join(place(x, y) for x, y, *_ in line.points)
        parts.append(f"<polyline points='{path}' class='line line{line.place}'{_dashes(line.place)}/>")
        if len(line.points) < 60:
            dots = "".join(f"M{place(x, y)}h0" for x, y, *_ in line.points)
            parts.append(f"<path d='{dots}' class='dots line{line.place}'/>")
    sides = "".join(
        f"<i style='bottom:{100 * (y - low) / (high - low):.1f}%'>{_value(speaker, y, shares=shares)}</i>" for y in rows
    )
    below = "".join(f"<i style='left:{100 * x / last:.1f}%'>{speaker.number(x, ',.0f')}</i>" for x in columns)
    keys = "".join(f"<li>{key(line.place)} {escape(line.name)}</li>" for line in drawn)
    spoken = escape(_summary(speaker, drawn, title, unit, shares=shares), quote=True)
    return (
        f"<figure class='chart'><figcaption class='subtitle'>{escape(title)}</figcaption><div class='axes'>"
        f"<div class='y-axis' aria-hidden='true'>{sides}</div>"
        f"<svg viewBox='0 0 1000 300' preserveAspectRatio='none' role='img' "
        f"aria-label='{spoken}'>{''.join(parts)}</svg>"
        f"<div class='x-axis' aria-hidden='true'>{below}</div></div>"
        f"<small>{escape(unit)}</small><ul class='legend'>{keys}</ul></figure>"
    )


def key(place: int) -> str:
    """A sample of a line for the legend."""
    return (
        f"<svg viewBox='0 0 28 8' width='28' height='8' aria-hidden='true'>"
        f"<path d='M0,4H28' class='line line{place}'{_dashes(place)}/></svg>"
    )


def ticks(low: float, high: float) -> list[float]:
    """About four round values from low to high.

    >>> ticks(0, 1), ticks(0, 150_000)
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0, 50000, 100000, 150000])
    """
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * index for index in range(first, last + 1)]


def _range(ends: Sequence[float], *, shares: bool) -> tuple[float, float]:
    """What y covers: of shares whole tenths around them, else from 0, or below."""
    low, high = min(ends), max(ends)
    if not shares:
        return min(0.0, low), max(high * 1.05, low + 1e-9, 1e-9)
    low, high = math.floor(low * 10 + 1e-9) / 10, math.ceil(high * 10 - 1e-9) / 10
    if high - low < NARROWEST:
        low, high = max(0.0, high - NARROWEST), max(high, NARROWEST)
    return low, high


def _dashes(place: int) -> str:
    dashes = DASHES[place % len(DASHES)]
    return f" stroke-dasharray='{dashes}'" if dashes else ""


def _value(speaker: Speaker, value: float, *, shares: bool) -> str:
    return f"{speaker.number(100 * value, '.3g')}%" if shares else speaker.number(value, ".3g")


def _summary(speaker: Speaker, lines: Sequence[Line], title: str, unit: str, *, shares: bool) -> str:
    """The chart in words: where each line begins and ends."""

    def spoken(line: Line) -> str:
        (_, first, *_), (at, last, *_) = line.points[0], line.points[-1]
        begin, end = (_value(speaker, each, shares=shares) for each in (first, last))
        return f"{line.name}: {begin} → {end} ({speaker.number(at, ',.0f')} {unit})"

    ends = "; ".join(map(spoken, lines))
    return f"{title}. {ends}"
