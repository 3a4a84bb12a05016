"""Code that cannot be imported or built is reported at once, with its own traceback and without a path."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca.agents.digests import identity_of
from ludoteca.agents.tracebacks import explain
from ludoteca.errors import BrokenAgent, InvalidAgent
from ludoteca.players.build_check import check_build
from ludoteca.players.pool import Pool

GAME = ludoteca.game("hex:size=4")
GOOD = "class P:\n    def __init__(self, me): pass\n    def play(self, board): return (0, 0)\n"
AGENT = (
    "class A:\n    def __init__(self, game, seat, seed):\n        {body}\n    def act(self, view, limit): return 0\n"
)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    """A pool whose processes look for modules in a folder of their own."""
    folder = tmp_path_factory.mktemp("here")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "path", [*sys.path])
        with Pool() as pool:
            yield pool


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return name


def test_who_can_be_built_is_admitted_with_its_identity(pool: Pool) -> None:
    for agent in (write("good/solution.py", GOOD), "random", "astar:depth=3"):
        assert check_build(pool, GAME, agent) == identity_of(agent, "hex")


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("one", "import nothing_like_this", ["solution.py, line 1, in <module>: import nothing_like_this",
                                            "ModuleNotFoundError: No module named 'nothing_like_this'"]),
        ("two", "class P(:\n    pass", ["solution.py, line 1: class P(:", "SyntaxError: invalid syntax"]),
        ("three", "def deep():\n    return {}['x']\n\ndef f():\n    deep()\n\nf()\n",
         ["solution.py, line 2, in deep: return {}['x']", "solution.py, line 5, in f: deep()",
          "solution.py, line 7, in <module>: f()", "KeyError: 'x'"]),
        ("four", "import ideas\n" + GOOD, ["ideas.py, line 1, in <module>: 1 / 0",
                                           "solution.py, line 1, in <module>: import ideas",
                                           "ZeroDivisionError: division by zero"]),
        ("five", "open('/etc/hidden/place/data.txt')", ["data.txt"]),
        ("six", "raise SystemExit('bye')", ["SystemExit: bye"]),
        ("seven", "x = 1", ["no class in it has a method play"]),
        ("eight", "import os\nos._exit(4)", ["exited with status 4"]),
    ],
)  # fmt: skip
def test_a_broken_submission_is_reported_with_its_innermost_lines(
    pool: Pool, name: str, text: str, lines: list[str]
) -> None:
    if name == "four":
        write("four/ideas.py", "1 / 0")
    with pytest.raises(BrokenAgent) as caught:
        check_build(pool, GAME, write(f"{name}/solution.py", text))
    found = str(caught.value)
    assert "solution.py cannot be built:\n" in found
    places = [found.find(line) for line in lines]
    assert -1 not in places and places == sorted(places), found
    assert os.getcwd() not in found and "/etc/hidden" not in found and "ludoteca/" not in found


def test_a_broken_class_is_reported(pool: Pool) -> None:
    write("./broken_one.py", AGENT.format(body="self.table = [][seat]"))
    with pytest.raises(BrokenAgent) as caught:
        check_build(pool, GAME, "broken_one.A")
    assert "broken_one.py, line 3, in __init__: self.table = [][seat]\nIndexError: list index out of range" in str(
        caught.value
    )
    assert "broken_one" not in sys.modules


def test_a_name_that_means_nothing_is_no_broken_code(pool: Pool) -> None:
    for agent, complaint in [
        ("nobody", "no agent is called 'nobody'"),
        ("nowhere.py", "there is no file nowhere.py"),
        ("minimax", "minimax does not play hex; the agents that do are astar, beam"),
        (write("plain/solution.py", GOOD) + "@00000000", "has changed"),
    ]:
        with pytest.raises(InvalidAgent, match=complaint) as caught:
            check_build(pool, GAME, agent)
        assert not isinstance(caught.value, BrokenAgent)


def test_an_agent_that_was_changed_during_a_run_is_refused(pool: Pool) -> None:
    identity = check_build(pool, GAME, write("changing/solution.py", GOOD))
    with Pool(recheck=0.0) as vigilant:
        vigilant.player(GAME, identity).close()
        write("changing/solution.py", GOOD + "\n# better now\n")
        with pytest.raises(InvalidAgent, match="has changed"):
            vigilant.player(GAME, identity)


def test_messages_are_short_and_say_nothing_of_addresses() -> None:
    class Odd:
        pass

    def fail(depth: int) -> None:
        if depth:
            fail(depth - 1)
        raise ValueError(f"{Odd()} " * 100)

    with pytest.raises(ValueError, match="Odd") as caught:
        fail(20)
    found = explain(caught.value)
    assert len(found) <= 600
    assert found.count("test_build_check.py, line") == 3
    assert "0x" not in found
