from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree

DOCS = Path(__file__).parents[2] / "docs"


def test_the_picture_of_the_readme_is_up_to_date() -> None:
    drawn = runpy.run_path(str(DOCS / "boards.py"))["four_boards"]()
    assert (DOCS / "boards.svg").read_text(encoding="utf-8") == drawn + "\n", "run: make pictures"
    assert len(ElementTree.fromstring(drawn).findall("{http://www.w3.org/2000/svg}svg")) == 4
