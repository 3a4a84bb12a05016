"""A person's strength over time as a small picture: a line with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.ratings.elo import Interval

WIDTH, HEIGHT, EDGE = 320.0, 96.0, 8.0


def strength_chart(history: Sequence[Interval], title: str) -> str:
    """The rating after each match, the newest on the right. All ends must be finite; empty for fewer than two."""
    if len(history) < 2:
        return ""
    lowest, highest = min(each.low for each in history), max(each.high for each in history)
    span = max(1.0, highest - lowest)

    def point(place: int, elo: float) -> str:
        x = EDGE + place * (WIDTH - 2 * EDGE) / (len(history) - 1)
        return f"{x:.1f},{HEIGHT - EDGE - (elo - lowest) / span * (HEIGHT - 2 * EDGE):.1f}"

    line = " ".join(point(place, each.elo) for place, each in enumerate(history))
    upper = [point(place, each.high) for place, each in enumerate(history)]
    lower = [point(place, each.low) for place, each in enumerate(history)]
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" class="plot" role="img" aria-label="{escape(title, quote=True)}">'
        f'<polygon class="band line1" points="{" ".join([*upper, *lower[::-1]])}"/>'
        f'<polyline class="line line1" points="{line}"/></svg>'
    )
