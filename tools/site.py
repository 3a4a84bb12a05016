"""The hooks of MkDocs, which it calls for every build of the site.

- The nav may name pages that are not written yet, and a folder for all pages in it; pages that it does not name are put
  under "More", so that none is left out.
- ``CHANGELOG.md`` is the page ``changelog.md``.
- A notebook ``docs/NAME.ipynb`` is the page ``notebook-NAME.md``, as it was executed last.
- A link from a page to a file of the repository outside of ``docs`` leads to a copy of that file; one to a folder is
  left as its text.
- Pages below the folder of a language, such as ``es``, say that they are in it.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from ludoteca.catalogues import SOURCE, languages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")
CHANGELOG = "changelog.md"
HIDDEN = ("examples/", "site/")
"""Folders of docs that hold no pages."""


def on_config(config: MkDocsConfig) -> None:
    """The nav with what there is."""
    nav = [entry for entry in map(_existing, config.nav or []) if entry]
    named = set(_paths(nav))
    pages = (path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md")))
    more = [page for page in pages if page not in named and not page.startswith(HIDDEN)]
    config.nav = [*nav, {"More": more}] if more else nav


def _existing(entry: Any) -> Any:
    """An entry of the nav without what is not there; nothing where nothing is left."""
    if isinstance(entry, str):
        return entry if _is_there(entry) else None
    ((title, value),) = entry.items()
    if isinstance(value, str):
        folder = DOCS / value
        if folder.is_dir():
            return {title: [page.relative_to(DOCS).as_posix() for page in sorted(folder.glob("*.md"))]}
        return entry if _is_there(value) else None
    left = [each for each in map(_existing, value) if each]
    return {title: left} if left else None


def _is_there(page: str) -> bool:
    return (DOCS / page).is_file() or page in (CHANGELOG, *map(_page_of, DOCS.glob("*.ipynb")))


def _page_of(notebook: Path) -> str:
    return f"notebook-{notebook.stem}.md"


def _paths(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for each in entry.values() if isinstance(entry, dict) else entry:
            yield from _paths(each)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Adds the notebooks as pages, and copies of the files that pages link to outside of docs, or that are examples."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8").replace("](docs/", "](")
    files.append(File.generated(config, CHANGELOG, content=text))
    for notebook in DOCS.glob("*.ipynb"):
        files.append(File.generated(config, _page_of(notebook), content=notebook_as_markdown(notebook)))
    for page in list(files.documentation_pages()):
        folder = posixpath.dirname(page.src_uri)
        for link in LINK.finditer(page.content_string):
            name = _outside(folder, link["target"])
            if name is None or name.endswith(".ipynb"):
                continue
            if (ROOT / name).is_file() and files.get_file_from_path(f"source/{name}") is None:
                files.append(File.generated(config, f"source/{name}", abs_src_path=str(ROOT / name)))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links to files outside of docs to their copies."""
    folder = posixpath.dirname(page.file.src_uri)

    def led(link: re.Match[str]) -> str:
        name = _outside(folder, link["target"])
        if name is None:
            return link[0]
        if name.startswith("docs/") and name.endswith(".ipynb"):
            return f"[{link['text']}]({posixpath.relpath(_page_of(Path(name)), folder or '.')})"
        if (ROOT / name).is_file():
            return f"[{link['text']}]({posixpath.relpath(f'source/{name}', folder or '.')})"
        return link["text"] if (ROOT / name).is_dir() else link[0]  # what is nowhere is MkDocs' to complain about

    return LINK.sub(led, markdown)


def _outside(folder: str, target: str) -> str | None:
    """The path within the repository of what a page in this folder links to; None where the site has it itself."""
    path = os.path.normpath(os.path.join("docs", folder, target))
    if path.startswith("docs/") and not path.startswith("docs/examples/") and not path.endswith((".py", ".ipynb")):
        return None
    return path


def notebook_as_markdown(notebook: Path) -> str:
    """What a notebook says, does and shows; its pictures and tables as they are stored in it."""
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            shown = output["data"]
            drawn = "".join(shown.get("image/svg+xml") or shown.get("text/html") or [])
            if drawn:
                lines = " ".join(drawn.split("\n"))  # Markdown must not see empty lines in it
                parts.append(f'<div class="shown">{lines}</div>')
            else:
                text = "".join(shown["text/plain"])
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Says which language a page is in."""
    folders = [each.replace("_", "-") for each in page.file.src_uri.split("/")[:-1]]
    spoken = next((each for each in folders if each in languages()), SOURCE)
    return output.replace('<html lang="en"', f'<html lang="{spoken}"', 1)
