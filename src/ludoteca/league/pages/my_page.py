"""A student's own page: hand in, see the check, compare versions, choose the one that stands."""

from __future__ import annotations

import time
from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludoteca.dates import say_local_time
from ludoteca.league.database import Person, Status, Teacher, Version
from ludoteca.league.hand_in import DAY
from ludoteca.league.pages.board import Fragment
from ludoteca.league.pages.check_report import STATES, plain
from ludoteca.league.pages.leaderboard import answer
from ludoteca.league.pages.match_list import match_list
from ludoteca.league.pages.site import LIVE, LeagueSite, LeagueVisit, Page
from ludoteca.league.pages.version import check_card, losses_card, strength_card
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.interval_scale import IntervalScale
from ludoteca.reports.text_table import percent

LATEST = 10
"""Matches that the page shows."""
KINDS = ".py,.zip,text/x-python,text/plain,application/zip,application/octet-stream"
"""Files that a browser offers. Phones go by content types, and many do not know Python's."""
SECONDS = 10
"""Between two looks of an open page."""
SURE, PROBABLE = 0.95, 0.7
"""From which probability on a version is surely or probably better."""


def register(site: LeagueSite) -> None:
    """The page at ``/league/me``."""

    @site.page("/league/me")
    def show(visit: LeagueVisit, request: Request) -> Page | Response:
        if isinstance(visit.viewer, Teacher):  # the header of a replay is the same for everybody
            return RedirectResponse("/league/teacher", status_code=303)
        return _MyPage(site, visit).page()

    async def live(request: Request) -> Response:
        visit = site.visit(request)
        if not isinstance(visit.viewer, Person):
            return Response(status_code=404)
        return answer(request, await site.in_thread(lambda: Fragment.of(_MyPage(site, visit).results())))

    site.pages.add_route(f"{LIVE}me", live, methods=["GET"])


