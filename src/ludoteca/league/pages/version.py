"""The page of one version: for its student and teachers with its check, faults and times; for others its matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from math import ceil

from starlette.requests import Request
from starlette.responses import Response

from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.league.database import Person, Status, Teacher, Version
from ludoteca.league.pages.board import Fragment
from ludoteca.league.pages.check_report import STATES, plain, report
from ludoteca.league.pages.leaderboard import answer
from ludoteca.league.pages.match_list import LISTED, match_list, reason
from ludoteca.league.pages.names import Names
from ludoteca.league.pages.site import LIVE, STUDENTS, Forbidden, LeagueSite, LeagueVisit, Page
from ludoteca.league.playing.openings import opening_name
from ludoteca.league.weaknesses import TimeUse, tallies, time_use, worst
from ludoteca.messages import say
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.text_table import duration, percent
from ludoteca.web.errors import NotFound

CHECK_SECONDS = 1
"""Between two looks at a check that runs."""
RATING_SECONDS = 3
"""Between two looks for a first rating."""
OVER = "<span data-over></span>"
"""What ends the looks of a part: the page is loaded again."""
FIRST_MATCHES = say("It plays its first matches: after some ten of them it has a rating.")
FAULTS = 5
"""Of the latest faults that a page shows."""
MOST_BARS = 60


def register(site: LeagueSite) -> None:
    """The page at ``/league/version/<id>``, its check alone, and the button by which a version stands."""

    @site.page("/league/version/{version}")
    def show(visit: LeagueVisit, request: Request) -> Page:
        version = find(site, request.path_params["version"])
        return _VersionPage(site, visit, version).page(request)

    def live(kind: str, part: Callable[[LeagueVisit, Version], str | None]) -> None:
        """A part of the page, fetched again and again; None: there is nothing for this viewer."""

        async def fetch(request: Request) -> Response:
            visit = site.visit(request)

            def found() -> Fragment | None:
                with suppress(NotFound):
                    text = part(visit, find(site, request.path_params["version"]))
                    return None if text is None else Fragment.of(text)
                return None

            fragment = await site.in_thread(found)
            return Response(status_code=404) if fragment is None else answer(request, fragment)

        site.pages.add_route(f"{LIVE}{kind}/{{version}}", fetch, methods=["GET"])

    live("version", lambda visit, version: check_part(site, visit, version) if sees_inside(visit, version) else None)
    live("strength", lambda visit, version: strength_part(site.names(visit), version))

    @site.action("/league/stand", STUDENTS)
    def stand(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        version = find(site, given.get("version", ""))
        if version.person != visit.person.id:
            raise Forbidden(say("This is not a version of yours."))
        if site.database.final() is not None:
            raise Forbidden(say("The league is over: the versions that stand are fixed."))
        site.database.choose(visit.person.id, version.id)
        return "/league/me"


def find(site: LeagueSite, number: str) -> Version:
    """The version with this number in an address. Raises NotFound."""
    if number.isascii() and number.isdigit() and len(number) < 12:
        with suppress(InvalidOption):
            return site.database.version(int(number))
    raise NotFound(say("There is no such version."))


def sees_inside(visit: LeagueVisit, version: Version) -> bool:
    """Whether somebody may see what a version's check, faults and times say of its code."""
    return isinstance(visit.viewer, Teacher) or (
        isinstance(visit.viewer, Person) and version.person is not None and visit.viewer.id == version.person
    )


def check_part(site: LeagueSite, visit: LeagueVisit, version: Version) -> str:
    """The report of a check, as it is fetched while it runs; then it says that it is over."""
    earlier = [
        each for each in site.snapshot.versions.values() if each.status is Status.checking and each.id < version.id
    ]
    over = "" if version.status is Status.checking else OVER
    return over + report(visit, version, site.database.findings(version.id), len(earlier))


