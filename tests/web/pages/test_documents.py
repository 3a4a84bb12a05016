"""The documentation as pages, and that a translation says the same as what it translates."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ludoteca.catalogues import SOURCE, folder_of, languages
from ludoteca.web.pages.learn.documentation import DOCS, address_of, find

FOLDERS = [folder_of(language) for language in languages() if language != SOURCE]
TRANSLATED = [*(path for each in FOLDERS for path in sorted(DOCS.glob(f"*/{each}/*.md"))), DOCS / "es" / "seeds.md"]
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!http)([^)]+)\)")
COMMENT = re.compile(r"\s+# .*")


def original(path: Path) -> str:
    return (path.parents[1] / path.name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: "/".join([*path.parts[-3:-1], path.stem]))
def test_a_translation_has_the_numbers_the_code_and_the_tables_of_its_original(path: Path) -> None:
    there, here = original(path), path.read_text(encoding="utf-8")
    assert Counter(NUMBER.findall(here)) == Counter(NUMBER.findall(there))
    for part in (BLOCK, re.compile(r"^\|.*\|$", re.MULTILINE)):
        assert len(part.findall(here)) == len(part.findall(there))
    bare = [[COMMENT.sub("", block) for block in BLOCK.findall(text)] for text in (here, there)]
    assert bare[0] == bare[1]
    missing = set(CODE.findall(there)) - set(CODE.findall(here)) - {"probability"}
    assert not missing


def test_a_document_comes_in_the_language_of_the_reader_or_else_in_english() -> None:
    spanish, english = find("agents", "astar", "es"), find("agents", "astar", "en")
    assert spanish is not None and spanish.language == "es" and "Juega a" in spanish.text
    assert english is not None and english.language == "en" and english.text.strip().startswith("Plays")
    rules = find("games", "hex", "es")
    assert rules is not None and rules.language == "en"


def test_links_lead_to_pages_of_the_server_or_are_only_text() -> None:
    for language in ("en", "es"):
        found = find("agents", "astar", language)
        assert found is not None
        targets = LINK.findall(found.text)
        assert "/docs/games/hex" in targets and "/docs/agents/beam" in targets
        assert all(target.startswith("/docs/") for target in targets)
    english = find("agents", "astar", "en")
    assert english is not None and "ladders/hex.json" in english.text  # its text is left, its link is not


def test_a_link_to_try_something_leads_to_this_server() -> None:
    for language in ("en", "es"):
        found = find("seeds", "horses", language)
        assert found is not None and found.language == language and "*" not in found.title
        assert "](/new/horses?opponent=minimax:level=beginner)" in found.text and "localhost" not in found.text


def test_every_page_about_a_seed_is_there_in_spanish() -> None:
    assert {path.name for path in (DOCS / "seeds").glob("*.md")} == {
        path.name for path in (DOCS / "seeds" / "es").glob("*.md")
    }


@pytest.mark.parametrize("name", ["../web", "astar.md", "", "nobody", "ASTAR", "es"])
def test_nothing_but_documents_is_found(name: str) -> None:
    assert find("agents", name, "en") is None and address_of("agents", name) == ""
    assert find("examples", "README", "en") is None and find("..", "README", "en") is None
