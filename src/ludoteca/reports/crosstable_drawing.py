"""The crosstable of a tournament as a drawing, for a report."""

from __future__ import annotations

from ludoteca.agents.identity import Identity, short_names
from ludoteca.games.drawing import Drawing
from ludoteca.ratings.chart import FADED, LETTER, MARGIN, PALE, ROW, cut, interval_chart
from ludoteca.reports.standings import Standings
from ludoteca.reports.text_table import percent, tint


def crosstable_drawing(standings: Standings) -> Drawing:
    """Who beat whom: each row is an agent's share of the points against each other one, from red over white to blue."""
    names, shown = standings.agents, short_names(standings.agents)
    if not names:
        return interval_chart([])  # which says that there are no matches
    cell = max(52.0, 14 + 6.2 * max(len(_detail(standings, a, b)) for a in names for b in names))
    labels = 42 + LETTER * max(len(cut(name)) for name in shown.values())
    top, left = MARGIN + 62, MARGIN + labels
    width = left + cell * len(names) + 60 + MARGIN
    drawing = Drawing(max(width, 430), top + (ROW + 8) * len(names) + MARGIN, "Crosstable")
    drawing.text(MARGIN, MARGIN + 10, "Points of the row against the column", size=16, bold=True)
    drawing.text(MARGIN, MARGIN + 31, "share of the points; won–drawn–lost", size=11.5, colour=FADED)
    end = left + cell * len(names)
    for x, _ in enumerate(names):
        drawing.text(left + cell * (x + 0.5), top - 12, str(x + 1), size=13, side="middle", colour=FADED)
    drawing.text(end + 60, top - 12, "all", size=13, side="end", colour=FADED)
    for y, name in enumerate(names):
        above = top + (ROW + 8) * y
        middle = above + (ROW + 8) / 2
        drawing.text(MARGIN + 18, middle, str(y + 1), side="end", colour=FADED)
        drawing.text(MARGIN + 28, middle, cut(shown[name]))
        for x, other in enumerate(names):
            score = standings.crosstable[name].get(other)
            drawing.box(left + cell * x + 1, above + 1, cell - 2, ROW + 6, tint(score.share) if score else PALE)
            if score:
                drawing.text(
                    left + cell * (x + 0.5), middle - 6, percent(score.share), size=13, side="middle", bold=True
                )
                detail = _detail(standings, name, other)
                drawing.text(left + cell * (x + 0.5), middle + 9, detail, size=10, side="middle")
        total = standings.score(name)
        drawing.text(end + 60, middle - 6, percent(total.share), size=13, side="end", bold=True)
        drawing.text(end + 60, middle + 9, f"of {total.matches}", size=10, side="end", colour=FADED)
    return drawing


def _detail(standings: Standings, name: Identity, other: Identity) -> str:
    score = standings.crosstable[name].get(other)
    return f"{score.wins}–{score.draws}–{score.losses}" if score else ""