class _MyPage:
    """The page of one student."""

    def __init__(self, site: LeagueSite, visit: LeagueVisit) -> None:
        self.site, self.visit, self.person = site, visit, visit.person
        self.names = site.names(visit)
        self.versions = site.database.versions(visit.person.id)

    def page(self) -> Page:
        """The whole page."""
        title = escape(self.person.name)
        standing = self._standing()
        beside = self._latest_check()
        if standing is not None:
            beside += strength_card(self.names, standing) + losses_card(self.site, self.names, standing)
        parts = [
            f'<h1 class="title">{title}</h1>', self._summary(),
            f'<div class="halves">{self._hand_in()}<div class="stack">{beside}</div></div>',
            f'<div class="stack" data-live="{LIVE}me" data-every="{SECONDS}">{self.results()}</div>',
        ]  # fmt: skip
        return Page(self.visit.say("My page"), "".join(parts))

    def results(self) -> str:
        """The versions and the latest matches, which change while the page is open."""
        standing = self._standing()
        return (self._versions() if self.versions else "") + ("" if standing is None else self._matches(standing))

    def _standing(self) -> Version | None:
        return next((each for each in self.versions if each.status is Status.playing), None)

    def _summary(self) -> str:
        """The place on the leaderboard, the name that others see, and the deadline."""
        say, lines = self.visit.say, []
        rated = [each for each in self.names.snapshot.standing if each.id in self.names.snapshot.ratings]
        for place, version in enumerate(rated, start=1):
            if version.person == self.person.id:
                rating = self.names.snapshot.ratings[version.id]
                lines.append(
                    say("Place {place} of {count}, {elo} Elo.", place=place, count=len(rated), elo=show_elo(rating.elo))
                )
        if self.site.settings.pseudonyms:
            lines.append(say("Others see you as {name}.", name=self.person.pseudonym))
        if self.site.database.final() is not None:
            lines.append(say("The league is over: no more versions are taken."))
        elif (until := deadline_of(self.site, self.person)) is not None:
            lines.append(say("Hand in until {date}.", date=say_local_time(until)))
        return f'<p class="lead">{escape(" ".join(lines))}</p>' if lines else ""

    def _hand_in(self) -> str:
        """The form for a file or for pasted code, and what is allowed."""
        say, quota = self.visit.say, self.site.settings.quota
        used = self.site.database.handed_in_since(self.person.id, time.time() - DAY)
        left = max(0, quota.versions_a_day - used)
        limits = say(
            "A .py file, or a zip of a folder: at most {size} kB and {files} files. {left} of {most} versions left "
            "for the next 24 hours.",
            size=quota.kilobytes, files=quota.files, left=left, most=quota.versions_a_day,
        )  # fmt: skip
        waiting = escape(say("Being read …"), quote=True)
        form = (
            f'<label class="drop"><input type="file" name="file" accept="{KINDS}">'
            f"<span>{escape(say('Choose a file or drop it here'))}</span></label>"
            f'<details class="paste"><summary>{escape(say("or paste code"))}</summary>'
            f'<textarea name="code" rows="12" spellcheck="false" autocapitalize="none" autocomplete="off" '
            f'aria-label="{escape(say("Code"), quote=True)}"></textarea></details>'
            f'<button class="button begin" data-waiting="{waiting}">{escape(say("Hand in"))}</button>'
            f'<small class="soft">{escape(limits)}</small>'
        )
        heading = escape(say("Hand in a version"))
        return (
            f'<section class="card"><h2 class="subtitle">{heading}</h2>'
            f"{self.visit.form('/league/hand-in', form, classes='hand-in', files=True)}</section>"
        )

    def _latest_check(self) -> str:
        """The check of the latest version."""
        say = self.visit.say
        if not self.versions:
            text = say("What you hand in is checked at once, in a sandbox. You see here what was found, step by step.")
            return f'<section class="card"><p class="soft">{escape(text)}</p></section>'
        latest = self.versions[-1]
        return check_card(self.site, self.visit, latest)

    def _versions(self) -> str:
        """All versions with their ratings on one scale, the latest first."""
        ratings = self.names.snapshot.ratings
        rated = [ratings[each.id] for each in self.versions if each.id in ratings]
        scale = IntervalScale(rated, count=3) if rated else None
        rows = "".join(self._row(version, scale) for version in reversed(self.versions))
        heading = escape(self.visit.say("Your versions"))
        return (
            f'<section class="card"><h2 class="subtitle">{heading}</h2><ul class="own-versions">{rows}</ul></section>'
        )

    def _row(self, version: Version, scale: IntervalScale | None) -> str:
        say, rating = self.visit.say, self.names.snapshot.ratings.get(version.id)
        state = self.visit.translate(STATES[version.status])
        why = plain(self.visit, version.reason)[:300] if version.reason else ""
        figures = bar = button = ""
        if rating is not None and scale is not None:
            played = [say("{matches} matches, {score}", matches=rating.matches, score=percent(rating.score))]
            if rating.faults:
                played.append(self.visit.say_count("{count} fault", "{count} faults", rating.faults))
            figures = (
                f"<b>{show_elo(rating.elo)}</b> <small>{rating.ends}</small> <small>{escape(', '.join(played))}</small>"
            )
            bar = scale.bar(rating)
        if version.status is Status.resting:
            hidden = f'<input type="hidden" name="version" value="{version.id}">'
            button = self.visit.form(
                "/league/stand", f'{hidden}<button class="button quiet">{escape(say("Let it stand"))}</button>'
            )
        # Translators: the version is the one that counts
        stands = f'<span class="badge">{escape(say("stands"))}</span>' if version.status is Status.playing else ""
        return (
            f'<li class="{version.status.value}"><div class="which"><a href="/league/version/{version.id}"><b>'
            f"{escape(say('Version {number}', number=version.number))}</b></a> {stands}"
            f"<small>{escape(self.visit.translate(say_local_time(version.handed_in)))} · {escape(state)}</small></div>"
            f'<div class="figures-of">{figures}{bar}{self._compared(version)}'
            f"{f'<small>{escape(why)}</small>' if why else ''}</div><div>{button}</div></li>"
        )

    def _compared(self, version: Version) -> str:
        """Whether it is better than the version before it that has a rating."""
        earlier = [each for each in self.versions if each.id < version.id]
        for other in reversed(earlier):
            probability = self.site.database.better(version.id, other.id)
            if probability is not None:
                return f"<small>{escape(compared(self.visit, probability, other.number))}</small>"
        return ""

    def _matches(self, standing: Version) -> str:
        say = self.visit.say
        rows = (
            match_list(self.names, self.site.game, self.site.database.matches_of(standing.id, LATEST), own=True)
            or f'<p class="soft">{escape(say("No match yet."))}</p>'
        )
        heading = escape(say("Latest matches of version {number}", number=standing.number))
        more = escape(say("All matches, faults and times"))
        return (
            f'<section class="card"><h2 class="subtitle">{heading}</h2><div class="played-list">{rows}</div>'
            f'<p class="row"><a class="button quiet" href="/league/version/{standing.id}">{more}</a></p></section>'
        )


def compared(visit: LeagueVisit, probability: float, other: int) -> str:
    """How sure it is that a version is better than another one, in words."""
    if probability >= SURE:
        return visit.say("surely better than version {number}: {share}", number=other, share=_share(probability))
    if probability >= PROBABLE:
        return visit.say("probably better than version {number}: {share}", number=other, share=_share(probability))
    if probability <= 1 - SURE:
        return visit.say("surely worse than version {number}: {share}", number=other, share=_share(1 - probability))
    if probability <= 1 - PROBABLE:
        return visit.say("probably worse than version {number}: {share}", number=other, share=_share(1 - probability))
    return visit.say("no clear difference from version {number} yet", number=other)


def _share(probability: float) -> str:
    """A probability in per cent; one that is not certain is never called 100%."""
    return percent(min(probability, 0.99)) if probability < 0.995 else "> 99%"


def deadline_of(site: LeagueSite, person: Person) -> float | None:
    """Until when this person may hand in, in seconds since 1970."""
    return person.extension or (site.settings.deadline.timestamp() if site.settings.deadline else None)
