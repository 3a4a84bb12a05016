"""The languages of the texts for people, and their gettext catalogues (`.po`).

English is the language of the source and needs no catalogue. Every other language is one file::

    locale/es/LC_MESSAGES/ludoteca.po

Longer texts without templates, such as the first ``course.toml``, are files of their own beside it: `read_document`.
A package with games or agents can bring catalogues too: an entry point in the group ``ludoteca.locale`` names
its folder, with dots; nothing of the package is imported for that. Such a catalogue may have any name and adds texts to
a language that exists; one called ``ludoteca.po`` adds a language. Catalogues are not compiled: they are read when a
language is first used.
"""

from __future__ import annotations

import gettext
import json
import locale
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

Language: TypeAlias = str
"""A tag such as ``en``, ``es`` or ``pt-BR``."""

SOURCE: Final[Language] = "en"
"""The language of the templates in the code."""

OURS: Final = Path(__file__).parent / "locale"
GROUP: Final = "ludoteca.locale"


NUMBER: Final = "1,234.5"
"""The number by which catalogues show how their language writes numbers, in the context ``number``."""


class Entry(NamedTuple):
    """The translation of one text: a template per plural form, and the rule that chooses among them."""

    forms: tuple[str, ...]
    form_of: Callable[[int], int]


Key: TypeAlias = tuple[str, str]
"""A context, usually empty, and the English text."""


def languages() -> tuple[Language, ...]:
    """The available languages: English, then the others by their tags."""
    return (SOURCE, *sorted(_files()))


def look_up(language: Language, template: str, context: str = "") -> Entry | None:
    """The translation of an English text; None for English and if no catalogue has it."""
    return None if language == SOURCE else _entries(language).get((context, template))


def number_signs(language: Language) -> tuple[str, str]:
    """What stands between thousands and before decimals; as in English unless the catalogue says otherwise.

    >>> number_signs("en")
    (',', '.')
    """
    entry = look_up(language, NUMBER, "number")
    found = re.fullmatch(r"1(\D?)234(\D)5", entry.forms[0] if entry else NUMBER)
    return (found[1], found[2]) if found else (",", ".")


def preferred_language() -> Language:
    """The language that the environment asks for, if it is available; else English.

    As in gettext the first of LC_ALL, LC_MESSAGES and LANG decides; unless it is C, LANGUAGE may list others before it.
    """
    setting = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    name = setting or locale.getlocale()[0] or ""
    if name.partition(".")[0] in ("C", "POSIX"):
        return SOURCE
    by_word = locale.normalize(name.partition("_")[0])  # Windows says Spanish_Spain
    wanted = [*os.environ.get("LANGUAGE", "").split(":"), name, by_word]
    return next(filter(None, map(nearest_language, wanted)), SOURCE)


def accepted_language(header: str) -> Language:
    """The available language that a browser's Accept-Language prefers; English if it names none.

    >>> accepted_language("xx, es-MX;q=0.8, en;q=0.3")
    'es'
    """
    best, chosen = 0.0, SOURCE
    for part in header.split(",")[:20]:
        tag, _, rest = part.partition(";")
        try:
            weight = float(rest.strip().removeprefix("q=") or "1")
        except ValueError:
            continue
        near = nearest_language(tag.strip())
        if near is not None and weight > best:
            best, chosen = weight, near
    return chosen


def nearest_language(name: str) -> Language | None:
    """The available language for a tag or locale such as ``es-MX`` or ``es_ES.UTF-8``; None if there is none.

    The same region comes first, then the language without a region, then any other region: ``pt`` and ``pt_PT`` are
    answered in ``pt-BR`` where that is the only Portuguese.
    """
    tag = re.split(r"[.@]", name)[0].replace("_", "-").lower()
    root = tag.partition("-")[0]
    known = {language.lower(): language for language in languages()}
    others = [language for each, language in known.items() if each.partition("-")[0] == root]
    return known.get(tag) or known.get(root) or next(iter(others), None)


