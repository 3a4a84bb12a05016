"""The similarity report as a table, as CSV and as a page on which a person can read both sources."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ludoteca.course.grades import harmless
from ludoteca.league.database import Database
from ludoteca.league.similarity.comparison import Comparison, Likeness, compare
from ludoteca.messages import Message, Speaker, joined, say
from ludoteca.reports.text_table import TextTable, percent

MOST_SHOWN = 50
"""Pairs on the page and in the table; the CSV has all."""
HINT: Message = say(
    "This is a hint for a person, never a verdict. Read both sources before you think anything of it: short programs "
    "for one task are alike, and so is what both took from the same lecture or page."
)
STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1d1f23; --soft: #5b616b; --rule: #d9dce1; --mark: #ffe9a8; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181c; --ink: #e8eaee; --soft: #a4abb6; --rule: #343941;
  --mark: #5c4a12; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
.hint { border-left: .25rem solid var(--mark); padding-left: .75rem; max-width: 60rem; }
.soft { color: var(--soft); }
details { border-top: 1px solid var(--rule); padding: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .25rem 0; }
summary b { font-variant-numeric: tabular-nums; }
.both { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
@media (max-width: 50rem) { .both { grid-template-columns: minmax(0, 1fr); } }
h2 { font-size: 1rem; margin: .5rem 0; }
pre { overflow: auto; max-height: 70vh; margin: 0; padding: .5rem; border: 1px solid var(--rule); font-size: .8rem;
  line-height: 1.4; }
mark { background: var(--mark); color: inherit; }
"""


@dataclass(frozen=True)
class Named:
    """A version as the report names it."""

    name: str
    ident: str
    number: int

    @property
    def title(self) -> Message:
        """With the number of the version."""
        return say("{name}, version {number}", name=self.name, number=self.number)


@dataclass(frozen=True)
class SimilarityReport:
    """A comparison with real names, for the teacher alone."""

    comparison: Comparison
    names: dict[int, Named]
    title: str

    @classmethod
    def of(cls, database: Database, title: str, *, all_versions: bool = False) -> SimilarityReport:
        """The report of a league. Raises as `compare` does."""
        comparison = compare(database, all_versions=all_versions)
        people = {each.id: each for each in database.people()}
        names = {
            each.id: Named(people[each.person].name, people[each.person].ident, each.number)
            for each in database.versions()
            if each.person is not None
        }
        return cls(comparison, names, title)

    def table(self) -> TextTable:
        """For the terminal."""
        rows = [
            [
                percent(each.share_of_one), self.names[each.one].title,
                percent(each.share_of_two), self.names[each.two].title,
            ]
            for each in self.comparison.likenesses[:MOST_SHOWN]
        ]  # fmt: skip
        headings = [say("Shared"), say("Version"), say("Shared by the other"), say("Other version")]
        title = say("Code that versions of different students share")
        return TextTable(title, headings, rows, words=frozenset({"Version", "Other version"}), name="Version")

    def csv(self) -> str:
        """A line per pair, for a spreadsheet."""
        paper = io.StringIO()
        writer = csv.writer(paper, lineterminator="\n")
        writer.writerow(
            ["name", "id", "version", "share", "other_name", "other_id", "other_version", "other_share", "characters"]
        )
        for each in self.comparison.likenesses:
            one, two = self.names[each.one], self.names[each.two]
            writer.writerow([
                harmless(one.name), harmless(one.ident), one.number, f"{each.share_of_one:.2f}",
                harmless(two.name), harmless(two.ident), two.number, f"{each.share_of_two:.2f}", each.characters,
            ])  # fmt: skip
        return "\ufeff" + paper.getvalue()

    def write(self, folder: Path, speaker: Speaker) -> list[Path]:
        """Write the page and the CSV into a folder, readable by their owner alone."""
        written = []
        for name, text in (("similarity.html", self.page(speaker)), ("similarity.csv", self.csv())):
            path = folder / name
            path.touch(0o600)
            path.write_text(text, encoding="utf-8")
            written.append(path)
        return written

    def notes(self) -> list[Message]:
        """What the reader has to know beyond the pairs."""
        compared = self.comparison.sources
        cut = [self.names[each].title for each, source in compared.items() if source.cut]
        skipped = [self.names[each].title for each in self.comparison.skipped]
        return [
            say("Versions compared: {count}. What was handed out and the baselines do not count.", count=len(compared)),
            *([say("Too long to be compared whole: {names}.", names=joined(cut))] if cut else []),
            *([say("Could not be compared: {names}.", names=joined(skipped))] if skipped else []),
        ]

    def page(self, speaker: Speaker) -> str:
        """A page with both sources of each pair. Whatever a source says is text there and nothing else."""
        title = escape(speaker.say("Similar sources: {title}", title=self.title))
        shown = self.comparison.likenesses[:MOST_SHOWN]
        parts = [f"<p class='hint'>{escape(speaker.translate(HINT))}</p>"]
        parts += [f"<p class='soft'>{escape(speaker.translate(each))}</p>" for each in self.notes()]
        parts += [self._pair(each, speaker) for each in shown]
        if not shown:
            parts.append(f"<p>{escape(speaker.say('No two versions of different students share code.'))}</p>")
        return (
            f"<!doctype html>\n<html lang='{escape(speaker.language, quote=True)}'>\n<head>\n<meta charset='utf-8'>\n"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<meta name='robots' "
            f"content='noindex'>\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
            f"<h1>{title}</h1>\n{''.join(parts)}\n</main>\n</body>\n</html>\n"
        )

    def _pair(self, each: Likeness, speaker: Speaker) -> str:
        sides = []
        for version, share, passages in (
            (each.one, each.share_of_one, each.passages_of_one), (each.two, each.share_of_two, each.passages_of_two),
        ):  # fmt: skip
            name = escape(speaker.translate(self.names[version].title))
            text = speaker.say("{share} of it is in the other", share=percent(share))
            code = marked(self.comparison.sources[version].text, passages)
            sides.append(f"<div><h2>{name} <span class='soft'>{escape(text)}</span></h2><pre>{code}</pre></div>")
        names = " – ".join(escape(speaker.translate(self.names[version].title)) for version in (each.one, each.two))
        return (
            f"<details><summary><b>{percent(each.share)}</b> {names}</summary>"
            f"<div class='both'>{''.join(sides)}</div></details>\n"
        )


def marked(text: str, passages: Sequence[tuple[int, int]]) -> str:
    """A source as HTML, with passages marked.

    >>> marked("a < b", [(2, 3), (9, 20)])
    'a <mark>&lt;</mark> b'
    """
    parts, at = [], 0
    for start, end in sorted(passages):
        start, end = max(at, start), min(len(text), end)
        if start < end:
            parts += [escape(text[at:start]), f"<mark>{escape(text[start:end])}</mark>"]
            at = end
    return "".join([*parts, escape(text[at:])])
