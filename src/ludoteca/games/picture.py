"""A few lines to write SVG with, and the colours that all our boards share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from ludoteca.catalogues import SOURCE, Language
from ludoteca.messages import translate
from ludoteca.protocols import Action

__all__ = ["FONT", "GRID", "HOT", "INK", "PAPER", "SEATS", "Picture", "box", "element", "label", "warmth"]

PAPER = "#f7f3ea"
"""The table on which everything lies; a picture brings its own, so it reads on light and dark pages."""
INK = "#2f2a26"
GRID = "#b9ad98"
SEATS = ("#c8443f", "#2f6fb0")
"""One colour per seat, told apart by colour-blind eyes too."""
HOT = "#f0a202"
FONT = "system-ui, 'DejaVu Sans', sans-serif"


class Picture:
    """An SVG document that grows from back to front; its Messages are written in its language.

    >>> picture = Picture(10, 10)
    >>> picture.add("circle", cx=5, cy=5, r=4, fill="red")
    >>> "<circle cx='5' cy='5' r='4' fill='red'/>" in picture.svg()
    True
    """

    def __init__(
        self, width: float, height: float, *, title: str = "", zoom: float = 1.0, language: Language = SOURCE
    ) -> None:
        self._width, self._height, self._title, self._zoom = width, height, title, zoom
        self._language = language
        self._parts: list[str] = []

    def add(self, tag: str, text: str | None = None, /, **attributes: object) -> None:
        """One element; `stroke_width` is written stroke-width, numbers lose needless digits."""
        self._parts.append(element(tag, text, **attributes))

    def label(self, x: float, y: float, text: str, *, size: float = 12, **attributes: object) -> None:
        """Text centred on (x, y)."""
        self._parts.append(label(x, y, translate(text, self._language), size=size, **attributes))

    def put(self, elements: str) -> None:
        """Elements that were written before, by `element` and `label`."""
        self._parts.append(elements)

    def embed_svg(self, svg: str, x: float, y: float, width: float, height: float) -> None:
        """Puts a whole SVG document here, as large as fits into the given box, in its middle."""
        inner = re.sub(r" width='[^']*' height='[^']*'", "", svg.split(">", 1)[0], count=1)
        box = f" x='{number(x)}' y='{number(y)}' width='{number(width)}' height='{number(height)}'"
        self._parts.append(f"{inner}{box}>{svg.split('>', 1)[1]}")

    def svg(self) -> str:
        """The whole document."""
        width, height = number(self._width), number(self._height)
        title = element("title", translate(self._title, self._language)) if self._title else ""
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
            f"width='{number(self._width * self._zoom)}' height='{number(self._height * self._zoom)}' "
            f'font-family="{FONT}">{title}'
            f"<rect width='{width}' height='{height}' rx='8' fill='{PAPER}'/>{''.join(self._parts)}</svg>"
        )


def element(tag: str, text: str | None = None, /, **attributes: object) -> str:
    """One SVG element; attributes that are None are left out."""
    written = "".join(
        f" {name.replace('_', '-')}='{escape(number(value), quote=True)}'"
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}/>" if text is None else f"<{tag}{written}>{escape(text)}</{tag}>"


def label(x: float, y: float, text: str, *, size: float = 12, **attributes: object) -> str:
    """Text centred on (x, y), as an SVG element."""
    style: dict[str, object] = {"text_anchor": "middle", "dy": "0.35em", "fill": INK}
    return element("text", text, x=x, y=y, font_size=size, **(style | attributes))


def box(x: float, y: float, width: float, height: float) -> str:
    """The outline of a rectangle as SVG path data.

    >>> box(1, 2, 3, 4.5)
    'M1 2h3v4.5h-3z'
    """
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"


def number(value: object) -> str:
    """A number with at most two decimals; anything else as it is."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def warmth(heat: Mapping[Action, float] | None) -> dict[Action, float]:
    """The scores stretched to [0, 1]: the worst is cold, the best is hot, equal ones are all lukewarm."""
    if not heat:
        return {}
    low, high = min(heat.values()), max(heat.values())
    if low == high:
        return dict.fromkeys(heat, 0.5)
    return {action: (score - low) / (high - low) for action, score in heat.items()}
