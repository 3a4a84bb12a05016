"""What a teacher sees first: how the league is doing, whom to look after, baselines, the final, and files to take."""

from __future__ import annotations

import time
from html import escape

from ludoteca.agents.tracebacks import in_brief
from ludoteca.dates import say_local_time
from ludoteca.league.database import Database, Person, Status, Version, VersionRating
from ludoteca.league.final import tournament as final
from ludoteca.league.pages.site import LeagueSite, LeagueVisit
from ludoteca.league.pages.teacher.files import DOWNLOADS, FileJobs
from ludoteca.league.settings import FILE
from ludoteca.league.similarity.report import HINT
from ludoteca.league.teacher_command import STATUS_WORDS
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.text_table import percent

OLD = 60.0
"""Seconds after which a status of the playing process is out of date."""
UNFAIR = 0.05
"""Above this share of waiting, a player loses time that it did not use."""
MOST_FAULTS = 8
SHOWN_NAMES = 40
"""Of those who have not handed in; the table has all."""


def overview(site: LeagueSite, visit: LeagueVisit, jobs: FileJobs) -> str:
    """The body of the page."""
    database, say = site.database, visit.say
    versions = database.versions()
    return (
        f'<h1 class="title">{escape(site.title)} <small>{escape(say("for the teacher"))}</small></h1>'
        f'<div class="teacher">'
        f'<section class="card"><h2 class="subtitle">{escape(say("Now"))}</h2>'
        f'<div data-live="/league/live/teacher" data-every="5">{status(site, visit)}</div>{_pause(visit, database)}'
        f"</section>"
        f"{_attention(visit, database, versions)}"
        f"{_final(site, visit, database)}"
        f"{_baselines(visit, database, versions)}"
        f"{_files(site, visit, jobs)}</div>"
        f"{_students(site, visit, database, versions)}"
    )


def status(site: LeagueSite, visit: LeagueVisit) -> str:
    """The queue and the machine, as the playing process last said; a part that is fetched again and again."""
    database, say = site.database, visit.say
    now, end = database.status(), database.final()
    if end is not None:
        text = say("The league is over.") if end.played else say("The league is frozen; its final is not over.")
        done, total = (0, 0) if end.played else final.progress(database)
        played = (
            f"<p>{escape(say('{done} of {total} matches are played.', done=done, total=total))}</p>" if total else ""
        )
        return f"<p><b>{escape(text)}</b></p>{played}"
    if database.paused:
        head = say("Paused: matches in progress end, and no other begins.")
    elif not database.being_played:
        head = say("Nobody plays: no process is playing this league now.")
    else:
        head = say("It plays.")
    lines = f"<p><b>{escape(head)}</b></p>"
    if now is None:
        return lines
    if not database.being_played or time.time() - now.written > OLD:
        return f'{lines}<p class="soft">{escape(say("Last heard of: {time}.", time=say_local_time(now.written)))}</p>'
    facts = [
        (say("Matches an hour"), f"{now.matches_an_hour:.0f}"),
        (say("Pairs in play"), str(now.unfinished)),
        (say("Versions that wait for their check"), str(now.checking)),
        (say("Processes that play"), str(now.workers)),
        (say("Load of the machine"), say("{load:.1f} of {cores} cores", load=now.load, cores=now.cores)),
        # Translators: how unevenly this machine keeps time
        (say("Jitter"), percent(now.jitter)),
    ]
    lines += _facts(facts)
    if now.jitter > UNFAIR:
        text = say(
            "Players often wait for a core while their clock runs. Let nothing else run on this machine, or play with "
            "fewer processes."
        )
        lines += f'<p class="trouble">{escape(text)}</p>'
    return lines


def _facts(facts: list[tuple[str, str]]) -> str:
    return (
        '<dl class="facts">'
        + "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in facts)
        + "</dl>"
    )


def _pause(visit: LeagueVisit, database: Database) -> str:
    if database.final() is not None:
        return ""
    word, action = (
        (visit.say("Go on"), "resume") if database.paused else (visit.say("Pause the league"), "pause")
    )  # fmt: skip
    button = f'<button class="button quiet" name="action" value="{action}">{escape(word)}</button>'
    return visit.form("/league/teacher/league", button, classes="row")


