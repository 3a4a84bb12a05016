"""``ludoteca solve --out``: stopped at any moment, it goes on, and ends with the same results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoteca.agents.solvers.starts import start_solver
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.reports.solutions import Solutions
from ludoteca.terminal.analysis.starts import StartsRun
from tests.commands import run


def attempted(spec: str, path: Path, *, stop_after: int | None = None, most_nodes: int | None = None) -> Solutions:
    """All openings of a game; stop_after: Ctrl-C comes at this look at the progress."""
    solver = start_solver(game_of(spec), memory=16)
    looks = 0

    def on_progress(start: str, nodes: int) -> None:
        nonlocal looks
        looks += 1
        if looks == stop_after:
            raise KeyboardInterrupt

    StartsRun(solver, solver.openings(), path, "").run(most_nodes, on_progress)
    return Solutions.from_json(path.read_text())


def test_an_interrupted_run_goes_on_and_finds_the_same(tmp_path: Path) -> None:
    path, whole = tmp_path / "hex.json", attempted("hex:size=5", tmp_path / "whole.json")
    assert len(whole.settled) == 25 and {each.by for each in whole.starts} - {""}
    before = 0
    for stop_after in (1, 2, 4, 5):
        with pytest.raises(KeyboardInterrupt):
            attempted("hex:size=5", path, stop_after=stop_after)
        known = Solutions.from_json(path.read_text())
        assert len(known.settled) >= before and not list(tmp_path.glob("*.new"))
        before = len(known.settled)
    (tmp_path / "hex.json.new").write_text("{")  # a crash while the file was written
    found = attempted("hex:size=5", path)
    assert {each.start: each.value for each in found.starts} == {each.start: each.value for each in whole.starts}
    nodes = found.nodes
    assert attempted("hex:size=5", path).nodes == nodes, "what is settled is not solved again"


def test_a_limit_of_nodes_leaves_the_hard_starts_open(tmp_path: Path) -> None:
    path = tmp_path / "hex.json"
    found = attempted("hex:size=6", path, most_nodes=5)
    assert 0 < len(found.settled) < 36
    assert all(each.value is not None or each.by == "" for each in found.starts)
    assert found.count(1) + found.count(-1) + found.count(None) == 36
    assert all("value" in each for each in json.loads(path.read_text())["starts"])


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "hex.json"
    attempted("hex:size=3", path)
    with pytest.raises(InvalidOption, match="holds starts of hex:size=3"):
        attempted("hex:size=4", path)
    path.write_text("{}")
    with pytest.raises(InvalidFile, match="no file of ludoteca solve"):
        attempted("hex:size=3", path)
    assert path.read_text() == "{}"


def test_the_command_writes_the_published_shape(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    said = run("solve", "hex:size=3", "--all-openings", "--out", str(path))
    assert said.returncode == 0 and "9 of 9 settled; the player who begins wins 5, draws 0, loses 4" in said.stdout
    fields = json.loads(path.read_text())
    assert set(fields) == {"game", "command", "starts"}
    assert fields["command"] == "ludoteca solve hex:size=3 --all-openings --out out.json"
    for each in fields["starts"]:
        assert {"start", "value", "nodes", "seconds", "version"} <= set(each)
