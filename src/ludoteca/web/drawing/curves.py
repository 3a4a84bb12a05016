"""Who was ahead during a match: one curve per agent, since values of different agents are not comparable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise, zip_longest

from ludoteca.agents import strongest
from ludoteca.games.picture import GRID, INK, SEATS
from ludoteca.play.match import Match
from ludoteca.protocols import Decision
from ludoteca.reports.chance import advantage

WIDTH, HEIGHT, LEFT = 320.0, 96.0, 8.0
DASHES = ("", "6 3", "2 3", "8 3 2 3")
"""Line styles by curve; the first curve is solid."""


@dataclass(frozen=True)
class Curve:
    """How far seat 0 was ahead before each action by one agent, from 1 (it wins) to -1; None where it gave no value."""

    agent: str
    values: tuple[float | None, ...]

    @property
    def has_values(self) -> bool:
        """Whether there is any value."""
        return any(value is not None for value in self.values)


def curves_of(match: Match, decisions: Sequence[Decision | None]) -> list[Curve]:
    """A curve for each agent with decisions; that of the strongest engine first.

    decisions: for each action the decision behind it, if it may be shown.
    """
    found: dict[str, list[float | None]] = {}
    for ply, (mover, decision) in enumerate(zip(match.movers, decisions, strict=True)):
        agent = match.who(ply).agent
        ahead = None if decision is None else advantage(match.game, agent, decision)
        if ahead is not None:
            found.setdefault(agent, [None] * len(decisions))[ply] = ahead if mover == 0 else -ahead
    best = strongest(match.game)
    curves = [Curve(agent, tuple(values)) for agent, values in found.items()]
    return sorted(curves, key=lambda curve: curve.agent.partition(":")[0] != best)


def curves_after(first: Curve | None, others: Sequence[Curve]) -> list[Curve]:
    """`first`, then the others, one for each agent: where `first` has no value, one of the same agent's own counts."""
    if first is None:
        return list(others)
    own = next((each.values for each in others if each.agent == first.agent), ())
    values = tuple(mine if value is None else value for value, mine in zip_longest(first.values, own))
    return [Curve(first.agent, values), *(each for each in others if each.agent != first.agent)]


TURNED = 0.4
"""A turning point changes the chance to win by at least so much, on a scale from -1 to 1."""


def turning_point(curves: Sequence[Curve]) -> int | None:
    """The number of the action after which the first curve changed most; None if it never changed much."""
    for curve in curves:
        known = [(ply, value) for ply, value in enumerate(curve.values) if value is not None]
        changes = [(abs(after - before), ply - 1) for (_, before), (ply, after) in pairwise(known)]
        if changes:
            most, ply = max(changes)
            return ply if most >= TURNED else None
    return None


def draw_curves(
    curves: Sequence[Curve],
    at: int | None = None,
    *,
    title: str = "",
    marks: Sequence[int] = (),
    colours: Sequence[str] = SEATS,
) -> str:
    """Draws curves as one small SVG, 1 on top, with a line at `at` and rings at `marks` on the first curve.

    Points of the first curve link to their action through ``data-ply``. colours: those of the seats.
    """
    count = max((len(curve.values) for curve in curves), default=0)
    step = (WIDTH - 2 * LEFT) / max(1, count - 1)
    parts = [
        f"<rect width='{WIDTH:g}' height='{HEIGHT / 2:g}' fill='{colours[0]}' fill-opacity='.10'/>",
        f"<rect y='{HEIGHT / 2:g}' width='{WIDTH:g}' height='{HEIGHT / 2:g}' fill='{colours[1]}' fill-opacity='.10'/>",
        f"<line x1='0' x2='{WIDTH:g}' y1='{HEIGHT / 2:g}' y2='{HEIGHT / 2:g}' stroke='{GRID}'/>",
    ]
    if at is not None and count:
        x = LEFT + min(at, count - 1) * step
        parts.append(f"<line x1='{x:.1f}' x2='{x:.1f}' y1='0' y2='{HEIGHT:g}' stroke='{GRID}' stroke-dasharray='3 3'/>")
    for place, curve in reversed(list(enumerate(curves))):
        points = {
            ply: (LEFT + ply * step, HEIGHT / 2 - max(-1.0, min(1.0, value)) * (HEIGHT / 2 - 8))
            for ply, value in enumerate(curve.values)
            if value is not None
        }
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.values())
        dash = f" stroke-dasharray='{DASHES[place % len(DASHES)]}'" if place else ""
        if path:
            width = 2 if place == 0 else 1.2
            parts.append(f"<polyline points='{path}' fill='none' stroke='currentColor' stroke-width='{width}'{dash}/>")
        if place == 0:
            for ply, (x, y) in points.items():
                fill = colours[0] if y < HEIGHT / 2 else colours[1] if y > HEIGHT / 2 else GRID
                if ply in marks:
                    parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='6.5' fill='none' stroke='currentColor'/>")
                parts.append(
                    f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{fill}' stroke='{INK}' stroke-width='.5' "
                    f"data-ply='{ply}'/>"
                )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH:g} {HEIGHT:g}' class='plot' role='img' "
        f"aria-label='{escape(title, quote=True)}'>{''.join(parts)}</svg>"
    )


def key_line(place: int) -> str:
    """A sample of a curve's line for the legend."""
    dash = f" stroke-dasharray='{DASHES[place % len(DASHES)]}'" if place else ""
    width = 2 if place == 0 else 1.2
    return (
        f"<svg viewBox='0 0 28 8' width='28' height='8' aria-hidden='true'>"
        f"<line x1='0' x2='28' y1='4' y2='4' stroke='currentColor' stroke-width='{width}'{dash}/></svg>"
    )
