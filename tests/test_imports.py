"""What is imported when: nothing that is heavy before it is needed, and a missing extra by its name."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from ludoteca import errors
from ludoteca.cli import COMMANDS
from ludoteca.errors import MissingExtra, extra
from ludoteca.messages import say
from tests.commands import run

HEAVY = ["asyncio", "importlib.metadata", "matplotlib", "nicegui", "numpy", "onnxruntime", "rich", "scipy", "torch"]


def loaded(code: str) -> list[str]:
    code = f"import sys\n{code}\nprint([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return list(eval(done.stderr.splitlines()[-1]))


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert loaded("import ludoteca") == []


def test_help_imports_nothing_heavy_and_no_command() -> None:
    code = "from ludoteca.cli import app\nsys.argv = ['ludoteca', '--help']\ntry: app()\nexcept SystemExit: pass\n"
    assert loaded(code + "assert 'ludoteca.terminal' not in sys.modules") == []


def test_a_game_is_dealt_without_numpy() -> None:
    # A program that only wants rules and a picture waits for nothing else.
    code = "import ludoteca\ngame = ludoteca.game('hex:size=3')\ngame.text(game.deal(1).view(0))"
    assert {"numpy", "rich", "typer"}.isdisjoint(loaded(code))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_of_a_command_what_the_command_says(name: str) -> None:
    module, _, attribute = COMMANDS[name].place.partition(":")
    command = getattr(import_module(f"ludoteca.{module}"), attribute)
    found = (command.info.help if isinstance(command, typer.Typer) else inspect.getdoc(command)) or ""
    assert " ".join(found.split()).startswith(COMMANDS[name].summary)
    assert COMMANDS[name].summary.endswith(".")


@pytest.mark.parametrize(
    ("package", "extra", "arguments"),
    [
        ("nicegui", "web", ["serve"]),
        ("torch", "learn", ["train", "zero"]),
        ("onnxruntime", "nets", ["match", "hex:size=3", "zero", "random", "-n", "2"]),
        ("onnxruntime", "nets", ["match", "kittens", "dqn", "random", "-n", "2"]),
        ("ray", "ray", ["match", "hex:size=3", "mcts", "random", "-n", "2", "--ray"]),
    ],
)
def test_a_missing_extra_is_one_line_that_names_it(package: str, extra: str, arguments: list[str]) -> None:
    done = run(*arguments, without=package)
    assert done.returncode == 2
    assert f"needs {package}, which is not installed: pip install 'ludoteca[{extra}]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_networks_the_hex_engine_says_how_it_plays_without() -> None:
    done = run("match", "hex:size=3", "engine", "random", "-n", "2", without="onnxruntime")
    assert "pip install 'ludoteca[nets]'; or choose engine:network=none, which plays without" in done.stderr
    done = run("match", "hex:size=3", "engine:network=none", "random", "-n", "2", without="onnxruntime")
    assert done.returncode == 0, done.stderr


def test_without_networks_a_position_is_judged_by_the_engine_that_needs_none() -> None:
    done = run("analyze", "hex:size=3", "--limit", "50n", without="onnxruntime")
    assert done.returncode == 0, done.stderr
    assert "engine:network=none thinks" in done.stderr


def test_playing_against_a_network_fails_with_the_same_message_and_no_traceback() -> None:
    done = run("play", "hex:size=3", "--against", "zero", "--seat", "1", without="onnxruntime")
    assert done.returncode != 0
    output = done.stdout + done.stderr
    assert "pip install 'ludoteca[nets]'" in output and "line " not in output


def test_a_report_without_plots_is_written_but_for_its_png_files(tmp_path: Path) -> None:
    words = ["tournament", "hex:size=2", "mcts", "random", "--matches", "2", "--limit", "20n", "--workers", "1"]
    done = run(*words, "--report", str(tmp_path / "report"), without="matplotlib")
    assert done.returncode == 0, done.stderr
    assert "pip install 'ludoteca[plots]'" in done.stderr
    names = {path.name for path in (tmp_path / "report").iterdir()}
    assert names == {"crosstable.svg", "ratings.svg", "tables.json"}


def test_the_examples_in_docstrings_are_true() -> None:
    result = doctest.testmod(errors)
    assert result.attempted and not result.failed


def test_a_fault_of_ours_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError) as caught, extra("web", say("the page")):
        import_module("ludoteca.no_such_module")
    assert not isinstance(caught.value, MissingExtra)
    with pytest.raises(ImportError) as wrong, extra("web", say("the page")):
        from math import no_such_name  # type: ignore[attr-defined]  # noqa: F401
    assert not isinstance(wrong.value, MissingExtra)
