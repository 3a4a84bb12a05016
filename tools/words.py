"""The catalogues and the code say the same things.

    python -m tools.words check            what is wrong in any catalogue; part of `make check`
    python -m tools.words update [TAG…]    brings the catalogues up to date with the code; a new TAG begins a language
    python -m tools.words status           how many texts each language has

`update` leaves new messages untranslated, for a person to fill in, and deletes those that the code no longer has. What
a language lacks is shown in English. `check` demands every text only of the languages that ``[tool.words]`` in
pyproject.toml declares complete; a translation that does not fit its text is an error in any language.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from ludoteca import catalogues as ours
from ludoteca import errors, messages
from ludoteca.agents.descriptions import paragraph_template

ROOT = Path(__file__).parents[1]
OURS = ROOT / "src" / "ludoteca"
NIM, LEDUC = (ROOT / "docs" / "examples" / f"ludoteca-{name}" / f"ludoteca_{name}" for name in ("nim", "leduc"))
PACKAGES = (OURS, NIM, LEDUC)
"""Folders of source with a folder `locale` each, and what their catalogues are called."""
SAID_BY = {"say": 0, "say_as": 1, "say_count": 0}
"""What says something, and which of its arguments is the template."""
RAISED = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)}
ERRORS = {*RAISED, "Fault", "InvalidTable", "NotFound", "Unplayable", "Busy"} - {"LudotecaError"}
"""What is raised with a text for people."""
TEMPLATES = {*ERRORS, "LudotecaError", "_Placed", "cls", "error", "at", "_wrong", "_failed"}
"""What may be called with a template, as the last positional argument, and its fields, as `say` takes them."""


HEADER = r"""# What {package} says, in another language.
msgid ""
msgstr ""
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plurals}\n"

"""
"""Without dates, which git knows better."""


OWN_NAME = "English"
"""The text that every catalogue translates with the name of its own language."""
NOTE = "# Translators:"
"""How a comment begins that translators see above the text in the lines below it."""


def catalogues(source: Path) -> list[Path]:
    """The catalogues of a package."""
    return sorted(source.glob(f"locale/*/LC_MESSAGES/{source.name}.po"))


@cache
def complete() -> tuple[str, ...]:
    """The languages that must have every text, as their folders are called."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return tuple(settings["tool"]["words"]["complete"])


@dataclass(frozen=True)
class Saying:
    """A call of `say` or its kind."""

    line: int
    code: str
    texts: tuple[str, ...]
    """The template, or those for one and for other numbers; fewer where they are no literals."""
    context: str | None
    fields: frozenset[str | None]
    """The names of the fields that are given; None among them for a dictionary of fields."""
    counts: bool
    note: str
    """What the comment above it tells translators; usually empty."""

    @property
    def is_literal(self) -> bool:
        """Whether everything can be read from the code, as catalogues need it."""
        return len(self.texts) == 1 + self.counts and None not in self.fields


def sayings(path: Path) -> Iterator[Saying]:
    """All that a file says, within f-strings too."""
    code = path.read_text(encoding="utf-8")
    lines = code.splitlines()
    for node in ast.walk(ast.parse(code)):
        name = called(node)
        if isinstance(node, ast.Call) and (name in SAID_BY or is_template(node)):
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            texts = [each if isinstance(each, str) else None for each in values]
            counts, first = name == "say_count", SAID_BY.get(name, len(texts) - 1)
            yield Saying(
                node.lineno,
                ast.unparse(node),
                tuple(each for each in texts[first : first + 1 + counts] if each is not None),
                texts[0] if name == "say_as" else None,
                frozenset(keyword.arg for keyword in node.keywords),
                counts,
                note_above(lines, node.lineno),
            )


def note_above(lines: list[str], line: int) -> str:
    """What the comment directly above a line tells translators; empty where there is none.

    >>> note_above(["# Translators: a playing card,", "# not a birthday card", 'say("card")'], 3)
    'a playing card, not a birthday card'
    """
    found: list[str] = []
    for above in reversed(lines[: line - 1]):
        text = above.strip()
        if not text.startswith("#"):
            return ""
        found.insert(0, text.removeprefix(NOTE).lstrip("# "))
        if text.startswith(NOTE):
            return " ".join(found)
    return ""