def check_card(site: LeagueSite, visit: LeagueVisit, version: Version) -> str:
    """The report of a check: open while it runs and when something is wrong, else folded."""
    live = ""
    if version.status is Status.checking:
        live = f' data-live="{LIVE}version/{version.id}" data-every="{CHECK_SECONDS}"'
        text = visit.say("Check of version {number}", number=version.number)
    elif version.status is Status.refused:
        text = visit.say("Version {number} did not pass its check", number=version.number)
    else:
        text = visit.say("Version {number} passed its check", number=version.number)
    shown = " open" if version.status in (Status.checking, Status.refused) else ""
    return (
        f'<details class="card"{shown}><summary class="subtitle">{escape(text)}</summary>'
        f"<div{live}>{check_part(site, visit, version)}</div></details>"
    )


class _VersionPage:
    """One version for one viewer."""

    def __init__(self, site: LeagueSite, visit: LeagueVisit, version: Version) -> None:
        self.site, self.visit, self.version = site, visit, version
        self.names = site.names(visit)
        self.inside = sees_inside(visit, version)

    def page(self, request: Request) -> Page:
        """The whole page."""
        visit, version = self.visit, self.version
        title = self.names.title(version)
        parts = [f'<h1 class="title">{escape(title)}</h1>', self._state()]
        if self.inside and version.person is not None:
            parts.append(check_card(self.site, visit, version))
        parts.append(strength_card(self.names, version, live=True))
        columns = [self._losses()]
        if self.inside:
            columns += [self._faults(), times_card(visit, time_use(self.site.database, version.id))]
        parts.append(f'<div class="halves">{"".join(columns)}</div>')
        parts.append(self._matches(request))
        return Page(title, "".join(parts))

    def _state(self) -> str:
        say, version = self.visit.say, self.version
        state = self.visit.translate(STATES[version.status])
        if version.paused and version.status is Status.playing:
            state = say("is paused by the teacher")
        if version.person is None:
            state = say("is a baseline: it holds the scale still")
        why = f" {escape(plain(self.visit, version.reason))}" if self.inside and version.reason else ""
        challenge = ""
        if isinstance(self.visit.viewer, Person) and version.identity is not None:
            own = version.person == self.visit.viewer.id
            text = say("Challenge others with it") if own else say("Challenge it")
            address = f"/league/challenges?{'own' if own else 'against'}={version.id}"
            challenge = f' <a class="button quiet" href="{address}">{escape(text)}</a>'
        text = say("{name} {state}.", name=self.names.title(version), state=state)
        return f'<p class="row">{escape(text)}{why}{challenge}</p>'

    def _losses(self) -> str:
        return losses_card(self.site, self.names, self.version)

    def _faults(self) -> str:
        found = self.site.database.matches_of(self.version.id, FAULTS, own_faults=True)
        if not found:
            return ""
        rows = "".join(
            f'<li><a href="/league/match/{each.place}">{escape(self.visit.translate(each.ending.words))}</a>: '
            f"{escape(reason(self.names, each.message))}</li>"
            for each in found
        )
        heading = escape(self.visit.say("Latest faults"))
        return f'<section class="card"><h2 class="subtitle">{heading}</h2><ul class="faults">{rows}</ul></section>'

    def _matches(self, request: Request) -> str:
        say, asked = self.visit.say, request.query_params.get("page", "1")
        page = int(asked) if asked.isascii() and asked.isdigit() and 0 < int(asked[:6]) == int(asked) else 1
        matches = self.site.database.matches_of(self.version.id, LISTED + 1, (page - 1) * LISTED)
        rows = match_list(self.names, self.site.game, matches[:LISTED], own=self.inside)
        rows = rows or f'<p class="soft">{escape(say("No match yet."))}</p>'
        links = []
        if page > 1:
            links.append(f'<a class="button quiet" href="?page={page - 1}">{escape(say("Newer"))}</a>')
        if len(matches) > LISTED:
            links.append(f'<a class="button quiet" href="?page={page + 1}">{escape(say("Older"))}</a>')
        return (
            f'<section class="card"><h2 class="subtitle">{escape(say("Matches"))}</h2>'
            f'<div class="played-list">{rows}</div><p class="row">{"".join(links)}</p></section>'
        )


def is_rated(names: Names, version: Version) -> bool:
    """Whether there is nothing to wait for: it has a rating, or does not play."""
    return version.id in names.snapshot.ratings or version.status is not Status.playing


