"""Ratings as a table with their intervals drawn on one scale; a person compares at a glance, a screen reader reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ludoteca.games.picture import INK
from ludoteca.messages import say
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.tables import percent, tint

__all__ = ["ELO_HELP", "Bar", "crosstable", "rating_table"]

ELO_HELP = say("Elo with its 95% interval: 100 more are 64% of the points, 400 more are ten to one.")
LEAST = 100.0  # Elo points that a scale spans at least, so that a small difference does not look like a large one


@dataclass(frozen=True)
class Bar:
    """A rating with its 95% interval, in Elo points; an end may be infinite."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{show_elo(self.low)} … {show_elo(self.high)}"


def rating_table(heads: Sequence[str], rows: Sequence[Sequence[str | Bar]]) -> str:
    """Texts under headings, and after the last of them a bar; rows end with a Bar, heads name the texts and the bar.

    The first column is set to the left, as names are, the others to the right. Texts are escaped here.
    """
    scale = _Scale([row[-1] for row in rows if isinstance(row[-1], Bar)])
    *names, interval = (escape(text) for text in heads)
    head = "".join(f"<th>{name}</th>" for name in names) + f'<th class="wide">{interval}</th>'
    body = "".join(
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" if isinstance(cell, str) else scale.cells(cell) for cell in row)
        + "</tr>"
        for row in rows
    )
    return f'<table class="plain ratings"><tr>{head}<th>{scale.ticks()}</th></tr>{body}</table>'


class _Scale:
    """From Elo points to per cents of the width."""

    def __init__(self, bars: Sequence[Bar]) -> None:
        ends = [end for bar in bars for end in (bar.elo, bar.low, bar.high) if math.isfinite(end)]
        low, high = min(ends, default=0.0), max(ends, default=0.0)
        middle, reach = (low + high) / 2, max(LEAST, high - low) / 2 * 1.06
        self.low, self.high = middle - reach, middle + reach

    def at(self, elo: float) -> float:
        return max(0.0, min(100.0, 100 * (elo - self.low) / (self.high - self.low)))

    def _marks(self) -> list[float]:
        """Round numbers on the scale, three or four of them."""
        span = self.high - self.low
        step = next(size for size in (25, 50, 100, 200, 250, 500, 1000, 2000, 5000, math.inf) if span / size < 4)
        return [step * place for place in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]

    def ticks(self) -> str:
        marks = "".join(f'<i style="left:{self.at(mark):.1f}%">{show_elo(mark)}</i>' for mark in self._marks())
        return f'<div class="ticks" aria-hidden="true">{marks}</div>'

    def cells(self, bar: Bar) -> str:
        """The interval as text, and drawn; an end that is open fades out."""
        left, right = self.at(bar.low), self.at(bar.high)
        fade = f"{' open-low' if math.isinf(bar.low) else ''}{' open-high' if math.isinf(bar.high) else ''}"
        lines = "".join(f'<s style="left:{self.at(mark):.1f}%"></s>' for mark in self._marks())
        return (
            f'<td class="wide">{bar}</td>'
            f'<td><small class="narrow">{bar}</small><div class="interval" aria-hidden="true">{lines}'
            f'<i class="{fade.strip()}" style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
            f'<b style="left:{self.at(bar.elo):.1f}%"></b></div></td>'
        )


def crosstable(agents: Sequence[str], cells: Sequence[Sequence[tuple[int, int, int] | None]]) -> str:
    """Who fared how against whom: won, drawn and lost by the row, tinted from red over white to blue by the points."""

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
