"""One student as the teacher sees them: the personal link, the deadline, all versions and what to do with each."""

from __future__ import annotations

from datetime import datetime
from html import escape

from ludoteca.agents.tracebacks import in_brief
from ludoteca.dates import say_local_time
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.league.pages.site import LeagueSite, LeagueVisit
from ludoteca.league.teacher_command import STATUS_WORDS
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.text_table import percent

TAKEN_OUT = (Status.retired, Status.banned, Status.faulty)


def student_body(site: LeagueSite, visit: LeagueVisit, person: Person) -> str:
    """The body of the page."""
    database, say = site.database, visit.say
    versions = database.versions(person.id)
    cards = "".join(_version(visit, database, person, each) for each in reversed(versions))
    nothing = f'<p class="card">{escape(say("Nothing handed in yet."))}</p>'
    return (
        f'<p><a href="/league/teacher">← {escape(say("All students"))}</a></p>'
        f'<h1 class="title">{escape(person.name)} <small>{escape(person.ident)} · '
        f"{escape(say('others may see: {name}', name=person.pseudonym))}</small></h1>"
        f'<div class="teacher">{_link(visit, database, person)}{_deadline(site, visit, person)}</div>'
        f"{cards or nothing}"
    )


def _link(visit: LeagueVisit, database: Database, person: Person) -> str:
    say = visit.say
    has = database.has_code(person.id)
    text = (
        say("There is a link that works. It is shown only once, when it is made.") if has else say("There is no link.")
    )
    hidden = f'<input type="hidden" name="person" value="{person.id}">'
    word = say("A new link; the old one ends") if has else say("Make a link")
    buttons = f'{hidden}<button class="button quiet" name="action" value="new">{escape(word)}</button>'
    if has:
        buttons += f'<button class="button quiet" name="action" value="revoke">{escape(say("Revoke it"))}</button>'
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("Personal link"))}</h2><p>{escape(text)}</p>'
        + visit.form("/league/teacher/code", buttons, classes="row")
        + "</section>"
    )


def _deadline(site: LeagueSite, visit: LeagueVisit, person: Person) -> str:
    say, general = visit.say, site.settings.deadline
    all_of = say("no deadline") if general is None else visit.translate(say_local_time(general.timestamp()))
    value = "" if person.extension is None else datetime.fromtimestamp(person.extension).strftime("%Y-%m-%dT%H:%M")
    content = (
        f'<input type="hidden" name="person" value="{person.id}"><label class="field"><span>'
        f"{escape(say('This student may hand in until'))}</span>"
        f'<input type="datetime-local" name="until" value="{value}"></label>'
        f'<button class="button quiet">{escape(say("Set"))}</button>'
    )
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("Deadline"))}</h2>'
        f"<p>{escape(say('For all: {time}. Leave the field empty for that.', time=all_of))}</p>"
        + visit.form("/league/teacher/deadline", content, classes="row inline")
        + "</section>"
    )


def _version(visit: LeagueVisit, database: Database, person: Person, version: Version) -> str:
    say, rating = visit.say, database.ratings().get(version.id)
    words = visit.translate(STATUS_WORDS[version.status])
    if version.paused:
        words += f", {say('paused')}"
    facts = [say("Handed in: {time}", time=say_local_time(version.handed_in)), words]
    if rating is not None:
        facts.append(f"Elo {show_elo(rating.elo)} {rating.ends}")
        facts.append(say("{count} matches, {share} of the points", count=rating.matches, share=percent(rating.score)))
    reason = f"<p>{escape(visit.translated(version.reason)[:2000])}</p>" if version.reason else ""
    faults = database.matches_of(version.id, 5, own_faults=True)
    lost = ""
    if faults:
        items = "".join(
            f'<li><a href="/league/match/{each.place}">{escape(say("Match"))}</a>: '
            f"<small>{escape(visit.translated(in_brief(each.message))[:400])}</small></li>"
            for each in faults
        )
        lost = f"<details><summary>{escape(say('Its latest faults'))}</summary><ul>{items}</ul></details>"
    links = (
        f'<a href="/league/version/{version.id}">{escape(say("Check and matches"))}</a> · '
        f'<a href="/league/teacher/source/{version.id}">{escape(say("Source"))}</a>'
    )
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("Version {number}", number=version.number))}</h2>'
        f"<p>{escape(' · '.join(facts))} · {links}</p>{reason}{lost}{_actions(visit, database, version)}</section>"
    )


def _actions(visit: LeagueVisit, database: Database, version: Version) -> str:
    """Pause or resume it, take it out with a reason, or let it in again."""
    if database.final() is not None or version.status in (Status.refused, Status.checking):
        return ""
    say = visit.say
    hidden = f'<input type="hidden" name="version" value="{version.id}">'

    def button(action: str, word: str) -> str:
        return f'<button class="button quiet" name="action" value="{action}">{escape(word)}</button>'

    if version.status in TAKEN_OUT:
        again = hidden + button("readmit", say("Let it play again"))
        return visit.form("/league/teacher/version", again, classes="row")
    pause = button("resume", say("Go on")) if version.paused else button("pause", say("Pause"))
    out = (
        f'{hidden}<label class="field"><span>{escape(say("Why, as the student reads it"))}</span>'
        f'<input name="reason" required maxlength="500"></label>'
        + button("retire", say("Retire: its matches still count"))
        + button("ban", say("Ban: its matches do not count"))
    )
    return visit.form("/league/teacher/version", hidden + pause, classes="row") + (
        f"<details><summary>{escape(say('Take it out'))}</summary>"
        + visit.form("/league/teacher/version", out, classes="row inline")
        + "</details>"
    )
