"""Tables in a document, each between two comments: ``<!-- mark -->`` and ``<!-- end -->``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "strength.md"


def replaced(text: str, mark: str, table: str) -> str:
    """A document with another text between the two comments of this mark. Raises ValueError where they are missing."""
    pattern = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    found, count = pattern.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", text, count=1)
    if not count:
        raise ValueError(f"the document has no place for {mark}: <!-- {mark} --> … <!-- end -->")
    return found


def write_table(mark: str, table: str) -> None:
    """Puts a table into docs/strength.md."""
    DOCUMENT.write_text(replaced(DOCUMENT.read_text(encoding="utf-8"), mark, table), encoding="utf-8")
