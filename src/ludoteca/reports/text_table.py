"""A table of texts that prints in a terminal and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from ludoteca.catalogues import Language
from ludoteca.games.picture import INK, SEATS
from ludoteca.messages import Message, numbers_translated, say, translate

_BOX = box.Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
"""Only a rule below the headings, and a space between columns."""


@dataclass(frozen=True)
class TextTable:
    """Rows of texts under headings. Title, headings and cells may be Messages, which are translated when shown."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[str] = frozenset()
    """The headings of columns with words; all others hold numbers and are aligned right."""
    shades: dict[tuple[int, int], str] = field(default_factory=dict)
    """Background colours of cells by row and column, for HTML."""
    name: str = "Agent"
    """The heading of the column of names, which get lines of their own where the table is too wide."""

    @property
    def width(self) -> int:
        """How many characters it needs in a terminal."""
        return sum(self._widths()) + 2 * (len(self.headings) - 1)

    def translated(self, language: Language) -> TextTable:
        """The table in a language."""
        said = {heading: translate(heading, language) for heading in self.headings}
        holds_words = [heading in self.words for heading in self.headings]

        def said_in(cell: str, words: bool) -> str:
            if words or isinstance(cell, Message):
                return translate(cell, language)
            return numbers_translated(cell, language)

        return replace(
            self,
            title=translate(self.title, language),
            headings=list(said.values()),
            rows=[[*map(said_in, row, holds_words)] for row in self.rows],
            words=frozenset(said[heading] for heading in self.words if heading in said),
            name=said.get(self.name, self.name),
        )

    def rich(self, width: int, language: Language = "en") -> RenderableType:
        """For Rich, in a terminal of this width. Nothing is left out or cut, however narrow it is.

        What is too wide gets each name on a line of its own, with the row below; or, where that is still too wide, with
        the cells below, each after its heading.
        """
        whole = self.translated(language)
        if whole.width <= width:
            return whole._in_columns()
        rest = whole._without(whole.name)
        return whole._below_names(rest) if rest.width + 2 <= width else whole._as_fields(rest, width)

    def _in_columns(self) -> RichTable:
        table = RichTable(
            title=Text(self.title) if self.title else None, title_justify="left", title_style="bold", box=_BOX,
            padding=(0, 1), pad_edge=False, collapse_padding=True, show_edge=False,
        )  # fmt: skip
        for heading in self.headings:
            table.add_column(Text(heading), justify="left" if heading in self.words else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(text) for text in row))
        return table

    def _below_names(self, rest: TextTable) -> RenderableType:
        """Each name on its own line with its row of `rest` below: for very long names."""
        sizes = rest._widths()

        def line(cells: Sequence[str]) -> Text:
            parts = [
                text.ljust(size) if heading in rest.words else text.rjust(size)
                for text, heading, size in zip(cells, rest.headings, sizes, strict=True)
            ]
            return Text("  " + "  ".join(parts).rstrip(), no_wrap=True, overflow="ignore")

        at = list(self.headings).index(self.name)
        lines = [Text(self.title, style="bold")] if self.title else []
        lines += [Text(self.name), line(rest.headings), Text("─" * (rest.width + 2))]
        for row, cells in zip(self.rows, rest.rows, strict=True):
            lines += [Text(row[at], overflow="fold"), line(cells)]  # only a name longer than the line is broken
        return Group(*lines)

    def _as_fields(self, rest: TextTable, width: int) -> RenderableType:
        """Each name on its own line, and below it the cells of its row of `rest`, all with their headings.

        An empty cell is left out, unless its whole column is empty: then a dash shows that there is such a column.
        """
        at = list(self.headings).index(self.name)
        empty = ["–" if not any(column) else "" for column in zip(*rest.rows, strict=True)]
        lines = [Text(self.title, style="bold", overflow="fold")] if self.title else []
        for row, cells in zip(self.rows, rest.rows, strict=True):
            lines.append(Text(f"{self.name} {row[at]}".strip(), style="bold", overflow="fold"))
            line = ""
            for heading, cell, instead in zip(rest.headings, cells, empty, strict=True):
                field = f"  {heading} {cell or instead}" if cell or instead else ""
                if line and cell_len(line) + cell_len(field) > width:
                    lines.append(Text(line, overflow="fold"))
                    line = ""
                line += field
            lines.append(Text(line, overflow="fold"))
        return Group(*lines)

    def _without(self, heading: str) -> TextTable:
        at = list(self.headings).index(heading)

        def less(cells: Sequence[str]) -> list[str]:
            return [*cells[:at], *cells[at + 1 :]]

        return replace(self, headings=less(self.headings), rows=[less(row) for row in self.rows], shades={})

    def _widths(self) -> list[int]:
        return [max(map(cell_len, column)) for column in zip(self.headings, *self.rows, strict=True)]

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


def whole_table(columns: int, padding: tuple[int, int, int, int] = (0, 2, 0, 2)) -> RichTable:
    """A table of Rich without headings whose cells wrap where it is too wide, so that nothing is cut."""
    table = RichTable(box=None, padding=padding, show_header=False)
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


def percent(share: float) -> str:
    """A share in whole per cent; 100% only for everything, 0% only for nothing.

    >>> percent(0.5), percent(0.999), percent(1.0)
    ('50%', '99%', '100%')
    """
    whole = round(100 * share)
    return f"{min(whole, 99) if share < 1 else 100}%" if share <= 0 or whole > 0 else "1%"


def duration(seconds: float) -> str:
    """A time with two or three digits and a unit.

    >>> duration(0.000042), duration(0.123), duration(7.5), duration(330), duration(9000)
    ('42 µs', '123 ms', '7.5 s', '5.5 min', '2.5 h')
    """
    units = ((7200.0, "h", 3600.0), (120.0, "min", 60.0), (1.0, "s", 1.0), (1e-3, "ms", 1e-3), (0.0, "µs", 1e-6))
    unit, size = next((unit, size) for least, unit, size in units if seconds >= least)
    return f"{seconds / size:.0f} {unit}" if seconds / size >= 10 else f"{seconds / size:.2g} {unit}"


def rate(per_second: float) -> Message:
    """How many a second; of what is slower how many a minute or an hour.

    >>> rate(12.34), rate(0.5), rate(0.001)
    ('12.3/s', '30.0/min', '3.6/h')
    """
    if per_second >= 1 or per_second <= 0:
        return say("{rate:.1f}/s", rate=per_second)
    if per_second >= 1 / 60:
        return say("{rate:.1f}/min", rate=60 * per_second)
    return say("{rate:.1f}/h", rate=3600 * per_second)


def tint(share: float) -> str:
    """A share of the points as a light background colour: red for 0, white for a half, blue for 1.

    >>> tint(0.5)
    '#ffffff'
    """
    colour = SEATS[1] if share > 0.5 else SEATS[0]
    strength = 1.3 * abs(share - 0.5)
    mixed = (round(255 + strength * (int(colour[at : at + 2], 16) - 255)) for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)
