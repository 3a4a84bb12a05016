"""Challenges: a series of a student's version against any other, which does not count for the ratings."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludoteca.league.database import Challenge, Person, Teacher, Version
from ludoteca.league.database.challenges import MOST_OPEN, MOST_PAIRS
from ludoteca.league.pages.board import Fragment
from ludoteca.league.pages.leaderboard import answer
from ludoteca.league.pages.names import Names
from ludoteca.league.pages.site import LIVE, STUDENTS, LeagueSite, LeagueVisit, Page, TooMany
from ludoteca.league.pages.version import find
from ludoteca.messages import say
from ludoteca.web.serving.addresses import AddressRateLimit

MOST_A_DAY, DAY = 40, 86_400.0
"""Challenges of one student."""
LISTED = 20
SECONDS = 5
"""Between two looks of an open page."""
USUAL = 3
"""Pairs, unless the student chooses."""


def register(site: LeagueSite) -> None:
    """The page at ``/league/challenges``, and what its form does."""
    limit = AddressRateLimit(MOST_A_DAY, DAY)

    def rows(visit: LeagueVisit) -> str:
        names, found = site.names(visit), site.database.challenges(visit.person.id)[-LISTED:]
        none = f'<p class="soft">{escape(visit.say("None yet."))}</p>'
        return "".join(_row(names, each) for each in reversed(found)) or none

    async def live(request: Request) -> Response:
        visit = site.visit(request)
        if not isinstance(visit.viewer, Person):
            return Response(status_code=404)
        return answer(request, await site.in_thread(lambda: Fragment.of(rows(visit))))

    site.pages.add_route(f"{LIVE}challenges", live, methods=["GET"])

    @site.page("/league/challenges")
    def show(visit: LeagueVisit, request: Request) -> Page | Response:
        if isinstance(visit.viewer, Teacher):
            return RedirectResponse("/league/teacher", status_code=303)
        names = site.names(visit)
        title = visit.say("Challenges")
        about = visit.say(
            "Let a version of yours play against any other. Every deal or opening is played from both sides. "
            "The results do not count for the ratings. At most {most} challenges wait at a time.",
            most=MOST_OPEN,
        )
        return Page(
            title,
            f'<h1 class="title">{escape(title)}</h1><section class="card"><p>{escape(about)}</p>'
            f"{_form(visit, names, request.query_params)}</section>"
            f'<section class="card"><h2 class="subtitle">{escape(visit.say("Your challenges"))}</h2>'
            f'<div data-live="{LIVE}challenges" data-every="{SECONDS}">{rows(visit)}</div></section>',
        )

    @site.action("/league/challenges", STUDENTS)
    def ask(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        key = str(visit.person.id)
        if limit.is_exceeded(key):
            raise TooMany(say("You have asked for many challenges today. Come back tomorrow."))
        own, other = find(site, given.get("own", "")), find(site, given.get("other", ""))
        pairs = given.get("pairs", "")
        count = int(pairs) if pairs.isascii() and pairs.isdigit() and len(pairs) < 4 else 0
        site.database.challenge(visit.person.id, own.id, other.id, count)
        limit.count(key)
        return "/league/challenges"


def _form(visit: LeagueVisit, names: Names, asked: Mapping[str, str]) -> str:
    """The choice of the two versions and of the number of pairs."""
    say, may = visit.say, [each for each in names.snapshot.versions.values() if each.may_be_challenged]
    own = [each for each in reversed(may) if each.person == visit.person.id]
    if not own:
        return f'<p class="soft">{escape(say("First hand in a version that plays."))}</p>'
    standing = {each.id for each in names.snapshot.standing}
    playing_with = asked.get("own") or next((str(each.id) for each in own if each.id in standing), "")
    ours = "".join(_option(each, names, str(each.id) == playing_with) for each in own)
    others = sorted(may, key=lambda each: (each.id not in standing, names.title(each).casefold()))
    theirs = "".join(
        _option(each, names, str(each.id) == asked.get("against")) for each in others if str(each.id) != playing_with
    )
    counts = "".join(
        f'<option value="{count}"{" selected" if count == USUAL else ""}>{2 * count}</option>'
        for count in range(1, MOST_PAIRS + 1)
    )
    fields = "".join(
        f'<label class="field"><span>{escape(text)}</span><select name="{name}">{options}</select></label>'
        for text, name, options in (
            (say("Your version"), "own", ours), (say("Against"), "other", theirs), (say("Matches"), "pairs", counts),
        )
    )  # fmt: skip
    button = f'<button class="button">{escape(say("Challenge"))}</button>'
    return visit.form("/league/challenges", fields + button, classes="challenge")


def _option(version: Version, names: Names, chosen: bool) -> str:
    return f'<option value="{version.id}"{" selected" if chosen else ""}>{escape(names.title(version))}</option>'


def _row(names: Names, challenge: Challenge) -> str:
    say, versions = names.speaker.say, names.snapshot.versions
    titles = [names.link(versions[each]) if each in versions else "" for each in (challenge.first, challenge.second)]
    result = f"{challenge.points:g} : {challenge.matches - challenge.points:g}" if challenge.matches else ""
    state = (
        # Translators: the challenge is finished
        say("over")
        if challenge.finished
        else say("{matches} of {count} matches played", matches=challenge.matches, count=2 * challenge.pairs)
    )
    pulse = "" if challenge.finished else '<span class="pulse"></span>'
    return (
        f'<div class="challenged"><span>{titles[0]} – {titles[1]}</span><b>{escape(result)}</b>'
        f"<small>{pulse}{escape(state)}</small></div>"
    )