def strength_part(names: Names, version: Version) -> str:
    """What stands where the rating will be, as it is fetched until there is one."""
    return OVER if is_rated(names, version) else escape(names.speaker.translate(FIRST_MATCHES))


def strength_card(names: Names, version: Version, *, live: bool = False) -> str:
    """The rating of a version and what it rests on. live: the page is loaded again when there is a first rating."""
    if not is_rated(names, version):
        wait = f' data-live="{LIVE}strength/{version.id}" data-every="{RATING_SECONDS}"' if live else ""
        return f'<p class="card"{wait}>{strength_part(names, version)}</p>'
    rating, say = names.snapshot.ratings.get(version.id), names.speaker.say
    if rating is None:
        return ""
    figures = [
        ("Elo", f"{show_elo(rating.elo)} <small>{rating.ends}</small>"),
        (say("Matches"), str(rating.matches)),
        (say("Score"), percent(rating.score)),
        (say("Faults"), str(rating.faults)),
    ]
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in figures)
    heading = escape(say("Strength of version {number}", number=version.number))
    return f'<section class="card"><h2 class="subtitle">{heading}</h2><dl class="key-figures">{cells}</dl></section>'


def losses_card(site: LeagueSite, names: Names, version: Version) -> str:
    """Against whom, from which opening and on which side a version loses most."""
    say, lines = names.speaker.say, []
    opponent = worst(tallies(site.database, version.id, "opponent"))
    if opponent is not None and opponent.key in names.snapshot.versions:
        points = say("{points:g} of {matches} points", points=opponent.points, matches=opponent.matches)
        lines.append((say("Opponent"), names.link(names.snapshot.versions[opponent.key]), points, opponent.latest))
    opening = worst(tallies(site.database, version.id, "opening"))
    if opening is not None and (name := opening_name(site.database, site.game, opening.key)):
        points = say("{points:g} of {matches} points", points=opening.points, matches=opening.matches)
        lines.append((say("Opening"), f"<code>{escape(name)}</code>", points, opening.latest))
    seat = worst(tallies(site.database, version.id, "seat"))
    if seat is not None:
        points = say("{points:g} of {matches} points", points=seat.points, matches=seat.matches)
        lines.append(
            (say("Side"), escape(names.speaker.translate(side(game_of(site.game), seat.key))), points, seat.latest)
        )
    if not lines:
        return ""
    rows = "".join(
        f'<div class="loss"><span>{escape(kind)}</span><span>{what}<br><small>{escape(points)} · '
        f'<a href="/league/match/{latest}">{escape(say("latest match"))}</a></small></span></div>'
        for kind, what, points, latest in lines
    )
    heading = escape(say("Where version {number} loses most", number=version.number))
    return f'<section class="card"><h2 class="subtitle">{heading}</h2>{rows}</section>'


def times_card(visit: LeagueVisit, use: TimeUse | None) -> str:
    """How the time was spent: in words, and as bars by the number of the move."""
    if use is None:
        return ""
    say = visit.say
    text = say(
        "In the latest {matches} matches a move took {mean} on average, the longest {longest}.",
        matches=use.matches, mean=duration(use.mean), longest=duration(use.longest),
    )  # fmt: skip
    if use.limit is not None:
        text += " " + say("{limit} are allowed.", limit=duration(use.limit))
    top = max(max(use.by_move), 1e-9)
    step = max(1, ceil(len(use.by_move) / MOST_BARS))
    bars = ""
    for at in range(0, len(use.by_move), step):
        seconds = max(use.by_move[at : at + step])
        title = escape(say("move {number}: {seconds}", number=at + 1, seconds=duration(seconds)), quote=True)
        bars += f'<i style="height:{max(2.0, 100 * seconds / top):.0f}%" title="{title}"></i>'
    legend = escape(say("Mean by move, from the first to the last; the highest is {top}.", top=duration(top)))
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("How its time was spent"))}</h2><p>{escape(text)}</p>'
        f'<div class="bars" aria-hidden="true">{bars}</div><small class="soft">{legend}</small></section>'
    )
