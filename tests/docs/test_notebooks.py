"""The notebooks in docs are executed, cell by cell, and what they show is what is written in them."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def execute(source: str, names: dict[str, Any]) -> object:
    """Runs a cell as a notebook does; the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def shown(value: object) -> dict[str, list[str]]:
    """What a notebook keeps of a value: how it prints, and as HTML or a picture where it can show itself so."""
    if value is None:
        return {}
    found = {}
    for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        if hasattr(value, method):
            found[kind] = getattr(value, method)().splitlines(True)
    return found or {"text/plain": repr(value).splitlines(True)}


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set LUDOTECA_WRITE to write the outputs down anew."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(each for each in notebook["cells"] if each["cell_type"] == "code"):
        data = shown(execute("".join(cell["source"]), names))
        before = cell["outputs"][0]["data"] if cell["outputs"] else {}
        if os.environ.get("LUDOTECA_WRITE"):
            output = {"output_type": "execute_result", "execution_count": number + 1, "metadata": {}, "data": data}
            cell["outputs"] = [output] if data else []
            cell["execution_count"] = number + 1
        elif "text/plain" in before or "image/svg+xml" in before:
            assert data == before, f"cell {number + 1} of {path.name}"
        else:
            assert data.keys() == before.keys()  # tables with times in them are never the same twice
    if os.environ.get("LUDOTECA_WRITE"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
