"""``ludoteca course report``: a folder of pages that opens from a file, with no server and nothing from elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from ludoteca.agents.identity import Identity, short_names
from ludoteca.agents.registry import PACKAGE
from ludoteca.arena.api import stored_result
from ludoteca.arena.results import TournamentResult
from ludoteca.catalogues import Language
from ludoteca.course.grades import as_csv, grades_of
from ludoteca.course.match_statistics import MatchStatistics, Times
from ludoteca.course.site.frames import Pieces
from ludoteca.course.site.html import link
from ludoteca.course.site.match_page import match_page
from ludoteca.course.site.ranking_page import ranking_page
from ludoteca.course.site.submission_page import submission_page
from ludoteca.course.tournament import Course, Standing, runs_of
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.messages import Speaker
from ludoteca.play.clock import MatchLimit
from ludoteca.play.store import Store
from ludoteca.reports import standings_of

ASSETS = Path(__file__).parent / "assets"
MARK = "ludoteca-site.txt"
"""Marks a folder as written by us; we do not write into other folders."""


def write(course: Course, target: Path, language: Language) -> int:
    """Write the site of the course as it is now; the number of pages. Raises InvalidOption and InvalidStore."""
    standing = Standing.load(course.folder)
    if not Path(standing.store).exists():
        raise InvalidStore("there is no store of matches at {path}", path=standing.store)
    with Store(standing.store) as store:
        store.check()
        results = {name: stored_result(store, run) for name, run in runs_of(store, standing).items()}
    _prepare(target)
    return _Site(course, standing, target, Speaker(language), results).write()


def _prepare(target: Path) -> None:
    """Create the folder, or delete the pages of an earlier report."""
    mark = target / MARK
    try:
        if target.exists() and any(target.iterdir()) and not mark.exists():
            raise InvalidOption("{folder} holds other files; choose another folder with --to", folder=target)
        for name in ("matches", "submissions"):
            (target / name).mkdir(parents=True, exist_ok=True)
            for old in (target / name).glob("*.html"):
                old.unlink()
        mark.write_text("Written by ludoteca course report; it is overwritten by the next one.\n", encoding="utf-8")
    except OSError as error:
        raise InvalidOption("{path} cannot be written: {why}", path=target, why=error.strerror or str(error)) from error


class _Site:
    """One report while it is written."""

    def __init__(
        self, course: Course, standing: Standing, target: Path, speaker: Speaker, results: Mapping[str, object]
    ) -> None:
        self.course, self.standing, self.target, self.speaker = course, standing, target, speaker
        self.pieces, self.pages = Pieces(), 0
        found = {name: each for name, each in results.items() if isinstance(each, TournamentResult)}
        self.result, self.qualification = found.get("tournament"), found.get("qualification")
        self.slugs = slugs_of(each.name for each in standing.entrants)
        agents = [agent for each in found.values() for agent in each.agents]
        self.names = short_names(agents) | {each.identity: each.name for each in standing.entrants if each.identity}
        self.pages_of = {each.identity: self.slugs[each.name] for each in standing.entrants if each.identity}

    def write(self) -> int:
        statistics = {name: self.matches(result, name) for name, result in self.known()}
        main, first = (
            statistics.get("tournament", MatchStatistics()),
            statistics.get("qualification", MatchStatistics()),
        )
        standings = None if self.result is None else standings_of(self.result)
        settings = self.course.settings
        grades = grades_of(self.standing.entrants, self.result, standings, settings.formula)
        limit = MatchLimit.parse(settings.conditions.limit).seconds
        for each in grades:
            if not each.reference:
                played, before = main.of(each.identity), first.of(each.identity)
                times = (each.identity and (main.times.get(each.identity) or first.times.get(each.identity))) or Times()
                text = submission_page(each, played, before, times, self.names, limit, self.speaker)
                self.put(self.slugs[each.name], text)
        text = ranking_page(
            settings.title, grades, self.result, standings, self.slugs, list(main.times.values()), settings.formula,
            self.speaker,
        )  # fmt: skip
        self.put("index.html", text)
        self.put("grades.csv", "\ufeff" + as_csv(grades, self.speaker), counts=False)  # so that spreadsheets see UTF-8
        self.put("pieces.js", self.pieces.script(), counts=False)
        self.put("replay.js", (ASSETS / "replay.js").read_text(encoding="utf-8"), counts=False)
        self.put("style.css", (ASSETS / "style.css").read_text(encoding="utf-8") + _dark_boards(), counts=False)
        return self.pages

    def known(self) -> list[tuple[str, TournamentResult]]:
        both = (("qualification", self.qualification), ("tournament", self.result))
        return [(name, result) for name, result in both if result is not None]

    def matches(self, result: TournamentResult, kind: str) -> MatchStatistics:
        """Write a page for every match of a run; the statistics of the matches."""
        statistics = MatchStatistics()
        for place, record in enumerate(result.records):
            path = f"matches/{kind[0]}{place}.html"
            seats = (self.linked(record.agents[0]), self.linked(record.agents[1]))
            title = " – ".join(self.names[agent] for agent in record.agents)
            first_try = ""
            if record.before is not None:
                first_try = f"{kind[0]}{place}-first.html"
                text = match_page(record.before, seats, title, self.pieces, self.speaker)
                self.put(f"matches/{first_try}", text)
            self.put(path, match_page(record, seats, title, self.pieces, self.speaker, first_try))
            statistics.add(record, path)
        return statistics

    def linked(self, agent: Identity) -> str:
        name = self.names[agent]
        return link(f"../{self.pages_of[agent]}", name) if agent in self.pages_of else escape(name)

    def put(self, path: str, text: str, *, counts: bool = True) -> None:
        (self.target / path).write_text(text, encoding="utf-8")
        self.pages += counts


def slugs_of(names: Iterable[str]) -> dict[str, str]:
    """The file of each submission's page by its name: plain letters only, no two alike.

    >>> slugs_of(["Ana Pérez", "ana-perez", "李"])
    {'Ana Pérez': 'submissions/ana-perez.html', 'ana-perez': 'submissions/ana-perez-2.html', '李': 'submissions/x.html'}
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:60] or "x"
        slug, number = stem, 1
        while slug in used:
            number += 1
            slug = f"{stem}-{number}"
        used.add(slug)
        found[name] = f"submissions/{slug}.html"
    return found


def _dark_boards() -> str:
    """The colours of boards on dark pages, as the page has them."""
    text = (PACKAGE / "web" / "static" / "boards.css").read_text(encoding="utf-8")
    return f"\n@media (prefers-color-scheme: dark) {{\n{text.replace('.body--dark ', '')}}}\n"
