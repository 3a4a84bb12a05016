"""Pictures of standings and ratings, as SVG and as PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoteca.agents.identity import Identity, short_names
from ludoteca.games.picture import GRID, HOT, INK, SEATS
from ludoteca.ratings.bradley_terry import Interval, Ratings
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.ratings import zero_of
from ludoteca.reports.sheet import Sheet
from ludoteca.reports.standings import Standings
from ludoteca.reports.tables import percent, tint

__all__ = ["crosstable_png", "crosstable_svg", "ratings_png", "ratings_svg"]

MARGIN, ROW, LETTER = 18.0, 30.0, 8.0
"""Pixels around everything, from one agent to the next, and for a letter of a name at most, on average."""
LONGEST = 44
"""Letters of a name before it is cut."""
PALE = "#e6dfd0"
FADED = "#7d7263"


def crosstable_svg(standings: Standings) -> str:
    """Who beat whom: in each row an agent's share of the points against each other one, from red over white to blue."""
    return _crosstable(standings).svg()


def crosstable_png(standings: Standings, scale: float = 2.0) -> bytes:
    """The same as `crosstable_svg` as a PNG file, `scale` pixels for one."""
    return _crosstable(standings).png(scale)


def ratings_svg(ratings: Ratings[Identity]) -> str:
    """The ratings with their 95% intervals on a scale, the strongest on top; an arrow where an interval has no end."""
    return _ratings(ratings).svg()


def ratings_png(ratings: Ratings[Identity], scale: float = 2.0) -> bytes:
    """The same as `ratings_svg` as a PNG file, `scale` pixels for one."""
    return _ratings(ratings).png(scale)


def _crosstable(standings: Standings) -> Sheet:
    names, shown = standings.agents, short_names(standings.agents)
    if not names:
        return _nothing()
    cell = max(52.0, 14 + 6.2 * max(len(_detail(standings, a, b)) for a in names for b in names))
    labels = 30 + _room([*shown.values()])
    top, left = MARGIN + 62, MARGIN + labels
    width = left + cell * len(names) + 60 + MARGIN
    sheet = Sheet(max(width, 430), top + (ROW + 8) * len(names) + MARGIN, "Crosstable")
    sheet.text(MARGIN, MARGIN + 10, "Points of the row against the column", size=16, bold=True)
    sheet.text(MARGIN, MARGIN + 31, "share of the points; won–drawn–lost", size=11.5, colour=FADED)
    end = left + cell * len(names)
    for x, _ in enumerate(names):
        sheet.text(left + cell * (x + 0.5), top - 12, str(x + 1), size=13, side="middle", colour=FADED)
    sheet.text(end + 60, top - 12, "all", size=13, side="end", colour=FADED)
    for y, name in enumerate(names):
        above = top + (ROW + 8) * y
        middle = above + (ROW + 8) / 2
        sheet.text(MARGIN + 18, middle, str(y + 1), side="end", colour=FADED)
        sheet.text(MARGIN + 28, middle, _cut(shown[name]))
        for x, other in enumerate(names):
            score = standings.crosstable[name].get(other)
            sheet.box(left + cell * x + 1, above + 1, cell - 2, ROW + 6, tint(score.share) if score else PALE)
            if score:
                sheet.text(left + cell * (x + 0.5), middle - 6, percent(score.share), size=13, side="middle", bold=True)
                detail = _detail(standings, name, other)
                sheet.text(left + cell * (x + 0.5), middle + 9, detail, size=10, side="middle")
        total = standings.score(name)
        sheet.text(end + 60, middle - 6, percent(total.share), size=13, side="end", bold=True)
        sheet.text(end + 60, middle + 9, f"of {total.matches}", size=10, side="end", colour=FADED)
    return sheet


