"""The leaderboard as HTML, built once for all who look at it.

Viewers ask for it every few seconds. It is read from the file at most once a second, however many they are, and drawn
once for each language and each kind of names.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from ludoteca.league.database import Database, Person, Status, Version, VersionRating
from ludoteca.messages import Speaker
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.interval_scale import IntervalScale
from ludoteca.reports.text_table import percent

EVERY = 1.0
"""Seconds for which a reading of the file is good enough."""


@dataclass(frozen=True)
class Row:
    """A version on the leaderboard."""

    version: Version
    person: Person | None
    """None for a baseline."""
    rating: VersionRating | None
    """None until it has finished a pair."""


@dataclass(frozen=True)
class Fragment:
    """A part of a page that is fetched again and again."""

    html: str
    tag: str
    """Changes with the content."""

    @classmethod
    def of(cls, html: str) -> Fragment:
        """A fragment with its tag."""
        return cls(html, hashlib.sha256(html.encode()).hexdigest()[:16])


class Board:
    """The leaderboard, shared by all viewers. Any thread may ask."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._read_at, self._rows = -EVERY, list[Row]()
        self._drawn: dict[tuple[str, bool], Fragment] = {}

    def fragment(self, database: Database, language: str, real: bool) -> Fragment:
        """The table in a language; real: with the students' real names, not their pseudonyms."""
        with self._lock:
            if self._clock() - self._read_at >= EVERY:
                rows = rows_of(database)
                self._read_at = self._clock()
                if rows != self._rows:
                    self._rows, self._drawn = rows, {}
            if (language, real) not in self._drawn:
                self._drawn[language, real] = Fragment.of(table(Speaker(language), self._rows, real))
            return self._drawn[language, real]


def rows_of(database: Database) -> list[Row]:
    """The versions that stand, and the baselines, by rating; those without a finished pair come last."""
    people = {person.id: person for person in database.people()}
    ratings = database.ratings()
    rows = [
        Row(version, None if version.person is None else people[version.person], ratings.get(version.id))
        for version in database.versions()
        if version.status is Status.playing
    ]
    return sorted(rows, key=lambda row: (row.rating is None, -row.rating.elo if row.rating else 0.0, row.version.id))


def table(speaker: Speaker, rows: list[Row], real: bool) -> str:
    """The leaderboard; every row carries the pseudonym, so that a page can mark its viewer's own."""
    say = speaker.say
    if not rows:
        return f"<p>{escape(say('Nobody plays yet.'))}</p>"
    scale = IntervalScale([row.rating for row in rows if row.rating is not None], count=3)
    marks = "".join(f'<i style="left:{100 * scale.at(tick):.1f}%">{show_elo(tick)}</i>' for tick in scale.ticks)
    heads = [("#", "place"), (say("Agent"), "who"), ("Elo", "elo"), (say("95% interval"), "wide ends")]
    head = "".join(f'<th class="{kind}">{escape(text)}</th>' for text, kind in heads)
    body, place = "", 0
    for row in rows:
        place += row.rating is not None
        body += _row(speaker, scale, row, place, real)
    return (
        f'<table class="plain league-board"><thead><tr>{head}<th class="drawn">'
        f'<div class="ticks" aria-hidden="true">{marks}</div></th><th class="wide">{escape(say("Matches"))}</th>'
        f'<th class="wide">{escape(say("Score"))}</th></tr></thead><tbody>{body}</tbody></table>'
    )


def _row(speaker: Speaker, scale: IntervalScale, row: Row, place: int, real: bool) -> str:
    who, mark = title_of(speaker, row.person, row.version, real), ""
    if row.person is not None:
        mark = f' data-who="{escape(row.person.pseudonym, quote=True)}"'
    if row.rating is None:
        waits = escape(speaker.say("plays its first matches"))
        return (
            f'<tr{mark}><td class="place"></td><td class="who">{who}</td><td colspan="5" class="soft">{waits}</td></tr>'
        )
    return (
        f'<tr{mark}><td class="place">{place}</td><td class="who">{who}</td>'
        f'<td class="elo">{show_elo(row.rating.elo)}</td><td class="wide ends">{row.rating.ends}</td>'
        f'<td class="drawn"><small class="narrow">{row.rating.ends}</small>{scale.bar(row.rating)}</td>'
        f'<td class="wide">{row.rating.matches}</td><td class="wide">{percent(row.rating.score)}</td></tr>'
    )


def title_of(speaker: Speaker, person: Person | None, version: Version, real: bool) -> str:
    """What a version is called, as HTML."""
    if person is None:
        return f"{escape(version.spec)} <small>{escape(speaker.say('baseline'))}</small>"
    name = person.name if real else person.pseudonym
    return f"<b>{escape(name)}</b> <small>{escape(speaker.say('version {number}', number=version.number))}</small>"