def _final(site: LeagueSite, visit: LeagueVisit, database: Database) -> str:
    say, deadline = visit.say, site.settings.deadline
    announced = final.announced(site.settings, database)
    lines = [visit.translate(announced.text).capitalize() + "."]
    if deadline is not None:
        lines.append(say("Deadline: {time}.", time=say_local_time(deadline.timestamp())))
    lines.append(say("Grade = {formula}.", formula=site.settings.course.formula.text))
    text = "".join(f"<p>{escape(line)}</p>" for line in lines)
    if database.final() is None:
        how = say("It begins when you type this where the league runs, and ends the hand-ins for good:")
        text += f'<p class="soft">{escape(how)}</p><pre>ludoteca league finish {escape(str(site.folder))}</pre>'
    return f'<section class="card"><h2 class="subtitle">{escape(say("The final"))}</h2>{text}</section>'


def _attention(visit: LeagueVisit, database: Database, versions: list[Version]) -> str:
    """Who has not handed in, whose version cannot play, and the latest faults."""
    say, people = visit.say, {each.id: each for each in database.people()}
    handed_in = {each.person for each in versions}
    missing = [each for each in people.values() if each.id not in handed_in]
    parts = []
    if missing:
        names = ", ".join(_linked(each) for each in missing[:SHOWN_NAMES])
        more = " …" if len(missing) > SHOWN_NAMES else ""
        heading = visit.say_count(
            "{count} student has not handed in:", "{count} students have not handed in:", len(missing)
        )
        parts.append(f"<p>{escape(heading)} {names}{more}</p>")
    latest = {each.person: each for each in versions if each.person is not None}
    stuck = [each for each in latest.values() if each.status in (Status.refused, Status.faulty)]
    if stuck:
        items = "".join(
            f"<li>{_linked(people[each.person])}: {escape(visit.translate(STATUS_WORDS[each.status]))}. "
            f"<small>{escape(visit.translated(each.reason)[:200])}</small></li>"
            for each in stuck[:SHOWN_NAMES]
            if each.person is not None
        )
        parts.append(f"<p>{escape(say('The last version of these cannot play:'))}</p><ul>{items}</ul>")
    faults = database.recent_faults(MOST_FAULTS)
    by_id = {each.id: each for each in versions}
    if faults:
        items = ""
        for fault in faults:
            version = by_id[fault.version]
            who = _linked(people[version.person]) if version.person is not None else escape(visit.agent(version.spec))
            number = escape(say("version {number}", number=version.number))
            why = escape(visit.translated(in_brief(fault.message))[:200])
            items += f'<li>{who}, {number}: <a href="/league/match/{fault.place}"><small>{why}</small></a></li>'
        parts.append(f"<p>{escape(say('The latest faults in matches:'))}</p><ul>{items}</ul>")
    if not parts:
        parts.append(f"<p>{escape(say('Everybody has handed in, and no match was lost by a fault lately.'))}</p>")
    return f'<section class="card"><h2 class="subtitle">{escape(say("To look after"))}</h2>{"".join(parts)}</section>'


def _linked(person: Person) -> str:
    return f'<a href="/league/teacher/student/{person.id}">{escape(person.name)}</a>'


def _baselines(visit: LeagueVisit, database: Database, versions: list[Version]) -> str:
    say, ratings = visit.say, database.ratings()
    rows = ""
    for each in versions:
        if each.person is not None or each.status is Status.retired:
            continue
        rating = ratings.get(each.id)
        elo = "" if rating is None else show_elo(rating.elo)
        state = "" if each.status is Status.playing else visit.translate(STATUS_WORDS[each.status])
        about = " · ".join(text for text in (state, visit.translated(each.reason)[:200] if each.reason else "") if text)
        below = f'<br><small class="soft">{escape(about)}</small>' if about else ""
        button = (
            f'<input type="hidden" name="version" value="{each.id}">'
            f'<button class="control" name="action" value="remove">{escape(say("Remove"))}</button>'
        )
        remove = visit.form("/league/teacher/baseline", button) if database.final() is None else ""
        rows += (
            f"<tr><td{visit.exact(each.spec)}>{escape(visit.agent(each.spec))}{below}</td>"
            f'<td class="number">{elo}</td>'
            f'<td class="do">{remove}</td></tr>'
        )
    add = visit.form(
        "/league/teacher/baseline",
        f'<label class="field"><span>{escape(say("An installed agent"))}</span>'
        f'<input name="agent" required maxlength="200" placeholder="engine:level=3" autocapitalize="none" '
        f'spellcheck="false"></label>'
        f'<button class="button quiet" name="action" value="add">{escape(say("Add"))}</button>',
        classes="row inline",
    ) + visit.form(
        "/league/teacher/baseline-file",
        f'<label class="field"><span>{escape(say("Or your own file: .py or .zip"))}</span>'
        f'<input type="file" name="file" accept=".py,.zip" required></label>'
        f'<button class="button quiet">{escape(say("Hand in"))}</button>',
        classes="row inline", files=True,
    )  # fmt: skip
    about = say("They always take part and hold the scale still: the mean of their ratings is 0.")
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("Baselines"))}</h2><p class="soft">{escape(about)}</p>'
        f'<table class="plain baselines">{rows}</table>{add if database.final() is None else ""}</section>'
    )