@lru_cache(maxsize=1)
def _files() -> dict[Language, list[Path]]:
    """The catalogues of each language, ours first: no other package overrides our translations."""
    found: dict[Language, list[Path]] = {}
    offered = set()
    for folder in [OURS, *_folders_of_others()]:
        for path in sorted(folder.glob("*/LC_MESSAGES/*.po")):
            language = path.parts[-3].replace("_", "-")
            found.setdefault(language, []).append(path)
            if path.name == "ludoteca.po":
                offered.add(language)
    return {language: paths for language, paths in found.items() if language in offered}


def read_document(name: str, language: Language) -> str:
    """A whole text that has no templates, such as ``course.toml``: that of a language, or else the English one.

    It lies beside the catalogues, in ``locale/<language>/<name>``.
    """
    own = OURS / folder_of(language) / name
    return (own if own.is_file() else OURS / SOURCE / name).read_text(encoding="utf-8")


def folder_of(language: Language) -> str:
    """The name of the folder that holds what is written in a language: ``pt_BR`` for ``pt-BR``."""
    return language.replace("-", "_")


def _folders_of_others() -> Iterator[Path]:
    """The folders that other installed packages name. `find_spec` of a top-level package does not import it."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        package, _, inside = entry.value.partition(".")
        try:
            spec = find_spec(package)
        except (ImportError, ValueError):
            spec = None
        places = spec.submodule_search_locations if spec is not None else None
        if places is None:
            warnings.warn(f"the catalogues of {entry.name} are not found: {entry.value} is no folder", stacklevel=2)
            continue
        yield from (Path(place, *inside.split(".")) if inside else Path(place) for place in places)


@lru_cache(maxsize=32)
def _entries(language: Language) -> dict[Key, Entry]:
    entries: dict[Key, Entry] = {}
    for path in _files().get(language, []):
        try:
            new = read_po(path.read_text(encoding="utf-8").splitlines())
        except (OSError, ValueError) as error:
            if path.is_relative_to(OURS):
                raise
            warnings.warn(f"{path} cannot be read as a catalogue: {error}", stacklevel=2)
            continue
        entries = new | entries
    return entries


def read_po(lines: Iterable[str]) -> dict[Key, Entry]:
    """The translations in a `.po` file, without fuzzy, obsolete and empty entries.

    Raises ValueError, with the line, if the file is malformed.
    """
    read: list[_Read] = [_Read()]
    part = ""
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            if part:
                read.append(_Read())
                part = ""
            if line.startswith("#,") and "fuzzy" in line:
                read[-1].fuzzy = True
            continue
        found = LINE.fullmatch(line)
        if found is None or not (found[1] or part):
            raise ValueError(f"line {number} is no line of a catalogue: {line}")
        if found[1] and part.startswith("msgstr") and not found[1].startswith("msgstr"):
            read.append(_Read())
        part = found[1] or part
        texts = read[-1].texts
        texts[part] = texts.get(part, "") + json.loads(found[2], strict=False)
    header = next((each.texts.get("msgstr", "") for each in read if each.texts.get("msgid") == ""), "")
    rule = PLURAL.search(header)
    form_of = gettext.c2py(rule[1]) if rule else gettext.c2py("n != 1")
    return {
        (each.texts.get("msgctxt", ""), each.texts["msgid"]): Entry(each.forms, form_of)
        for each in read
        if each.texts.get("msgid") and not each.fuzzy and each.forms and all(each.forms)
    }


LINE: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?("(?:[^"\\]|\\["\\nt])*")')
PLURAL: Final = re.compile(r"plural=([^;\n]+)")


@dataclass
class _Read:
    """One entry: the text after each of its keywords."""

    texts: dict[str, str] = field(default_factory=dict)
    fuzzy: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """The translation, or its plural forms in order."""
        return tuple(text for part, text in sorted(self.texts.items()) if part.startswith("msgstr"))