def _ratings(ratings: Ratings[Identity]) -> Sheet:
    if not ratings.agents:
        return _nothing()
    shown = short_names(ratings.agents)
    rows: list[tuple[str, Interval, str] | None] = []  # None parts groups that cannot be compared
    for group in ratings.groups:
        rows += [None] if rows else []
        rows += [(shown[name], ratings.agents[name], SEATS[1]) for name in group]
    rows += [None, ("first seat", ratings.first_seat, HOT)]
    ticks = _ticks([row[1] for row in rows if row])
    left, plot = MARGIN + _room([row[0] for row in rows if row]) + 16, 420.0
    values, top = 170.0, MARGIN + 56
    height = top + ROW * len(rows) + 30 + MARGIN
    sheet = Sheet(left + plot + values + MARGIN, height, "Ratings")
    sheet.text(MARGIN, MARGIN + 10, "Ratings", size=16, bold=True)
    sheet.text(MARGIN, MARGIN + 31, f"Elo with 95% intervals; 0 is {zero_of(ratings, shown)}", size=11.5, colour=FADED)

    def at(elo: float) -> float:
        return left + plot * (elo - ticks[0]) / (ticks[-1] - ticks[0])

    bottom = top + ROW * len(rows)
    for tick in ticks:
        sheet.line(at(tick), top, at(tick), bottom, INK if tick == 0 else GRID, 1.2 if tick == 0 else 0.7)
        sheet.text(at(tick), bottom + 16, show_elo(tick), size=11.5, side="middle", colour=FADED)
    for y, row in enumerate(rows):
        middle = top + ROW * (y + 0.5)
        if row is None:
            sheet.line(MARGIN, middle, sheet.width - MARGIN, middle, PALE, 2)
            continue
        name, interval, colour = row
        sheet.text(left - 16, middle, _cut(name), side="end", colour=FADED if colour == HOT else INK)
        stub = (ticks[-1] - ticks[0]) / 16  # at least so much is shown of an interval that lies outside
        low = max(interval.low, ticks[0]) if interval.low < ticks[-1] else ticks[-1] - stub
        high = min(interval.high, ticks[-1]) if interval.high > ticks[0] else ticks[0] + stub
        sheet.line(at(low), middle, at(high), middle, colour, 3)
        for value, end, inwards in ((interval.low, low, 8), (interval.high, high, -8)):
            if ticks[0] <= value <= ticks[-1]:
                sheet.line(at(end), middle - 5, at(end), middle + 5, colour, 2)
            elif (value < ticks[0]) == (inwards > 0):  # it goes on beyond the scale
                sheet.line(at(end), middle, at(end) + inwards, middle - 6, colour, 2.5)
                sheet.line(at(end), middle, at(end) + inwards, middle + 6, colour, 2.5)
        if ticks[0] <= interval.elo <= ticks[-1]:
            sheet.dot(at(interval.elo), middle, 5.5, colour)
        sheet.text(left + plot + 62, middle, show_elo(interval.elo), side="end", bold=True)
        ends = f"{show_elo(interval.low)} … {show_elo(interval.high)}"
        sheet.text(left + plot + values, middle, ends, size=11.5, side="end", colour=FADED)
    return sheet


def _ticks(intervals: Sequence[Interval]) -> list[float]:
    """Round values from below the intervals to above them, 0 among them; about six.

    Intervals without an end may lie far out, where nothing is known: they widen the scale by no more than a half.
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
    rough = max(high - low, 20.0) / 6
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough)
    first, last = math.floor(low / step - 0.02), math.ceil(high / step + 0.02)
    return [step * index for index in range(first, last + 1)]


def _detail(standings: Standings, name: Identity, other: Identity) -> str:
    score = standings.crosstable[name].get(other)
    return f"{score.wins}–{score.draws}–{score.losses}" if score else ""


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _room(names: Sequence[str]) -> float:
    """Pixels for the longest of these names."""
    return LETTER * max(len(_cut(name)) for name in names) + 12


def _nothing() -> Sheet:
    sheet = Sheet(240, 60, "No matches")
    sheet.text(120, 30, "No matches yet", side="middle")
    return sheet