def _files(site: LeagueSite, visit: LeagueVisit, jobs: FileJobs) -> str:
    """What can be downloaded, and what can be made now."""
    say, parts = visit.say, ""
    ready = [name for name in DOWNLOADS if (site.folder / DOWNLOADS[name]).exists()]
    items = ""
    for name in ready:
        path = site.folder / DOWNLOADS[name]
        made = visit.translate(say_local_time(path.stat().st_mtime))
        items += (
            f'<li><a href="/league/teacher/file/{name}">{escape(name)}</a> '
            f'<small class="soft">{max(1, path.stat().st_size // 1000)} kB, {made}</small></li>'
        )
    parts += f"<ul>{items}</ul>" if items else f"<p>{escape(say('There are no files yet.'))}</p>"
    if jobs.running:
        parts += f"<p>{escape(say('Being made: {name}. Reload this page in a moment.', name=jobs.running))}</p>"
    if jobs.trouble:
        parts += f'<p class="trouble">{escape(visit.translated(jobs.trouble))}</p>'
    for name, word, about in (
        ("similarity", say("Compare the sources"), visit.translate(HINT)),
        ("archive", say("Make an archive"), say("All matches, sources and settings, to be replayed years later.")),
    ):
        button = f'<button class="button quiet" name="make" value="{name}">{escape(word)}</button>'
        parts += visit.form("/league/teacher/make", button) + f'<p class="soft"><small>{escape(about)}</small></p>'
    if "grades.csv" not in ready:
        grades = say("Grades, and the files for Moodle and Canvas, are there after the final.")
        parts += f'<p class="soft"><small>{escape(grades)}</small></p>'
    return f'<section class="card"><h2 class="subtitle">{escape(say("Files"))}</h2>{parts}</section>'


def _students(site: LeagueSite, visit: LeagueVisit, database: Database, versions: list[Version]) -> str:
    say, ratings = visit.say, database.ratings()
    own: dict[int, list[Version]] = {}
    for each in versions:
        if each.person is not None:
            own.setdefault(each.person, []).append(each)
    heads = [
        ("", say("Student")), ("wide", say("Id")), ("number wide", say("Versions")), ("wide", say("Last version")),
        ("number", say("Elo")), ("number wide", say("Matches")), ("number", say("Faults")),
        ("wide", say("Own deadline")),
    ]  # fmt: skip
    head = "".join(f'<th class="{kind}">{escape(text)}</th>' for kind, text in heads)
    rows = "".join(_student_row(visit, each, own.get(each.id, []), ratings) for each in database.people())
    where = say("The roster is {path}; students added there join when the page starts again.", path="roster.csv")
    names = say("Students see invented names of each other.") if site.settings.pseudonyms else ""
    return (
        f'<section class="card scroll"><h2 class="subtitle">{escape(say("Students"))}</h2>'
        f'<table class="plain students"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f'<p class="soft"><small>{escape(where)} {escape(names)} '
        f"{escape(say('Settings are in {path}.', path=FILE))}</small></p></section>"
    )


def _student_row(visit: LeagueVisit, person: Person, versions: list[Version], ratings: dict[int, VersionRating]) -> str:
    rating = ratings.get(person.standing) if person.standing is not None else None
    standing = next((each for each in versions if each.id == person.standing), None)
    last = versions[-1] if versions else None
    words = visit.say("nothing handed in") if last is None else visit.translate(STATUS_WORDS[last.status])
    if standing is not None and standing.paused:
        words += f", {visit.say('paused')}"
    cells = [
        ("", f'{_linked(person)}<small class="narrow">{escape(words)}</small>'),
        ("wide", escape(person.ident)),
        ("number wide", str(len(versions) or "")),
        ("wide", escape(words)),
        ("number", "" if rating is None else show_elo(rating.elo)),
        ("number wide", "" if rating is None else str(rating.matches)),
        ("number", "" if rating is None else str(rating.faults or "")),
        ("wide", "" if person.extension is None else visit.translate(say_local_time(person.extension))),
    ]
    return "<tr>" + "".join(f'<td class="{kind}">{text}</td>' for kind, text in cells) + "</tr>"