@cache
def extract(source: Path) -> Catalog:
    """All that the code of a package says."""
    found = Catalog(project=source.name, charset="utf-8")
    for path in files(source):
        place = str(path.relative_to(source))
        for saying in sorted(sayings(path), key=lambda each: each.line):
            if saying.is_literal:
                text = saying.texts if saying.counts else saying.texts[0]
                notes = [saying.note] if saying.note else []
                found.add(text, None, [(place, saying.line)], auto_comments=notes, context=saying.context)
    if source == OURS:
        for path, line, text in agent_summaries():
            found.add(text, None, [(str(path.relative_to(source)), line)], auto_comments=["what an agent does"])
    return found


def agent_summaries() -> Iterator[tuple[Path, int, str]]:
    """The first paragraphs of the docstrings of our agents: what `ludoteca agents` lists."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for group in ("ludoteca.agents", "ludoteca.agents.unlisted"):
        for point in settings["project"]["entry-points"][group].values():
            module, _, name = point.partition(":")
            path = OURS.parent.joinpath(*module.split(".")).with_suffix(".py")
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                    yield path, node.lineno, paragraph_template(ast.get_docstring(node) or "")


def files(source: Path) -> list[Path]:
    """The code of a package, but for that which makes messages out of what others say."""
    return sorted(path for path in source.rglob("*.py") if path != OURS / "messages.py")


def update(source: Path, tag: str) -> None:
    """Brings one catalogue up to date with the code; makes it where there is none.

    Raises babel.UnknownLocaleError or ValueError if the tag is no language.
    """
    locale = Locale.parse(tag.replace("-", "_"))
    path = source / "locale" / str(locale) / "LC_MESSAGES" / f"{source.name}.po"
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=locale)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = Catalog(locale=locale, project=source.name, charset="utf-8", fuzzy=False)
        name = locale.get_display_name() or str(locale)
        catalogue.add(OWN_NAME, name[:1].upper() + name[1:])
    catalogue.update(extract(source), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    body = BytesIO()
    write_po(body, catalogue, width=116, sort_by_file=True, include_lineno=False, omit_header=True)
    header = HEADER.format(package=source.name, language=locale, plurals=catalogue.plural_forms)
    path.write_bytes(header.encode() + body.getvalue())


def check(source: Path, path: Path, *, whole: bool) -> Iterator[str]:
    """What is wrong in a catalogue, in words; if it must be whole, also what is missing, unfinished or stale."""
    try:
        ours.read_po(path.read_text(encoding="utf-8").splitlines())
    except ValueError as error:
        yield str(error)
        return
    catalogue = read(path)
    for entry in catalogue:
        if entry.id:
            yield from (f"{problem}: {key(entry)!r}" for problem in broken(entry, catalogue.num_plurals))
    if not whole:
        return
    said = extract(source)
    yield from (f"stale: {text!r}" for text in catalogue.obsolete)
    for entry in catalogue:
        if entry.id and said.get(key(entry), entry.context) is None:
            yield f"stale: {key(entry)!r}"
        elif entry.id:
            yield from (f"{problem}: {key(entry)!r}" for problem in unfinished(entry))
    yield from (
        f"missing: {key(entry)!r}, said in {', '.join(sorted({Path(file).name for file, _ in entry.locations}))}"
        for entry in said
        if entry.id and catalogue.get(key(entry), entry.context) is None
    )


def read(path: Path) -> Catalog:
    """A catalogue as Babel reads it."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], abort_invalid=True)


def key(entry: Message) -> str:
    """The English text of an entry; of a plural that for one."""
    return str(entry.id if isinstance(entry.id, str) else entry.id[0])


def texts(value: object) -> tuple[str, ...]:
    """A text, or those for each number."""
    return tuple(map(str, value)) if isinstance(value, tuple | list) else (str(value or ""),)


def unfinished(entry: Message) -> Iterator[str]:
    """Why the English text is shown instead of this translation, if it is."""
    if entry.fuzzy:
        yield "marked fuzzy"
    if not all(texts(entry.string)):
        yield "not translated"


def broken(entry: Message, plurals: int) -> Iterator[str]:
    """Where a translation does not fit its English text."""
    english, forms = texts(entry.id), texts(entry.string)
    if len(english) > 1 and any(forms) and len(forms) != plurals:
        yield f"{len(forms)} plural forms where the language has {plurals}"
    for form in filter(None, forms):
        try:
            messages.fill(form, dict.fromkeys(fields(form), 1))
        except ValueError as error:
            yield str(error)
            continue
        if fields(form) not in [fields(text) for text in english]:
            yield f"other fields in {form!r}"


