"""A few lines to write SVG with, and the colours that all our boards share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from html import escape
from textwrap import wrap
from typing import Any

from ludoteca.catalogues import SOURCE, Language
from ludoteca.messages import translate
from ludoteca.protocols import Action


class Shade(str):
    """A colour with a role, such as ink, that a page can restyle for its dark theme.

    An element filled with it has the class ``f-part``, one stroked with it ``s-part``. Otherwise it is an ordinary
    colour.

    >>> element("circle", r=4, fill=Shade("ink", "#2f2a26"))
    "<circle r='4' fill='#2f2a26' class='f-ink'/>"
    """

    part: str

    def __new__(cls, part: str, colour: str) -> Shade:
        """colour: as CSS writes it."""
        shade = super().__new__(cls, colour)
        shade.part = part
        return shade


PAPER = Shade("paper", "#f7f3ea")
"""The background, which every picture draws itself, so that it is readable on light and dark pages."""
CELL = Shade("cell", "#fffdf8")
"""Empty cells, cards and labels."""
INK = Shade("ink", "#2f2a26")
ON = Shade("on", "#fffdf8")
"""Text on the colour of a seat or a card."""
GRID = Shade("grid", "#b9ad98")
SEATS = (Shade("seat0", "#bf3b37"), Shade("seat1", "#2b68a6"))
"""One colour per seat, distinct for colour-blind people too, and dark enough for text on the background."""
HOT = "#f0a202"
MARK = Shade("mark", "#6a3d9a")
"""What is drawn of an agent's reasons; each kind has a shape of its own too, for colour-blind people."""
CHARACTER = 0.56
"""The width of an average character, in font sizes."""
COVER = (300.0, 190.0)
"""Width and height of a game's cover: a picture without words for cards and lists."""
FONT = "system-ui, 'DejaVu Sans', sans-serif"


class Picture:
    """An SVG document that is drawn from back to front; Messages are translated into its language.

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

    def paragraph(
        self, x: float, y: float, text: str, *, size: float, width: float, lines: int = 2, **attributes: object
    ) -> float:
        """Text from x on, its first line at y, wrapped to `width` and cut after `lines`. Returns where one more is."""
        broken = self._wrapped(text, size, width, max_lines=lines, placeholder=" …")
        for row, part in enumerate(broken):
            self.label(x, y + 1.25 * size * row, part, size=size, text_anchor="start", **attributes)
        return y + 1.25 * size * len(broken)

    def lines(self, text: str, *, size: float, width: float) -> int:
        """How many lines `paragraph` needs for the whole text."""
        return len(self._wrapped(text, size, width))

    def text_width(self, text: str, size: float) -> float:
        """About how wide a text is, in the language of the picture."""
        return CHARACTER * size * len(translate(text, self._language))

    def _wrapped(self, text: str, size: float, width: float, **how: Any) -> list[str]:
        most = int(width / (CHARACTER * size))
        return wrap(translate(text, self._language), most, **how)

    @contextmanager
    def named(self, text: str) -> Iterator[None]:
        """Groups what is drawn within as one thing; a screen reader says `text`."""
        name = escape(translate(text, self._language), quote=True)
        self._parts.append(f"<g role='img' aria-label='{name}'>")
        yield
        self._parts.append("</g>")

    @contextmanager
    def piece(
        self, key: str, *, turn: int = 0, source: str = "", turned: bool = False, corner: bool = False
    ) -> Iterator[None]:
        """Groups what is drawn within as one piece, which the page moves from its old place to its new one.

        key: the same in every picture of a match. turn: by how many degrees it is turned. source: the key of the piece
        from which a new one comes, such as the deck; without one it drops onto the board. turned: a new one is turned
        over on its way. corner: it travels as a knight moves. See motion.js of the page.
        """
        given = {"turn": turn, "from": source, "turned": turned and "true", "corner": corner and "true"}
        more = "".join(f" data-{name}='{value}'" for name, value in given.items() if value)
        self._parts.append(f"<g data-piece='{key}'{more}>")
        yield
        self._parts.append("</g>")

    def put(self, elements: str) -> None:
        """Elements made by `element` and `label`."""
        self._parts.append(elements)

    def embed_svg(self, svg: str, x: float, y: float, width: float, height: float) -> None:
        """Puts a whole SVG document in the middle of the given box, as large as fits."""
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
            f"{element('rect', width=self._width, height=self._height, rx=8, fill=PAPER)}{self.inside()}</svg>"
        )

    def inside(self) -> str:
        """The elements without the background."""
        return "".join(self._parts)


def element(tag: str, text: str | None = None, /, **attributes: object) -> str:
    """One SVG element; attributes that are None are left out."""
    painted = ((name, attributes.get(name)) for name in ("fill", "stroke"))
    parts = [f"{name[0]}-{shade.part}" for name, shade in painted if isinstance(shade, Shade)]
    if parts:
        attributes["class"] = " ".join(parts)
    written = "".join([_attribute(name, value) for name, value in attributes.items() if value is not None])
    return f"<{tag}{written}/>" if text is None else f"<{tag}{written}>{escape(text)}</{tag}>"


@lru_cache(maxsize=4096, typed=True)  # one picture, and the next of the same match, write the same ones again and again
def _attribute(name: str, value: object) -> str:
    return f" {name.replace('_', '-')}='{escape(number(value), quote=True)}'"


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
    """The scores scaled to [0, 1], the best being 1; all 0.5 if they are equal."""
    if not heat:
        return {}
    low, high = min(heat.values()), max(heat.values())
    if low == high:
        return dict.fromkeys(heat, 0.5)
    return {action: (score - low) / (high - low) for action, score in heat.items()}
