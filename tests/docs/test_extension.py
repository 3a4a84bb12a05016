"""The packages of docs/extending.md, installed and used as their authors would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.web.conftest import served

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
QUICK = {
    "cmake.build-type": "Debug",
    "cmake.define.CMAKE_CXX_FLAGS_DEBUG": "-O0",
    "cmake.define.CMAKE_UNITY_BUILD": "ON",
    "cmake.define.CMAKE_UNITY_BUILD_BATCH_SIZE": "0",
}
"""To compile all of nanobind as one file, without optimisation and debug information, takes a third of the time."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the packages are installed as a user would, tic-tac-toe compiled."""
    target = tmp_path_factory.mktemp("site")
    install = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    packages = [str(EXAMPLES / f"ludoteca-{name}") for name in ("nim", "kuhn", "leduc", "tictactoe")]
    settings = {**QUICK, "build-dir": str(tmp_path_factory.mktemp("build"))}
    quick = [word for name, value in settings.items() for word in ("-C", f"{name}={value}")]
    subprocess.run([sys.executable, *install, *quick, *packages], check=True, stdout=subprocess.DEVNULL)
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
    program = """
import sys
from ludoteca.cli import main
for words in (["games"], ["agents", "nim"], ["agents", "hex"]):
    sys.argv = ["ludoteca", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
    print("the next")
"""
    listed, for_nim, for_hex = python(site, "-c", program).split("the next\n")[:3]
    assert "heaps=3-5-7" in listed
    assert "nim-sum (nim)" in for_nim
    assert "nim-sum" not in for_hex


def test_it_plays_in_the_terminal(site: Path) -> None:
    """A person who takes one stone each time loses to perfect play."""
    moves = "\n".join(["take 1 from 1", "take 1 from 2", "take 1 from 3"] * 6)
    output = python(
        site, "-m", "ludoteca.cli", "play", "nim:heaps=1-2-3", "--against", "nim-sum", "--explain", answer=moves
    )
    assert "leaves a zero sum" in output
    assert "nim-sum wins." in output


def test_it_speaks_the_languages_of_its_own_catalogues(site: Path) -> None:
    """The package brings its Spanish; an error, a note, a board, an action and an option are shown in it."""
    output = python(
        site, "-m", "ludoteca.cli", "play", "nim:heaps=1-2-3", "--against", "nim-sum", "--explain", "--language", "es",
        answer="toma\nquita 1 de 1\n" + "take 1 from 2\ntake 1 from 3\n" * 6,
    )  # fmt: skip
    assert "montón 3: |||" in output
    assert "'toma' no es una acción de nim:heaps=1-2-3; di, por ejemplo, 'take 1 from 1'" in output
    assert "nim-sum juega quita " in output and "deja una suma cero" in output
    program = """
from ludoteca import games, spec
from ludoteca.catalogues import languages
from ludoteca.messages import translate
option = spec.options(games.game_class("nim"))[0]
print("es" in languages(), translate(option.title, "es"))
print(translate(games.game_class("hex").title, "es"))
"""
    assert "True montones\nHex\n" in python(site, "-c", program)


def test_the_arena_plays_a_game_in_pure_python(site: Path) -> None:
    """Our core cannot read its views, and mcts has never seen it. Perfect play that begins wins from these heaps."""
    output = python(
        site, "-m", "ludoteca.cli", "match", "nim:heaps=1-2-4", "nim-sum", "mcts:simulations=20", "-n", "2",
        "--workers", "1", "--limit", "60s",
    )  # fmt: skip
    played = re.search(r"^nim-sum +([0-9]+) +0 +([0-9]+) +0 ", output, re.MULTILINE)
    assert played is not None, output
    wins, losses = int(played[1]), int(played[2])
    assert wins + losses == 2 and wins >= 1


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


def test_mcts_finds_the_best_action_in_a_game_that_it_has_never_seen(site: Path) -> None:
    """Taking all three stones wins at once; anything else loses against an opponent who can take the rest."""
    program = """
import ludoteca
game = ludoteca.game("nim:heaps=3")
view = game.deal(0).view(0)
for seed in range(5):
    found = ludoteca.agent("mcts:simulations=200")(game, 0, seed).act(view, ludoteca.Limit())
    assert game.action_name(found.action) == "take 3 from 1", found
"""
    python(site, "-c", program)


