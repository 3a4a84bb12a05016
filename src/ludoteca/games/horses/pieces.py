"""The knights and the values of Horses, and how they are drawn."""

from __future__ import annotations

from ludoteca.games.picture import INK, Picture, Shade
from ludoteca.protocols import Seat

COLOURS = ("#fffdf8", "#35302b")
"""White and black: the fill of what belongs to each seat, and the outline of what belongs to the other."""
GAIN, LOSS = "#2f7a4a", "#a8457f"
FEE = Shade("fee", "#963c71")
"""The colour of penalties."""
MOST = 10
"""The largest value of a square, either sign."""
READABLE = 15.7
"""The size of a number on a square that is readable on a phone."""
HORSE = (
    "M26 92V84H32C33 66 48 64 48 51C43 56 38 57 32 58L26 63C19 64 14 57 17 51C25 39 30 26 43 20L47 8L57 19"
    "C78 30 82 56 78 84H84V92Z"
)
MANE = "M58 24C71 36 74 56 71 76"


def draw_token(picture: Picture, x: float, y: float, cell: float, value: int) -> None:
    """A green coin for a gain, a purple lozenge for a loss; the larger, the stronger its colour.

    On small squares it fills more of the square, so that its number stays readable on a phone.
    """
    size = max(cell * 0.31, min(cell * 0.38, READABLE))
    grown = size / (cell * 0.31)
    strength = 0.85 + 0.15 * abs(value) / MOST  # paler ones would be unreadable
    style = {"fill": GAIN if value > 0 else LOSS, "fill_opacity": strength, "stroke": INK, "stroke_width": 1}
    if value > 0:
        picture.add("circle", cx=x, cy=y, r=cell * 0.32 * grown, **style)
    else:
        r = cell * 0.4 * grown
        lozenge = f"M{x - r:.1f} {y:.1f}L{x:.1f} {y - r:.1f}L{x + r:.1f} {y:.1f}L{x:.1f} {y + r:.1f}Z"
        picture.add("path", d=lozenge, **style)
    shown = size if abs(value) < 10 else size * 0.84  # two digits in the same token
    picture.label(x, y, signed(value), size=shown, fill="#ffffff", font_weight="bold", aria_hidden="true")


def draw_knight(picture: Picture, seat: Seat, x: float, y: float, side: float) -> None:
    """A horse's head on its base, looking left, in a box with this top left corner."""
    place = f"translate({x:.2f} {y:.2f}) scale({side / 100:.3f})"
    style = {"fill": COLOURS[seat], "stroke": COLOURS[1 - seat], "stroke_linejoin": "round", "transform": place}
    picture.add("path", d=HORSE, stroke_width=4, **style)
    picture.add("path", d=MANE, **style | {"fill": "none", "stroke_width": 3, "stroke_linecap": "round"})
    picture.add("circle", cx=43, cy=36, r=3.5, fill=COLOURS[1 - seat], transform=place)


def signed(points: int) -> str:
    """A number of points with its sign, the minus as long as the plus."""
    return f"{points:+}".replace("-", "−") if points else "0"
