"""How long a submission thought: the mean and the longest of its first, second, third … move, against the limit."""

from __future__ import annotations

import math

from ludoteca.course.match_statistics import Times
from ludoteca.games.picture import element
from ludoteca.messages import Speaker
from ludoteca.reports.text_table import duration

WIDTH, HEIGHT = 700, 260
LEFT, RIGHT, TOP, BOTTOM = 92, 16, 36, 44
"""Pixels around the plot."""
STEPS = (1, 2, 5, 10, 20, 50, 100)


def time_plot(times: Times, limit: float | None, speaker: Speaker) -> str:
    """An SVG element, coloured by the page; empty where nothing was timed. Its scale is logarithmic."""
    moves = [(total / count, most) for count, total, most in times.by_move if count]
    if not moves:
        return ""
    largest = max([most for _, most in moves] + ([limit] if limit else []))
    smallest = max(1e-6, min(mean for mean, _ in moves))
    low, high = math.floor(math.log10(smallest)), math.ceil(math.log10(largest * 1.05))
    high = max(high, low + 1)

    def x(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / len(moves)

    def y(seconds: float) -> float:
        share = (math.log10(max(seconds, 10.0**low)) - low) / (high - low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, max(0.0, share))

    parts = []
    for power in range(low, high + 1):
        level = y(10.0**power)
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=level, y2=level, **{"class": "axis"}))
        parts.append(element("text", duration(10.0**power), x=LEFT - 6, y=level + 4, text_anchor="end"))
    step = next((each for each in STEPS if len(moves) / each <= 14), STEPS[-1])
    for place in range(0, len(moves), step):
        parts.append(element("text", str(place + 1), x=x(place), y=HEIGHT - BOTTOM + 16, text_anchor="middle"))
    parts.append(element("text", speaker.say("own move"), x=WIDTH - RIGHT, y=HEIGHT - 6, text_anchor="end"))
    if limit:
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(limit), y2=y(limit), **{"class": "limit"}))
    points = " ".join(f"{x(place):.1f},{y(mean):.1f}" for place, (mean, _) in enumerate(moves))
    parts.append(element("polyline", points=points, **{"class": "mean"}))
    parts += [
        element("circle", cx=x(place), cy=y(most), r=3, **{"class": "most"}) for place, (_, most) in enumerate(moves)
    ]
    key = speaker.say("line: mean; dots: longest; dashes: the limit")
    parts.append(element("text", key, x=LEFT, y=20))
    named = speaker.say("Time for each move")
    return (
        f"<svg class='plot' role='img' viewBox='0 0 {WIDTH} {HEIGHT}'>{element('title', named)}{''.join(parts)}</svg>"
    )
