"""What the documentation shows is true: sessions run as doctests, and everything else is at least understood.

Pages are collected by pytest itself, which runs every ``>>>`` in them; the site is built in `test_site`.
"""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer.main

from ludoteca.cli import COMMANDS, app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"\]\((?:\S*/)?web/(\S+)\.png\)")
IN_SPANISH_ANYWAY = {"phone"}
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?<![\w./~-])(?:bench|core|docs|src/ludoteca|tests|tools)/[\w./*-]+")
PLACEHOLDER = re.compile(r"[A-Z]{3,}")
"""A name in capitals, such as ``docs/NAME.ipynb``, stands for any."""
MODULE = re.compile(r"python3? -m ([\w.]*\w)")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]+)?\)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(kind: str) -> list[Any]:
    """Every block of this kind, by where it is."""
    return [
        pytest.param(text, id=f"{name_of(page)}:{page.read_text('utf-8')[: found.start()].count(chr(10)) + 1}")
        for page in PAGES
        for found in BLOCK.finditer(page.read_text("utf-8"))
        for language, text in [found.groups()]
        if language == kind
    ]


COMMAND_LINES = sorted(
    {
        line.removeprefix("$ ludoteca ")
        for each in blocks("console")
        for line in each.values[0].splitlines()
        if line.startswith("$ ludoteca ")
    }
)


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_the_command_line_understands_what_pages_tell_people_to_type(line: str) -> None:
    words = shlex.split(line, comments=True)
    assert words[0] in COMMANDS
    if "--help" in words:  # which prints
        return
    group: Any = typer.main.get_command(app)
    command = group.get_command(None, words[0])
    if hasattr(command, "commands"):
        command, words = command.commands[words[1]], words[1:]
    command.make_context(words[0], words[1:])  # raises what a person would read


@pytest.mark.parametrize("text", blocks("toml"))
def test_settings_are_toml(text: str) -> None:
    assert tomllib.loads(text)


@pytest.mark.parametrize("text", blocks("python"))
def test_what_is_no_session_is_at_least_python(text: str) -> None:
    assert ast.parse(text).body


def anchors_of(page: Path) -> set[str]:
    """The names that MkDocs gives to the headings of a page."""
    text = FENCED.sub("", page.read_text("utf-8"))
    plain = (
        unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode() for heading in HEADING.findall(text)
    )
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in plain}


def dead(page: Path, text: str) -> list[str]:
    """The links, anchors, paths of the repository and modules of ``python -m`` in a page's text that lead nowhere."""
    lost = []
    for target, anchor in LINK.findall(FENCED.sub("", text)):
        # Pages of the repository's host, as a badge: ../../actions/workflows/NAME.yml
        target = target.removesuffix("/badge.svg").replace("../../actions/", ".github/")
        file = page.parent / target if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor[1:] not in anchors_of(file)):
            lost.append(target + anchor)
    for path in (each for code in CODE.findall(text) for each in PATH.findall(code)):
        if not PLACEHOLDER.search(path) and not any(ROOT.glob(path.rstrip("./"))):
            lost.append(path)
    return lost + [module for module in MODULE.findall(text) if not is_module(module)]


def is_module(name: str) -> bool:
    """Whether ``python -m`` finds it: in the repository, or else as an installed package."""
    top, *rest = name.split(".")
    for folder in (ROOT, ROOT / "src"):
        if (folder / top).is_dir():
            path = folder.joinpath(top, *rest)
            return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    return find_spec(top) is not None


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_every_link_path_and_module_of_a_page_is_there(page: Path) -> None:
    assert dead(page, page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("[rules](games/hex.md) [here](#what-runs) [its part](games/horses.md#options)", ["#what-runs"]),
        ("[rules](games/go.md) and [no part](games/hex.md#opening)", ["games/go.md", "games/hex.md#opening"]),
        ("each is a test in `tests/agents/test_kittens_rules.py`", ["tests/agents/test_kittens_rules.py"]),
        ("`core/hex/rules.hpp`, `tests/docs/`, `docs/agents/*.md`, `docs/NAME.ipynb`, `python tools/site.py`", []),
        ("`core/hex/*.py` and `python tools/sites.py --all`", ["core/hex/*.py", "tools/sites.py"]),
        ("`python -m bench.claims.hex`, `python -m tools.words update`, `python -m pytest`", []),
        ("`python -m bench.claims.go`\n```console\n$ python -m tool.page\n```", ["bench.claims.go", "tool.page"]),
    ],
)
def test_what_leads_nowhere_is_found(text: str, lost: list[str]) -> None:
    assert dead(ROOT / "docs" / "index.md", text) == lost


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "es").glob("*.md")), ids=name_of)
def test_spanish_pages_show_spanish_pictures(page: Path) -> None:
    shown = set(PICTURE.findall(page.read_text("utf-8")))
    assert {each for each in shown if not each.endswith("-es")} <= IN_SPANISH_ANYWAY


def test_pictures_of_pages_are_small_and_shown() -> None:
    shown = {name for page in PAGES for name in PICTURE.findall(page.read_text("utf-8"))}
    files = {file.stem: file.stat().st_size for file in (ROOT / "docs" / "web").glob("*.png")}
    assert files.keys() == shown
    assert max(files.values()) <= 150_000
