"""``ludoteca puzzles``: makes a few, proves them again, and refuses a forged one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner

from ludoteca.errors import InvalidFile
from ludoteca.reports.puzzles.puzzle import puzzle, read_puzzles
from ludoteca.terminal.analysis.puzzles import app


def test_what_it_makes_it_can_prove_again(tmp_path: Path) -> None:
    path = tmp_path / "kittens.jsonl"
    made = CliRunner().invoke(app, ["make", "kittens", "-n", "2", "--seed", "3", "--out", str(path)])
    assert made.exit_code == 0, made.output
    assert len(read_puzzles(path)) == 2
    checked = CliRunner().invoke(app, ["check", str(path)])
    assert checked.exit_code == 0 and "0 of 2" in checked.output


def test_a_forged_answer_is_found(tmp_path: Path) -> None:
    right = puzzle("hex", 1)
    forged = replace(right, answer=next(iter(right.replies)), replies={})
    (tmp_path / "forged.jsonl").write_text(f"{right.to_json()}\n{forged.to_json()}\n", encoding="utf-8")
    checked = CliRunner().invoke(app, ["check", str(tmp_path / "forged.jsonl")])
    assert checked.exit_code == 1 and "line 2" in checked.output.replace("\n", " ")
    missing = CliRunner().invoke(app, ["check", str(tmp_path / "nothing.jsonl")])
    assert isinstance(missing.exception, InvalidFile)
