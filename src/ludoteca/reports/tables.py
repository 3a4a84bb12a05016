"""A table of texts, once for a terminal and once for a page, so that both always say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from rich import box
from rich.table import Table as RichTable

from ludoteca.games.picture import INK, SEATS

__all__ = ["Table", "duration", "percent", "tint"]

_BOX = box.Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
"""Nothing but a rule below the headings, and a space between columns."""


@dataclass(frozen=True)
class Table:
    """Rows of texts under headings."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[str] = frozenset()
    """The headings of columns of words; all others hold numbers and are set to the right."""
    shades: dict[tuple[int, int], str] = field(default_factory=dict)
    """Background colours of cells by row and column, for the page."""

    @property
    def width(self) -> int:
        """How many characters it needs in a terminal to be shown whole."""
        columns = zip(self.headings, *self.rows, strict=True)
        return sum(2 + max(len(text) for text in column) for column in columns) - 2

    def rich(self) -> RichTable:
        """For a terminal, printed by Rich."""
        table = RichTable(
            title=self.title, title_justify="left", title_style="bold", box=_BOX, padding=(0, 1), pad_edge=False,
            collapse_padding=True, show_edge=False,
        )  # fmt: skip
        for heading in self.headings:
            words = heading in self.words
            table.add_column(heading, justify="left" if words else "right", no_wrap=not words, overflow="fold")
        for row in self.rows:
            table.add_row(*(text.replace("[", r"\[") for text in row))
        return table

    def html(self) -> str:
        """For a page or a notebook."""
        sides = ["left" if heading in self.words else "right" for heading in self.headings]
        head = "".join(
            f"<th style='text-align:{side}'>{escape(text)}</th>"
            for side, text in zip(sides, self.headings, strict=True)
        )
        lines = [
            "".join(
                f"<td style='text-align:{side}{self._shade(y, x)}'>{escape(text)}</td>"
                for x, (side, text) in enumerate(zip(sides, row, strict=True))
            )
            for y, row in enumerate(self.rows)
        ]
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        caption = (
            f"<caption style='text-align:left;font-weight:bold'>{escape(self.title)}</caption>" if self.title else ""
        )
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _shade(self, row: int, column: int) -> str:
        colour = self.shades.get((row, column))
        return f";background:{colour};color:{INK}" if colour else ""


def percent(share: float) -> str:
    """A share as whole per cents, in which only everything is 100% and only nothing 0%.

    >>> percent(0.5), percent(0.999), percent(1.0)
    ('50%', '99%', '100%')
    """
    whole = round(100 * share)
    return f"{min(whole, 99) if share < 1 else 100}%" if share <= 0 or whole > 0 else "1%"


def duration(seconds: float) -> str:
    """A time with two or three digits and its unit.

    >>> duration(0.000042), duration(0.123), duration(7.5), duration(330), duration(9000)
    ('42 µs', '123 ms', '7.5 s', '5.5 min', '2.5 h')
    """
    units = ((7200.0, "h", 3600.0), (120.0, "min", 60.0), (1.0, "s", 1.0), (1e-3, "ms", 1e-3), (0.0, "µs", 1e-6))
    unit, size = next((unit, size) for least, unit, size in units if seconds >= least)
    return f"{seconds / size:.0f} {unit}" if seconds / size >= 10 else f"{seconds / size:.2g} {unit}"


def tint(share: float) -> str:
    """A share of the points as a colour: red for all lost, white for half, blue for all won; light enough to write on.

    >>> tint(0.5)
    '#ffffff'
    """
    colour = SEATS[1] if share > 0.5 else SEATS[0]
    strength = 1.3 * abs(share - 0.5)
    mixed = (round(255 + strength * (int(colour[at : at + 2], 16) - 255)) for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)
