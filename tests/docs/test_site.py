"""The site as ``make docs`` builds it: without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import ludoteca

pytest.importorskip("mkdocs", reason="the site is built by MkDocs: pip install 'ludoteca[docs]'")
pytest.importorskip("mkdocstrings")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


class Links(HTMLParser):
    """What a page links to, shows and loads, and the names of its parts."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.parts: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.targets.add(value)
            elif name == "id" and value:
                self.parts.add(value)


def test_every_link_leads_to_a_page_and_a_part_that_are_there(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html") if page.name != "404.html"}
    lost = []
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            file = path / "index.html" if path.is_dir() else path
            if not file.is_file() or (parts.fragment and file in pages and parts.fragment not in pages[file].parts):
                lost.append((page.relative_to(site).as_posix(), target))
    assert len(pages) > 40
    # Material's own skip link and tabs lead to parts that scripts make.
    assert [each for each in lost if not each[1].startswith("#__")] == []


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    tag = re.compile(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=[\"'](https?:)?//[^\"']+")
    assert [page.name for page in site.rglob("*.html") if tag.search(page.read_text("utf-8"))] == []


def test_every_page_can_be_found_by_searching(site: Path) -> None:
    found = {
        entry["location"].partition("#")[0]
        for entry in json.loads((site / "search/search_index.json").read_text())["docs"]
    }
    pages = {page.parent.relative_to(site).as_posix() + "/" for page in site.rglob("index.html")}
    assert {page.removeprefix("./") for page in pages} <= found


def test_the_interface_is_there_name_by_name(site: Path) -> None:
    shown = Links(site / "api" / "index.html").parts
    assert {f"ludoteca.{name}" for name in ludoteca.__all__} <= shown


def test_examples_of_docstrings_are_sessions_and_drawings_have_no_colons() -> None:
    from tools.docstrings import markdown  # needs Griffe, as the site does

    text = "Adds.\n\n>>> 1 + 1\n2\n\nSee::\n\n    1 + 1\n\n>>> 2\n2"
    found = "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nSee:\n\n    1 + 1\n\n```pycon\n>>> 2\n2\n```"
    assert markdown(text) == found


def test_spanish_pages_say_that_they_are(site: Path) -> None:
    assert '<html lang="es"' in (site / "es/players/index.html").read_text("utf-8")
    assert '<html lang="en"' in (site / "tour/players/index.html").read_text("utf-8")
