"""Makes docstrings Markdown for the site: an extension of Griffe, named in ``mkdocs.yml``.

Our docstrings are plain text: examples begin with ``>>>``, drawings follow ``::``. The first would be quotations in
Markdown, and the second would keep its colons.
"""

from __future__ import annotations

from typing import Any

import griffe


def markdown(text: str) -> str:
    """A docstring with its examples fenced, and its drawings without the colons before them."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if not inside and line.startswith(">>>"):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        if not inside and line.endswith("::"):
            line = line[:-2] + ":" if line != "::" else ""
        lines.append("" if inside and line.strip() == "<BLANKLINE>" else line)
    return "\n".join([*lines, "```"] if inside else lines)


class Markdown(griffe.Extension):
    """Rewrites every docstring when its object is read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for each."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)