def status() -> Iterator[str]:
    """A line per language of ours: its name and how many of our texts it has."""
    said = [entry for entry in extract(OURS) if entry.id]
    for path in catalogues(OURS):
        catalogue, tag = read(path), path.parts[-3]
        known = [catalogue.get(key(entry), entry.context) for entry in said]
        done = sum(entry is not None and not [*unfinished(entry)] for entry in known)
        name = next((str(entry.string) for entry in catalogue if entry.id == OWN_NAME and entry.string), tag)
        declared = "declared complete" if tag in complete() else "the rest is shown in English"
        yield f"{tag:<8}{name:<24}{done} of {len(said)} texts ({100 * done // len(said)}%), {declared}"


def fields(template: str) -> set[str]:
    """The names of a template's fields."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def wrong_sayings(path: Path) -> Iterator[str]:
    """Calls of `say` and its kind with a template that is no literal, is not of our form, or has other fields."""
    for saying in sayings(path):
        if not saying.is_literal:
            yield f"line {saying.line}: templates must be literal, and fields given by name: {saying.code}"
            continue
        wanted = {name for text in saying.texts for name in fields(text)} - ({"count"} if saying.counts else set())
        if wanted != saying.fields:
            yield f"line {saying.line}: the fields are {sorted(wanted)}, given {sorted(map(str, saying.fields))}"
        try:
            for text in saying.texts:
                messages.fill(text, dict.fromkeys(fields(text), 1))
        except ValueError as error:
            yield f"line {saying.line}: {error}"


def two_plurals(source: Path) -> Iterator[str]:
    """Texts for one thing that have two texts for several: a catalogue has room for one."""
    seen: dict[tuple[str | None, str], str] = {}
    for path in files(source):
        for saying in sayings(path):
            if saying.is_literal and saying.counts:
                one, many = saying.texts
                first = seen.setdefault((saying.context, one), many)
                if first != many:
                    yield f"{place(path)}: line {saying.line}: the plural of {one!r} is {first!r} elsewhere"


def unsaid(path: Path) -> Iterator[str]:
    """Texts for people that are written down as they are, where they should be said: in errors and notes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        texts = [keyword.value for keyword in node.keywords if keyword.arg == "note"]
        if called(node) in ERRORS and not is_template(node):
            texts += node.args
        for text in texts:
            if isinstance(text, ast.JoinedStr | ast.BinOp) or (isinstance(text, ast.Constant) and text.value):
                yield f"line {node.lineno}: {ast.unparse(text)} is not said"


def is_template(node: ast.Call) -> bool:
    """Whether this makes an error from a template and its fields."""
    last = node.args[-1] if node.args and node.keywords else None
    return called(node) in TEMPLATES and isinstance(last, ast.Constant) and isinstance(last.value, str)


def called(node: ast.AST) -> str:
    """The name of what a call calls, without what it belongs to."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def complaints(packages: Iterable[Path] = PACKAGES, languages: Iterable[str] | None = None) -> Iterator[str]:
    """All that is wrong in these packages, with where. languages: those that must be complete."""
    whole = complete() if languages is None else tuple(languages)
    for source in packages:
        for path in files(source):
            yield from (f"{place(path)}: {each}" for each in [*wrong_sayings(path), *unsaid(path)])
        yield from two_plurals(source)
        known = catalogues(source)
        for path in known:
            found = check(source, path, whole=path.parts[-3] in whole)
            yield from (f"{place(path)}: {each}" for each in found)
        if source == OURS:
            missing = {*whole} - {path.parts[-3] for path in known}
            yield from (f"pyproject.toml: {tag} is declared complete and has no catalogue" for tag in sorted(missing))


def place(path: Path) -> Path:
    """A path as people know it."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def main(arguments: list[str]) -> int:
    """Does what the arguments ask; the status is 1 if anything is wrong."""
    match arguments:
        case ["check"]:
            found = list(complaints())
            print("\n".join(found) or "The catalogues say what the code says.")
            return 1 if found else 0
        case ["update", *tags]:
            for tag in tags:
                update(OURS, tag)
            for source in PACKAGES:
                for path in catalogues(source):
                    update(source, path.parts[-3])
            return 0
        case ["status"]:
            print("\n".join(status()))
            return 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
