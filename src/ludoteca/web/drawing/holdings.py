"""The kinds of pieces that a hand can hold, to be clicked, each with the chance that the other player holds it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from ludoteca.messages import Speaker
from ludoteca.reports.chance import percent


class Chance(NamedTuple):
    """The chance that the other player holds a kind of piece."""

    share: float
    """From 0 to 1; 0 and 1 only when that is certain."""
    error: float = 0.0
    """Half the width of the 95% interval; 0 for an exact chance."""
    expected: float | None = None
    """How many it holds on average, where there are several of a kind."""


class Cell(NamedTuple):
    """One kind of piece."""

    piece: int
    name: str
    picture: str
    """SVG."""
    state: str = ""
    """Where the piece is, if that is known, such as ``yours``; translated."""
    mark: str = ""
    """The state in one or two characters."""
    chance: Chance | None = None
    legal: bool = False
    """Whether a click on it means something now."""
    chosen: bool = False


def holdings_html(speaker: Speaker, cells: Iterable[Cell]) -> str:
    """A button for each kind, in a fixed order; those that mean nothing now are disabled.

    What is possible has a bar and a number, what is impossible a cross, so that nothing depends on colours.
    """
    return "".join(_button(speaker, cell) for cell in cells)


def _button(speaker: Speaker, cell: Cell) -> str:
    known, chance = cell.state, cell.chance
    look = "chosen" if cell.chosen else "known" if known else "open"
    below, bar = escape(cell.mark), ""
    if not known and chance is not None:
        look, below = ("impossible", "✕") if chance.share == 0 else ("possible", f"{percent(chance.share)}%")
        known = speaker.say("the other holds it: {chance}", chance=chance_text(chance))
        if chance.expected is not None and chance.share:
            several = speaker.say("{number:.1f} on average", number=chance.expected)
            known, below = f"{known}, {several}", f"{below} · {speaker.number(chance.expected, '.1f')}"
        bar = f'<i class="share" style="--share:{100 * chance.share:.0f}%"></i>'
    fits, off = (" fits", "") if cell.legal else ("", ' aria-disabled="true" tabindex="-1"')
    pressed = ' aria-pressed="true"' if cell.chosen else ""
    said = f'<span class="unseen">, {escape(known)}</span>' if known else ""
    return (
        f'<button type="button" class="piece {look}{fits}" data-action="{cell.piece}"{off}{pressed}>{cell.picture}'
        f'<span class="name">{escape(cell.name)}</span><small aria-hidden="true">{below or "&nbsp;"}</small>{said}{bar}'
        "</button>"
    )


def chance_text(chance: Chance) -> str:
    """``37%``, or ``37% ± 3`` for a sampled chance.

    >>> chance_text(Chance(0.37, 0.028)), chance_text(Chance(0.0))
    ('37% ± 3', '0%')
    """
    shown = f"{percent(chance.share)}%"
    return f"{shown} ± {max(1, round(100 * chance.error))}" if chance.error else shown
