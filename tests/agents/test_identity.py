"""Edited code is another agent; another way to write the same agent is not."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca import agents
from ludoteca.agents import digests, registry, source_files
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.visible_files import visible_paths
from ludoteca.agents.identity import PERSON, Identity, short_names, split_version
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.play.conditions import Conditions

pytestmark = pytest.mark.no_sanitize

PLAYER = """
import ideas

class P:
    def __init__(self, me):
        self.me = me

    def play(self, board):
        return ideas.CELL
"""
DOTTED = '''
from dataclasses import dataclass

class Last:
    """Plays the last legal action."""

    games = frozenset({"hex"})

    def __init__(self, game, seat, seed, skip: int = 0, boldly: bool = False, table: str = ""):
        self.skip = skip

    def act(self, view, limit):
        return view.legal()[-1 - self.skip]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, which holds a student's file and a class of a dotted name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "solution.py").write_text(PLAYER)
    (tmp_path / "ana" / "ideas.py").write_text("CELL = (0, 0)\n")
    (tmp_path / "ana" / "deep").mkdir()
    (tmp_path / "ana" / "deep" / "__init__.py").write_text("")
    (tmp_path / "ana" / "deep" / "more.py").write_text("X = 1\n")
    (tmp_path / "ana" / "weights.npz").write_bytes(b"12345")
    package = tmp_path / "clever"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "player.py").write_text(DOTTED)
    (package / "other.py").write_text("X = 1\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "clever"]:
        del sys.modules[name]


def change(path: Path) -> None:
    """Changes one byte."""
    data = bytearray(path.read_bytes() or b"\n")
    data[-1] = ord("#") if data[-1] != ord("#") else ord("\n")
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "file", ["ana/solution.py", "ana/ideas.py", "ana/deep/more.py", "ana/deep/__init__.py", "ana/weights.npz"]
)
def test_a_changed_byte_of_a_submission_makes_another_agent(folder: Path, file: str) -> None:
    before = identity_of("ana", "hex")
    assert identity_of("ana", "hex") == before
    change(folder / file)
    after = identity_of("ana", "hex")
    assert after.spec == before.spec and after.digest != before.digest
    with pytest.raises(ludoteca.InvalidAgent, match=f"has changed: .*@{after.digest[:8]} now"):
        identity_of(str(before), "hex")
    assert identity_of(str(after), "hex") == after


@pytest.mark.parametrize("file", ["clever/player.py", "clever/other.py", "clever/__init__.py"])
def test_a_changed_byte_of_a_package_makes_another_agent(folder: Path, file: str) -> None:
    before = identity_of("clever.player.Last:skip=1", "hex")
    change(folder / file)
    assert identity_of("clever.player.Last:skip=1", "hex").digest != before.digest


def test_every_file_that_the_sandbox_shows_counts_and_no_other(folder: Path) -> None:
    ana = folder / "ana"
    seen = {identity_of("ana", "hex").digest}
    for change_of in (
        lambda: (ana / "openings.txt").write_text("a1"),
        lambda: (ana / "openings.txt").write_text("b2"),
        lambda: (ana / "openings.txt").rename(ana / "openings.csv"),
        lambda: (ana / "deep" / "table").write_bytes(b"1"),
        lambda: (ana / "ideas.py").rename(ana / "thoughts.py"),
    ):
        change_of()
        found = identity_of("ana", "hex").digest
        assert found not in seen
        seen.add(found)
    (ana / "__pycache__").mkdir()
    for name in ("__pycache__/ideas.pyc", ".hidden"):
        (ana / name).write_bytes(b"x")
        assert identity_of("ana", "hex").digest == found
        assert str(ana / name) not in visible_paths(str(ana))


def test_two_submissions_that_differ_in_a_data_file_alone_are_two(folder: Path) -> None:
    for name, data in (("one", "1"), ("two", "2")):
        shutil.copytree(folder / "ana", folder / name / "ana")
        (folder / name / "ana" / "values.txt").write_text(data)
    assert identity_of("one/ana", "hex").digest != identity_of("two/ana", "hex").digest


def test_where_a_folder_lies_does_not_matter(folder: Path) -> None:
    shutil.copytree(folder / "ana", folder / "else" / "where")
    assert identity_of("else/where", "hex").digest == identity_of("ana", "hex").digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("clever.player.Last", "clever.player.Last: boldly=FALSE , skip=0"),
        ("clever.player.Last:skip=2,boldly=true", "clever.player.Last:boldly=true,skip=2"),
        ("astar:depth=2", "Astar: depth=2"),
        ("astar", "astar:depth=3"),
        ("ana", "./ana"),
        ("ana/solution.py", "ana//solution.py"),
    ],
)
def test_the_same_agent_written_otherwise_is_the_same(folder: Path, one: str, other: str) -> None:
    assert identity_of(one, "hex") == identity_of(other, "hex")


def test_files_that_options_name_count_by_what_is_in_them(folder: Path) -> None:
    (folder / "table.csv").write_text("1")
    spec = "clever.player.Last:table=table.csv"
    before = identity_of(spec, "hex")
    change(folder / "table.csv")
    assert identity_of(spec, "hex").digest != before.digest


def test_the_weights_of_our_own_networks_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch, shipped: Callable[[], Path]
) -> None:
    own = folder / "own.onnx"
    own.write_bytes(b"123")
    before, default = identity_of(f"dqn:weights={own}", "kittens"), identity_of("dqn", "kittens")
    change(own)
    assert identity_of(f"dqn:weights={own}", "kittens").digest not in (before.digest, default.digest)
    change(shipped())
    assert identity_of("dqn", "kittens").digest != default.digest


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Lets our package lie in a copy that can be changed, and gives one of its weights."""

    def copy() -> Path:
        whole = tmp_path / "copy" / "ludoteca"
        shutil.copytree(registry.PACKAGE, whole, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        monkeypatch.setattr(registry, "PACKAGE", whole)
        return next((whole / "weights").glob("kittens-*.onnx"))

    return copy


def test_our_own_agents_count_by_their_source_and_their_games_core(monkeypatch: pytest.MonkeyPatch) -> None:
    found = source_files.of_ours("ludoteca.agents.hex.astar", "hex")
    assert "agents/hex/astar.py" in found and "agents/search_agent.py" in found
    assert not any("dominoes" in name or "registry" in name for name in found)
    agents_of = {"astar": "hex", "v2": "kittens", "random": "hex"}
    before = {name: identity_of(name, game) for name, game in agents_of.items()}
    cores = {game: digests.core_digest(game) for game in ("hex", "kittens")}
    monkeypatch.setattr(digests, "core_digest", (cores | {"kittens": "another core"}).get)
    after = {name: identity_of(name, game) for name, game in agents_of.items()}
    assert [after[name] == before[name] for name in agents_of] == [True, False, True]


def test_the_engine_counts_by_its_games_part_and_by_its_networks(shipped: Callable[[], Path]) -> None:
    """It imports that part by name when it is needed; it decides its play all the same."""
    found = set(source_files.of_ours("ludoteca.agents.engine", "hex"))
    assert {"agents/hex/classical.py", "agents/hex/neural.py"} <= found
    assert not any("horses" in name or "kittens" in name for name in found)
    named = [("engine", "hex"), ("zero", "hex"), ("astar", "hex"), ("engine", "horses"), ("zero", "horses")]
    before = {each: identity_of(*each).digest for each in named}
    change(shipped().parent / "hex-zero.onnx")
    after = {each: identity_of(*each).digest for each in named}
    assert [after[each] == before[each] for each in named] == [False, False, True, True, True]


def test_an_identity_is_written_and_read() -> None:
    for identity in (Identity("astar:depth=3", "1f3a9c20" * 4), Identity("a/b@home/solution.py:P"), PERSON):
        assert Identity.from_json(json.loads(json.dumps(identity.to_json()))) == identity
    for fields in ({}, {"agent": "astar"}, {"agent": "", "digest": ""}, {"agent": "astar", "digest": 7}):
        with pytest.raises(ValueError, match="an agent is a name and a digest"):
            Identity.from_json(fields)


def test_a_typed_digest_is_a_prefix_of_at_least_eight_digits(folder: Path) -> None:
    found = identity_of("ana", "hex")
    assert len(found.digest) == 32
    for length in (8, 9, 31, 32):
        assert identity_of(f"ana@{found.digest[:length]}", "hex") == found
        assert found.is_called(f"ana@{found.digest[:length]}")
    assert split_version("ana@1234567") == ("ana@1234567", "")
    wrong = found.digest[:8] + ("0" if found.digest[8] != "0" else "1")
    assert not found.is_called(f"ana@{wrong}")
    with pytest.raises(ludoteca.InvalidAgent, match="ana has changed"):
        identity_of(f"ana@{wrong}", "hex")


def test_agents_whose_digests_begin_alike_stay_apart() -> None:
    """Both read the same; a tournament still counts them as two."""
    one, other = Identity("ana", "1f3a9c20" + "0" * 24), Identity("ana", "1f3a9c20" + "1" * 24)
    assert str(one) == str(other) and one != other
    assert len(set(short_names([one, other]).values())) == 2
    plan = TournamentPlan.of(Conditions("hex"), [one, other])
    assert plan.key()["agents"][0] != plan.key()["agents"][1]


def test_a_stranger_is_described_but_never_run_here(folder: Path) -> None:
    (folder / "clever" / "player.py").write_text(
        "import os\nopen('ran', 'a').write(str(os.getpid()) + ' ')\nprint('noise')\n" + DOTTED
    )
    assert agents.canonical("clever.player.Last:skip=0") == "clever.player.Last"
    assert agents.plays_game("clever.player.Last", "hex") and not agents.plays_game("clever.player.Last", "kittens")
    about = agents.describe("clever.player.Last")
    assert about.text == "Plays the last legal action."
    assert [(option.name, option.default) for option in about.options] == [
        ("skip", 0), ("boldly", False), ("table", "")
    ]  # fmt: skip
    assert str(os.getpid()) not in (folder / "ran").read_text().split()
    assert "clever.player" not in sys.modules
    (folder / "clever" / "player.py").write_text(DOTTED.replace("skip: int = 0", "skip: int = 12"))
    assert agents.describe("clever.player.Last").options[0].default == 12


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("import os\nos._exit(0)", "its process died"),
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("class Last(:", "player.py, line 1: class Last"),
        ("def f():\n    return 1 / 0\nf()", "player.py, line 2, in f: return 1 / 0\nplayer.py, line 3, in <module>: f"),
    ],
)
def test_the_error_of_an_import_names_its_line(folder: Path, text: str, complaint: str) -> None:
    (folder / "clever" / "player.py").write_text(text)
    with pytest.raises(ludoteca.InvalidAgent) as caught:
        identity_of("clever.player.Last", "hex")
    assert complaint in str(caught.value)
    assert str(folder) not in str(caught.value)
