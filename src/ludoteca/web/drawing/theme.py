"""Standalone pictures in the theme and the palette of the page."""

from __future__ import annotations

import re

from ludoteca.web import STATIC


def _styles(name: str) -> str:
    return re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text(encoding="utf-8"), flags=re.DOTALL)


DARK_STYLES = _styles("boards.css").replace(".body--dark ", "").strip()
PALETTE_STYLES = _styles("palettes.css")
BOARD_RULES = "\n".join(re.findall(r"^\[data-palette\]:root .*", PALETTE_STYLES, re.MULTILINE)).replace(
    "[data-palette]:root ", ""
)
"""The rules of palettes.css for what boards are made of."""


def with_theme(drawing: str, theme: str, palette: str = "usual") -> str:
    """Adds the page's colours to an SVG: the dark ones always for ``dark``, by the system's setting for ``auto``."""
    if theme == "light" and palette == "usual":
        return drawing
    light, dark = "", DARK_STYLES
    if palette != "usual":
        light, dark = f"{_tokens(palette, '')}{BOARD_RULES}", _tokens(palette, " .body--dark")
    rules = f"{light}{dark}" if theme == "dark" else light
    if theme == "auto":
        rules += f"@media (prefers-color-scheme: dark) {{ {dark} }}"
    head, end, rest = drawing.partition(">")
    return f"{head}{end}<style>{rules}</style>{rest}"


def _tokens(palette: str, where: str) -> str:
    """The colours of a palette, as rules for the root of a picture."""
    found = re.search(rf'^\[data-palette="{palette}"\]{where} {{(.*?)}}', PALETTE_STYLES, re.MULTILINE | re.DOTALL)
    assert found is not None, palette
    return f"svg {{{found[1]}}}"
