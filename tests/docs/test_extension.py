"""A stranger's package with a game and an agent, installed and used as its author would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "ludoteca-nim"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    install = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    subprocess.run([sys.executable, *install, str(EXAMPLE)], check=True, stdout=subprocess.DEVNULL)
    return target


def python(site: Path, *arguments: str, answer: str = "") -> str:
    """What a new Python prints, with the package installed."""
    run = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONWARNINGS": "error"},
        input=answer, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_command_line_knows_the_game_and_the_agent(site: Path) -> None:
    assert "heaps=3-5-7" in python(site, "-m", "ludoteca.cli", "games")
    assert "nim-sum (nim)" in python(site, "-m", "ludoteca.cli", "agents", "nim")
    assert "nim-sum" not in python(site, "-m", "ludoteca.cli", "agents", "hex")


def test_it_plays_in_the_terminal(site: Path) -> None:
    """A person who takes one stone each time loses to perfect play."""
    moves = "\n".join(["take 1 from 1", "take 1 from 2", "take 1 from 3"] * 6)
    told = python(
        site, "-m", "ludoteca.cli", "play", "nim:heaps=1-2-3", "--against", "nim-sum", "--explain", answer=moves
    )
    assert "leaves a zero sum" in told
    assert "nim-sum wins." in told


def test_it_speaks_the_languages_of_its_own_catalogues(site: Path) -> None:
    """The package brings its Spanish; an error, a note, a board, an action and an option are told in it."""
    told = python(
        site, "-m", "ludoteca.cli", "play", "nim:heaps=1-2-3", "--against", "nim-sum", "--explain", "--language", "es",
        answer="toma\nquita 1 de 1\n" + "take 1 from 2\ntake 1 from 3\n" * 6,
    )  # fmt: skip
    assert "montón 3: |||" in told
    assert "'toma' no es una acción de nim:heaps=1-2-3; di, por ejemplo, 'take 1 from 1'" in told
    assert "nim-sum juega quita " in told and "deja una suma cero" in told
    program = """
from ludoteca import games, spec
from ludoteca.catalogues import languages
from ludoteca.messages import translate
option = spec.options(games.game_class("nim"))[0]
print(languages(), translate(option.title, "es"))
print(translate(games.game_class("hex").title, "es"))
"""
    assert "('en', 'es') montones\nHex\n" in python(site, "-c", program)


def test_the_arena_plays_a_game_in_pure_python(site: Path) -> None:
    """Its views have no form that our core could read; perfect play beats chance from a heap that it can win."""
    told = python(
        site, "-m", "ludoteca.cli", "match", "nim:heaps=1-2-4", "nim-sum", "random", "-n", "8", "--workers", "1",
        "--limit", "20s",
    )  # fmt: skip
    wins = re.search(r"^nim-sum +([0-9]+) +0 +([0-9]+) +0 ", told, re.MULTILINE)
    assert wins is not None, told
    assert int(wins[1]) + int(wins[2]) == 8
    assert int(wins[1]) >= 6


def test_it_keeps_the_promises_and_makes_batches(site: Path) -> None:
    program = """
import ludoteca, ludoteca.testing
game = ludoteca.game("nim:heaps=2-3")
ludoteca.testing.check_game(game, matches=20)
batch = ludoteca.batch(game, 8, seed=1)
ended = 0
for _ in range(100):
    assert batch.tensor().shape == (8, 2)
    legal = batch.legal()
    actions = batch.random_actions()
    assert legal[range(8), actions].all()
    returns, done = batch.step(actions)
    assert (abs(returns).sum(axis=1) == 2 * done).all()
    ended += done.sum()
assert ended > 100
try:
    ludoteca.agent("nim-sum")(ludoteca.game("hex"), 0, 0)
except ludoteca.InvalidAgent as error:
    print(error)
"""
    assert "nim-sum does not play hex; the agents that do are" in python(site, "-c", program)


def test_mcts_plays_a_game_that_it_has_never_seen(site: Path) -> None:
    told = python(
        site, "-m", "ludoteca.cli", "match", "nim:heaps=1-2-4", "mcts:simulations=100", "random", "-n", "6",
        "--workers", "1", "--limit", "60s",
    )  # fmt: skip
    played = re.search(r"^mcts:simulations=100 +([0-9]+) +0 +([0-9]+) ", told, re.MULTILINE)
    assert played is not None, told
    wins, losses = int(played[1]), int(played[2])
    assert wins + losses == 6 and wins > losses
