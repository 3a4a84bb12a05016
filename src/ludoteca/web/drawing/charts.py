"""Ratings as an HTML table with their intervals drawn on one scale; screen readers read the figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.games.picture import INK
from ludoteca.messages import say
from ludoteca.ratings.elo import Interval, show_elo
from ludoteca.ratings.interval_scale import IntervalScale
from ludoteca.reports.text_table import percent, tint

ELO_HELP = say("Elo with its 95% interval: 100 points more mean 64% of the points, 400 more mean ten to one.")


def rating_table(heads: Sequence[str], rows: Sequence[Sequence[str | Interval]]) -> str:
    """A table whose last column shows intervals, as text and as bars on one scale.

    Every row ends with an Interval; `heads` names the columns. The first column is aligned left, the others right.
    Texts are escaped here.
    """
    scale = IntervalScale([row[-1] for row in rows if isinstance(row[-1], Interval)], count=3)
    *names, interval = (escape(text) for text in heads)
    head = "".join(f"<th>{name}</th>" for name in names) + f'<th class="wide">{interval}</th>'
    body = "".join(
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" if isinstance(cell, str) else _cells(scale, cell) for cell in row)
        + "</tr>"
        for row in rows
    )
    marks = "".join(f'<i style="left:{100 * scale.at(tick):.1f}%">{show_elo(tick)}</i>' for tick in scale.ticks)
    ticks = f'<div class="ticks" aria-hidden="true">{marks}</div>'
    return f'<table class="plain ratings"><tr>{head}<th>{ticks}</th></tr>{body}</table>'


def _cells(scale: IntervalScale, interval: Interval) -> str:
    """The interval as text, and as a bar; on a narrow screen the text stands above the bar."""
    return (
        f'<td class="wide">{interval.ends}</td>'
        f'<td><small class="narrow">{interval.ends}</small>{scale.bar(interval)}</td>'
    )


def crosstable(agents: Sequence[str], cells: Sequence[Sequence[tuple[int, int, int] | None]]) -> str:
    """Won, drawn and lost by the row against the column, tinted from red over white to blue by the share of points."""

    def cell(result: tuple[int, int, int] | None) -> str:
        if result is None:
            return "<td></td>"
        won, drawn, lost = result
        share = (won + drawn / 2) / (won + drawn + lost)
        return (
            f'<td style="background:{tint(share)};color:{INK}"><b>{percent(share)}</b>'
            f"<small>+{won} ={drawn} −{lost}</small></td>"
        )

    heads = "".join(f'<th title="{escape(agent, quote=True)}">{place}</th>' for place, agent in enumerate(agents, 1))
    rows = "".join(
        f"<tr><th>{place}. {escape(agent)}</th>{''.join(cell(result) for result in row)}</tr>"
        for place, (agent, row) in enumerate(zip(agents, cells, strict=True), 1)
    )
    return f'<table class="plain cross"><tr><th></th>{heads}</tr>{rows}</table>'
