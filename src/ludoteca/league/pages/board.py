"""The leaderboard as HTML, drawn once for all who look at it.

Viewers ask for it every few seconds. However many they are, it is drawn once for each language and each kind of names,
and only when something has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from dataclasses import dataclass
from html import escape

from ludoteca.catalogues import Language
from ludoteca.league.database import Version
from ludoteca.league.pages.names import Names
from ludoteca.league.pages.snapshot import Snapshot
from ludoteca.messages import Speaker
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.interval_scale import IntervalScale
from ludoteca.reports.text_table import percent

SILENT = 60.0
"""Seconds after which a status is old: nothing is being played."""


@dataclass(frozen=True)
class Fragment:
    """A part of a page that is fetched again and again."""

    html: str
    tag: str
    """Changes with the content."""
    packed: bytes
    """The same, compressed: once for all who ask."""

    @classmethod
    def of(cls, html: str) -> Fragment:
        """A fragment with its tag."""
        data = html.encode()
        return cls(html, hashlib.sha256(data).hexdigest()[:16], gzip.compress(data, 1, mtime=0))


class Board:
    """The leaderboard, shared by all viewers. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._drawn: dict[tuple[Language, bool], Fragment] = {}

    def drawn(self, snapshot: Snapshot, language: Language, real: bool) -> Fragment | None:
        """The table, if it is drawn already."""
        return self._drawn.get((language, real)) if snapshot is self._snapshot else None

    def fragment(self, snapshot: Snapshot, language: Language, real: bool) -> Fragment:
        """The table in a language; real: with the students' real names, not their pseudonyms."""
        with self._lock:
            if snapshot is not self._snapshot:
                self._snapshot, self._drawn = snapshot, {}
            if (language, real) not in self._drawn:
                names = Names(Speaker(language), snapshot, real)
                self._drawn[language, real] = Fragment.of(activity(names.speaker, snapshot) + table(names))
            return self._drawn[language, real]


def activity(speaker: Speaker, snapshot: Snapshot) -> str:
    """What the league does now, in a line."""
    status = snapshot.status
    if snapshot.paused:
        text = speaker.say("The league is paused.")
    elif status is None or time.time() - status.written > SILENT:
        text = speaker.say("No matches are being played now.")
    else:
        text = speaker.say("{rate:,.0f} matches an hour are being played.", rate=status.matches_an_hour)
        return f'<p class="soft"><span class="pulse"></span>{escape(text)}</p>'
    return f'<p class="soft">{escape(text)}</p>'


def table(names: Names) -> str:
    """The leaderboard; every row carries the pseudonym, so that a page can mark its viewer's own."""
    say, snapshot = names.speaker.say, names.snapshot
    if not snapshot.standing:
        return f"<p>{escape(say('Nobody plays yet.'))}</p>"
    rated = [snapshot.ratings[each.id] for each in snapshot.standing if each.id in snapshot.ratings]
    scale = IntervalScale(rated, count=3) if rated else None
    ticks = scale.ticks if scale else ()
    marks = "".join(f'<i style="left:{100 * scale.at(tick):.1f}%">{show_elo(tick)}</i>' for tick in ticks if scale)
    heads = [("#", "place"), (say("Agent"), "who"), ("Elo", "elo"), (say("95% interval"), "wide ends")]
    head = "".join(f'<th class="{kind}">{escape(text)}</th>' for text, kind in heads)
    body = "".join(_row(names, scale, version, place) for place, version in enumerate(snapshot.standing, 1))
    return (
        f'<table class="plain league-board"><thead><tr>{head}<td class="drawn">'
        f'<div class="ticks" aria-hidden="true">{marks}</div></td><th class="wide">{escape(say("Matches"))}</th>'
        f'<th class="wide">{escape(say("Score"))}</th></tr></thead><tbody>{body}</tbody></table>'
    )


def _row(names: Names, scale: IntervalScale | None, version: Version, place: int) -> str:
    person, rating = names.snapshot.owner(version), names.snapshot.ratings.get(version.id)
    mark = "" if person is None else f' data-who="{escape(person.pseudonym, quote=True)}"'
    who = f'<td class="who">{names.link(version)}</td>'
    if rating is None or scale is None:
        waits = escape(names.speaker.say("no rating yet"))
        # A cell of its own for each column: a phone leaves columns out, and one that spans them would bring them back.
        return (
            f'<tr{mark}><td class="place"></td>{who}<td class="elo"></td><td class="wide"></td>'
            f'<td class="first soft">{waits}</td><td class="wide"></td><td class="wide"></td></tr>'
        )
    return (
        f'<tr{mark}><td class="place">{place}</td>{who}'
        f'<td class="elo">{show_elo(rating.elo)}</td><td class="wide">{rating.ends}</td>'
        f'<td class="drawn"><small class="narrow">{rating.ends}</small>{scale.bar(rating)}</td>'
        f'<td class="wide">{rating.matches}</td><td class="wide">{percent(rating.score)}</td></tr>'
    )
