"""What the documentation shows is true: sessions run as doctests, and everything else is at least understood.

Pages are collected by pytest itself, which runs every ``>>>`` in them; the site is built in `test_site`.
"""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
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
    if "--help" in words or words[0] == "train":  # which prints, or reads its options itself
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


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_within_the_repository_leads_to_a_file(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    lost = [target for target, _ in LINK.findall(text) if target and not (page.parent / target).exists()]
    assert lost == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "es").glob("*.md")), ids=name_of)
def test_spanish_pages_show_spanish_pictures(page: Path) -> None:
    shown = set(PICTURE.findall(page.read_text("utf-8")))
    assert {each for each in shown if not each.endswith("-es")} <= IN_SPANISH_ANYWAY


def test_pictures_of_pages_are_small_and_shown() -> None:
    shown = {name for page in PAGES for name in PICTURE.findall(page.read_text("utf-8"))}
    files = {file.stem: file.stat().st_size for file in (ROOT / "docs" / "web").glob("*.png")}
    assert files.keys() == shown
    assert max(files.values()) <= 150_000
