"""``--json``: what scripts read is valid JSON by the published schema, with nothing else on the standard output."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from ludoteca import cli
from ludoteca.learn.curve import Point, Result
from ludoteca.play.match import Match
from ludoteca.play.store import Store
from ludoteca.reports.puzzles.puzzle import FOLDER
from tests.commands import run
from tests.course.made import GOOD, course
from tests.league.made import league

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(resources.files("ludoteca.reports").joinpath("output.schema.json").read_text(encoding="utf-8"))


def printed(*words: str | Path, status: int = 0) -> Any:
    """The document that a command prints; the schema must know it."""
    done = run(*map(str, words), "--json")
    assert done.returncode == status, done.stderr

    def refused(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    document = json.loads(done.stdout, parse_constant=refused)
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
    assert sorted(run["matches"] for run in runs) == [2, 4]
    assert printed("show", str(series["run"]), "--store", store) == series
    reviewed = printed("review", str(series["run"]), "0", "--agent", "minimax:depth=2", "--limit", "99n",
                       "--store", store)  # fmt: skip
    assert reviewed["actions"][0]["ply"] == 0 and {each["player"] for each in reviewed["players"]} >= {"random"}
    with Store(store) as opened:
        begun = Match.of_spec("hex:size=2", 0, [0]).record()
        opened.people.open(opened.people_run("terminal").id, begun, "mine")
    assert printed("show", "terminal", "--store", store)["matches"][0]["returns"] is None
    printed("match", "horses:size=5", "mcts", "mcts", "-n", "60", "--limit", "4n", *limits[2:])
    tested = printed("calibrate", "horses:size=5", "--store", store)
    assert [each["agent"] for each in tested["agents"]] == ["mcts"] and tested["agents"][0]["brier"]["pairs"] > 1


@pytest.mark.parametrize("words", [("games",), ("games", "hex"), ("agents", "hex"), ("doctor",)])
def test_lists_are_documents(words: tuple[str, ...]) -> None:
    document = printed(*words)
    assert document[words[0] if words[0] != "doctor" else "layers"]


def test_positions_are_documents(tmp_path: Path) -> None:
    thought = printed("analyze", "hex:size=3", "a1 b2", "--agent", "mcts", "--limit", "500n")
    assert thought["position"] == ["a1", "b2"] and thought["seat"] == 0 and thought["decision"]["nodes"] > 0
    proven = printed("solve", "hex:size=3", "--every")
    assert proven["decision"]["proven"] and proven["decision"]["scores"]["b2"] == 1.0
    small = printed("exploitability", "kittens:deck=bomb1+safe1", "random")
    assert small["exact"] and small["seats"][0]["best_responses"] == pytest.approx(7 / 9)
    many = ("--all-openings", "--out")
    begun = printed("solve", "hex:size=5", *many, tmp_path / "5.json", "--nodes", "1", "--first-nodes", "1", status=1)
    assert not begun["complete"] and None in [each["value"] for each in begun["starts"]]
    assert printed("solve", "hex:size=3", *many, tmp_path / "3.json")["complete"]
    first = FOLDER.joinpath("hex.jsonl").read_text(encoding="utf-8").splitlines()[0]
    wrong = json.dumps(json.loads(first) | {"answer": "a1"})
    (tmp_path / "two.jsonl").write_text(f"{first}\n{wrong}\n")
    checked = printed("puzzles", "check", tmp_path / "two.jsonl", status=1)
    assert checked["puzzles"] == 2 and [each["line"] for each in checked["wrong"]] == [2]


def test_checks_and_courses_are_documents(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", ana=GOOD, bruno=f"{GOOD}# mine", carla="import nothing_such")
    good = printed("check", folder / "ana")
    assert good["fit"] is True and {each["verdict"] for each in good["findings"]} <= {"good", "note"}
    bad = printed("check", folder / "carla", "--language", "es", status=1)
    assert bad["fit"] is False and "nothing_such" in str(bad["findings"]) and "no " in bad["summary"]
    checked = printed("course", "check", folder, "--seconds", "1", "--trust", status=3)
    assert [each["fit"] for each in checked["submissions"]] == [True, True, False]
    store = ("--store", tmp_path / "s", "--workers", "1", "--trust")
    ranked = printed("course", "run", folder, *store, status=3)["ranking"]
    assert [each["name"] for each in ranked][2] == "carla" and ranked[2]["place"] is None and ranked[0]["wins"] >= 1
    assert Path(printed("course", "report", folder)["grades"]).exists()
    league(tmp_path / "l")
    assert [each["agent"] for each in printed("league", "standings", tmp_path / "l")["agents"]] in ([], ["random"])


def test_trainings_are_documents(tmp_path: Path) -> None:
    described = {"training": "zero", "command": "train zero hex", "started": "2026-01-01", "settings": {"game": "hex"},
                 "versions": {}, "unit": "positions", "total": 100}  # fmt: skip
    (tmp_path / "run.json").write_text(json.dumps(described))
    assert printed("train", "compare", tmp_path)["trainings"][0]["results"] == {}
    point = Point(50, 1.0, {"value": 0.5}, results={"random": Result.of(3, 0, 1)})
    (tmp_path / "curve.jsonl").write_text(json.dumps(point.to_json()) + "\n")
    (found,) = printed("train", "compare", tmp_path)["trainings"]
    assert found["at"] == 50 and found["results"]["random"]["score"] == 0.75 and found["epsilon"] is None


def test_the_schema_knows_what_commands_print_and_nothing_else() -> None:
    package = Path(cli.__file__).parent
    texts = [file.read_text(encoding="utf-8") for file in package.rglob("*.py")]
    calls = {kind for text in texts for kind in re.findall(r'print_json\(\s*"([a-z-]+)"', text)}
    assert calls == set(SCHEMA["properties"]["kind"]["enum"])


def test_a_mistake_prints_no_document(tmp_path: Path) -> None:
    mistakes = [
        ("check", "nothing.py"),
        ("solve", "hex:size=3", "z9"),
        ("analyze", "nothing"),
        ("course", "check"),
        ("puzzles", "check", "nothing.jsonl"),
        ("exploitability", "hex", "random"),
        ("train", "compare", "nothing"),
        ("review", "7", "0"),
        ("calibrate", "hex", "--store", str(tmp_path / "none")),
    ]
    for words in mistakes:
        done = run(*words, "--json")
        assert done.returncode == 2 and not done.stdout and done.stderr.startswith("ludoteca: "), (words, done)
    assert {words[0] for words in mistakes} <= set(cli.COMMANDS)
