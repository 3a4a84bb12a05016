"""Standalone pictures in the light or dark theme of the page."""

from __future__ import annotations

import re

from ludoteca.web import STATIC

DARK_STYLES = re.sub(r"/\*.*?\*/", "", (STATIC / "boards.css").read_text(encoding="utf-8"), flags=re.DOTALL)


def with_theme(drawing: str, theme: str) -> str:
    """Adds the colours of dark pages to an SVG: always for ``dark``, by the system's setting for ``auto``."""
    if theme == "light":
        return drawing
    dark = DARK_STYLES.replace(".body--dark ", "").strip()
    rules = dark if theme == "dark" else f"@media (prefers-color-scheme: dark) {{ {dark} }}"
    head, end, rest = drawing.partition(">")
    return f"{head}{end}<style>{rules}</style>{rest}"
