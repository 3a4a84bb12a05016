"""Pictures that stand alone, in the light of the page on which they are shown."""

from __future__ import annotations

import re

from ludoteca.web import STATIC

__all__ = ["with_theme"]

DARK = re.sub(r"/\*.*?\*/", "", (STATIC / "boards.css").read_text(encoding="utf-8"), flags=re.DOTALL)


def with_theme(drawing: str, theme: str) -> str:
    """An SVG with the colours of dark pages in it: for good, or with ``auto`` where the system is dark."""
    if theme == "light":
        return drawing
    dark = DARK.replace(".body--dark ", "").strip()
    rules = dark if theme == "dark" else f"@media (prefers-color-scheme: dark) {{ {dark} }}"
    head, end, rest = drawing.partition(">")
    return f"{head}{end}<style>{rules}</style>{rest}"
