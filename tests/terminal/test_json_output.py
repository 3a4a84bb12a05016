"""``--json``: what scripts read is valid JSON by the published schema, with nothing else on the standard output."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(resources.files("ludoteca.terminal").joinpath("output.schema.json").read_text(encoding="utf-8"))


def printed(*words: str | Path) -> Any:
    """The document that a command prints; the schema must know it."""
    run = subprocess.run(
        [sys.executable, "-m", "ludoteca", *map(str, words), "--json"], capture_output=True, text=True, check=False
    )
    assert run.returncode in (0, 1), run.stderr

    def refused(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(run.stdout, parse_constant=refused)
    jsonschema.validate(document, SCHEMA)
    return document


def test_results_are_documents(tmp_path: Path) -> None:
    store = tmp_path / "arena.sqlite"
    limits = ("--limit", "50n", "--store", store, "--workers", "1")
    series = printed("match", "horses:size=5", "minimax:depth=2", "random", "-n", "4", *limits)
    assert series["kind"] == "series" and series["matches"] == 4 and series["complete"]
    tournament = printed("tournament", "horses:size=5", "minimax:depth=1", "random", *limits)
    assert tournament["kind"] == "tournament" and len(tournament["standings"]) == 2
    runs = printed("show", "--store", store)["runs"]
    assert [run["matches"] for run in runs] == [2, 4] or [run["matches"] for run in runs] == [4, 2]
    assert printed("show", str(series["run"]), "--store", store) == series


@pytest.mark.parametrize("words", [("games",), ("games", "hex"), ("agents", "hex"), ("doctor",)])
def test_lists_are_documents(words: tuple[str, ...]) -> None:
    document = printed(*words)
    assert document[words[0] if words[0] != "doctor" else "layers"]
