"""A drawing of boxes, lines, dots and texts that is written as SVG or PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ludoteca.errors import extra
from ludoteca.games.picture import INK, PAPER, Picture
from ludoteca.messages import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Side = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class _Line:
    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float


@dataclass(frozen=True)
class _Dot:
    x: float
    y: float
    radius: float
    fill: str


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    text: str
    size: float
    side: Side
    colour: str
    bold: bool


class Drawing:
    """Shapes in the order of drawing, in pixels from the upper left corner."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._shapes: list[_Box | _Line | _Dot | _Text] = []

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A filled rectangle with its upper left corner at (x, y)."""
        self._shapes.append(_Box(x, y, width, height, fill))

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 1.0) -> None:
        """A straight line."""
        self._shapes.append(_Line(x1, y1, x2, y2, colour, width))

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled circle around (x, y)."""
        self._shapes.append(_Dot(x, y, radius, fill))

    def text(
        self, x: float, y: float, text: str, *, size: float = 13, side: Side = "start", colour: str = INK,
        bold: bool = False,
    ) -> None:  # fmt: skip
        """A line of text that starts, has its middle or ends at x, with its middle at the height y."""
        self._shapes.append(_Text(x, y, text, size, side, colour, bold))

    def svg(self) -> str:
        """The drawing as an SVG document."""
        picture = Picture(self.width, self.height, title=self.title)
        for shape in self._shapes:
            match shape:
                case _Box(x, y, width, height, fill):
                    picture.add("rect", x=x, y=y, width=width, height=height, fill=fill)
                case _Line(x1, y1, x2, y2, colour, width):
                    picture.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width)
                case _Dot(x, y, radius, fill):
                    picture.add("circle", cx=x, cy=y, r=radius, fill=fill)
                case _Text(x, y, text, size, side, colour, bold):
                    weight = "bold" if bold else None
                    picture.label(x, y, text, size=size, text_anchor=side, fill=colour, font_weight=weight)
        return picture.svg()

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as a PNG file; `scale` pixels of the file are one of the drawing."""
        # Slow to import, and only PNG needs it. Without pyplot a figure leaves no global state.
        with extra("plots", say("a picture as PNG")):
            from matplotlib import style
            from matplotlib.figure import Figure

        with style.context("default"):  # independent of the user's settings
            # At 72 dots per inch one point, the unit of fonts and lines, is one pixel.
            figure = Figure(figsize=(self.width / 72, self.height / 72), dpi=72 * scale, facecolor=PAPER)
            self._draw(figure)
            file = io.BytesIO()
            figure.savefig(file, format="png")
        return file.getvalue()

    def _draw(self, figure: Figure) -> None:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Circle, Rectangle

        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, self.width)
        axes.set_ylim(self.height, 0)
        for order, shape in enumerate(self._shapes, start=1):
            match shape:
                case _Box(x, y, width, height, fill):
                    axes.add_artist(Rectangle((x, y), width, height, facecolor=fill, linewidth=0, zorder=order))
                case _Line(x1, y1, x2, y2, colour, width):
                    line = Line2D([x1, x2], [y1, y2], color=colour, linewidth=width, zorder=order)
                    line.set_solid_capstyle("butt")
                    axes.add_artist(line)
                case _Dot(x, y, radius, fill):
                    axes.add_artist(Circle((x, y), radius, facecolor=fill, linewidth=0, zorder=order))
                case _Text(x, y, text, size, side, colour, bold):
                    axes.text(
                        x, y, text, fontsize=size, color=colour, zorder=order, verticalalignment="center_baseline",
                        horizontalalignment={"start": "left", "middle": "center", "end": "right"}[side],
                        fontweight="bold" if bold else "normal", parse_math=False,
                    )  # fmt: skip