def test_a_game_with_hidden_information_keeps_its_secret(site: Path) -> None:
    """Views of both possible other cards are equal, and the sampler draws either of them equally often."""
    program = """
import ludoteca, ludoteca.testing
from collections import Counter
game = ludoteca.game("kuhn")
ludoteca.testing.check_game(game, matches=100)
seen = {}
for seed in range(200):
    state = game.deal(seed)
    state.apply(game.parse_action("bet"))
    seen.setdefault(bytes(state.view(1)), set()).add(state.cards)
assert sorted(len(worlds) for worlds in seen.values()) == [2, 2, 2], seen
view = game.deal(0).view(0)
drawn = Counter(view.sample(seed).cards for seed in range(2000))
assert len(drawn) == 2 and min(drawn.values()) > 900, drawn
"""
    python(site, "-c", program)


def test_the_package_for_authors_passes_its_own_tests(site: Path, tmp_path: Path) -> None:
    """Rules, samples, deals, agent, picture, Spanish and CFR+ of Leduc poker, as its author would run them."""
    tests = str(EXAMPLES / "ludoteca-leduc" / "tests")
    passed = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "t"), tests)
    assert re.search(r"^16 passed", passed, re.MULTILINE), passed


def test_the_arena_compares_its_agents_in_chips(site: Path) -> None:
    output = python(
        site, "-m", "ludoteca.cli", "match", "leduc", "leduc-odds", "random", "-n", "2", "--workers", "1", "--json"
    )
    agents = json.loads(output)["agents"]
    chips = [each["return"] for each in agents]
    assert chips[0] == -chips[1]
    assert 2 * chips[0] == pytest.approx(round(2 * chips[0]), abs=1e-9)  # thirteenths do not add up exactly


def test_its_matches_can_be_written_in_a_format_of_its_own(site: Path, tmp_path: Path) -> None:
    given, back = tmp_path / "in.kuhn", tmp_path / "out.kuhn"
    given.write_text("QJ pass bet bet\nKQ bet pass\n")
    program = """
import sys
from ludoteca.cli import main
for words in zip(sys.argv[1:3], sys.argv[2:4]):
    sys.argv[:] = ["ludoteca", "convert", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, words
"""
    python(site, "-c", program, str(given), str(tmp_path / "all.jsonl"), str(back))
    assert back.read_text() == given.read_text()
    given.write_text("QJ pass\nQQ bet\n")
    with pytest.raises(AssertionError, match="line 2: 'QQ' are not two different cards"):
        python(site, "-m", "ludoteca.cli", "convert", str(given), str(back))


def test_the_page_offers_the_games_of_packages(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site))
    with served(tmp_path) as address:
        for name, title, agent in (("kuhn", "Kuhn poker", "mcts"), ("leduc", "Leduc poker", "leduc-odds")):
            with urllib.request.urlopen(f"{address}/new/{name}", timeout=120) as page:
                shown = page.read().decode()
            assert title in shown and agent in shown


def test_a_game_in_cpp_has_the_rules_that_perft_counts(site: Path) -> None:
    program = """
import ludoteca, ludoteca.testing
game = ludoteca.game("tictactoe")
ludoteca.testing.check_game(game, matches=50)
print([game.deal(0).perft(depth) for depth in range(1, 10)], ludoteca.batch(game, 7).tensor().shape)
"""
    counts = "[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872] (7, 2, 3, 3)"
    assert counts in python(site, "-c", program)


def test_people_play_the_games_of_packages_in_the_terminal(site: Path) -> None:
    cells = "\n".join(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
    for game, answer in (("kuhn", "bet\nbet"), ("tictactoe", cells)):
        output = python(
            site, "-m", "ludoteca.cli", "play", game, "--against", "mcts:simulations=50", answer=f"{answer}\n"
        )
        assert "The match is over." in output
