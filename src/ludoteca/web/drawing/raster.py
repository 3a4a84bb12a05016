"""SVG pictures as PNG, and several of them as an animated GIF, for programs that cannot show SVG.

Only this module imports resvg and Pillow. The fonts come with us, so a picture is the same on every server.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from ludoteca.errors import extra
from ludoteca.messages import say

FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
FAMILY = "DejaVu Sans"
COLOURS = 64
"""Of an animated picture: boards have few."""
FRAME_MILLISECONDS, END_MILLISECONDS = 700, 4000


def png(svg: str, width: int) -> bytes:
    """The picture as PNG, so many pixels wide. Raises MissingExtra."""
    with extra("web", say("a picture as PNG")):
        import resvg_py
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=FONTS,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return bytes(drawn)


def gif(svgs: Iterable[str], width: int) -> bytes:
    """The pictures, all of one shape, as an animation that repeats. Raises MissingExtra."""
    with extra("web", say("an animated picture")):
        from PIL import Image
    frames = [Image.open(io.BytesIO(png(each, width))).convert("RGB") for each in svgs]
    frames = [each if each.size == frames[0].size else each.resize(frames[0].size) for each in frames]
    palette = frames[-1].quantize(COLOURS)  # one for all: then only what changes is written
    painted = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in frames]
    durations = [FRAME_MILLISECONDS] * (len(painted) - 1) + [END_MILLISECONDS]
    out = io.BytesIO()
    painted[0].save(out, "GIF", save_all=True, append_images=painted[1:], duration=durations, loop=0, optimize=True)
    return out.getvalue()
