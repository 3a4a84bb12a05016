"""The documentation of games and agents as pages: read from a checkout, with links that work on this server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from ludoteca.catalogues import SOURCE, Language, folder_of

DOCS = Path(__file__).parents[5] / "docs"
"""Only a checkout has documentation; an installed package has none, and no page links to it."""
FOLDERS = ("agents", "games", "seeds")
NAME = re.compile(r"[a-z0-9-]+")
HERE = "http://localhost:8080"
"""How documents write the address of a server that runs on the reader's computer."""
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Document:
    """One page of the documentation."""

    title: str
    text: str
    """Markdown; every link leads to a page of this server or to another host."""
    language: Language


def find(folder: str, name: str, language: Language) -> Document | None:
    """A document in this language, or else in English; None if there is none.

    The translation of ``agents/astar.md`` into Brazilian Portuguese is ``agents/pt_BR/astar.md``.
    """
    if folder not in FOLDERS or not NAME.fullmatch(name):
        return None
    translated = DOCS / folder / folder_of(language) / f"{name}.md"
    for path, spoken in ((translated, language), (DOCS / folder / f"{name}.md", SOURCE)):
        if path.is_file():
            head, _, text = path.read_text(encoding="utf-8").partition("\n")
            title = re.sub(r"[*`]", "", head.lstrip("# "))
            return Document(title, LINK.sub(partial(_rewritten, folder=path.parent), text), spoken)
    return None


def address_of(folder: str, name: str) -> str:
    """The address of a document; empty if there is none."""
    return f"/docs/{folder}/{name}" if find(folder, name, SOURCE) else ""


def _rewritten(found: re.Match[str], folder: Path) -> str:
    """Rewrites a link: to a page of this server, unchanged to another host, or else to its text alone."""
    target = found["target"].removeprefix(HERE)
    if target.startswith("/"):
        return f"[{found['text']}]({target})"
    if target.startswith(("https://", "http://")):
        return found[0]
    path, _, part = target.partition("#")
    file = (folder / path).resolve()
    if not file.is_file() or not file.is_relative_to(DOCS) or file.suffix != ".md":
        return found["text"]
    shelf = PurePosixPath(file.relative_to(DOCS)).parts[0]
    if shelf not in FOLDERS:
        return found["text"]
    return f"[{found['text']}](/docs/{shelf}/{file.stem}{'#' if part else ''}{part})"
