"""Takes a version of a student's player, checks it as ``ludoteca check`` does, and lets it play.

From the moment that `take` returns, the version is in the league's file and its files lie beside it: a crash loses
neither. `check` then runs it, always in the sandbox.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import replace

from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN, Submission
from ludoteca.course.check.checker import examine
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.league import archive
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.league.settings import LeagueSettings
from ludoteca.messages import joined, say
from ludoteca.players.admission import Admission

DAY = 86_400.0
CHECK_SECONDS = 20.0
"""The time for all steps of a check after the submission has loaded, if no other version waits."""
LEAST_CHECK_SECONDS = 0.2
"""The same if many wait: fifty hand in just before the deadline, and each wants to know that theirs plays."""
CHECK_PAUSE = 0.5
"""Seconds after which to look for new versions again."""
SANDBOXED = Admission(untrusted=True)
"""No submission of a league ever runs outside the sandbox."""


def take(database: Database, settings: LeagueSettings, person: Person, data: bytes, name: str) -> Version:
    """Store what a student handed in as their next version. Raises InvalidAgent with the reason why not.

    It is refused after the deadline, beyond the quota, if it cannot be unpacked, and if it equals their last version.
    """
    now = time.time()
    deadline = person.extension or (settings.deadline.timestamp() if settings.deadline else None)
    if database.final() is not None:
        raise InvalidAgent(say("the league is over; no more versions are taken"))
    if deadline is not None and now > deadline:
        raise InvalidAgent(say("the deadline has passed; ask your teacher for more time"))
    if database.handed_in_since(person.id, now - DAY) >= settings.quota.versions_a_day:
        raise InvalidAgent(
            "you have handed in {count} versions within a day, which is the most; come back tomorrow",
            count=settings.quota.versions_a_day,
        )
    upload = archive.read(data, name, person.ident, database.folder, settings.quota)
    earlier = database.versions(person.id)
    if upload.problem or not upload.spec:
        if all(each.digest != upload.digest for each in earlier):  # or refused uploads would fill the disk
            shutil.rmtree(database.folder.joinpath(*HANDED_IN, upload.digest, person.ident), ignore_errors=True)
        raise InvalidAgent(upload.problem)
    if earlier and earlier[-1].digest == upload.digest and earlier[-1].status is not Status.refused:
        raise InvalidAgent("it is the same as your version {number}", number=earlier[-1].number)
    return database.add_version(person.id, upload.digest, upload.spec)


def check(
    database: Database,
    settings: LeagueSettings,
    version: Version,
    watch: Callable[[Finding], None] = lambda _: None,
    *,
    waiting: int = 1,
) -> None:
    """Check a version, keep each finding at once, and let it play or refuse it with the reason.

    waiting: how many versions share the time, this one among them.
    """
    database.forget_findings(version)

    def keep(finding: Finding) -> None:
        database.note_finding(version, finding)
        watch(finding)

    seconds = max(LEAST_CHECK_SECONDS, CHECK_SECONDS / waiting)
    checking = replace(settings.course.check, admission=SANDBOXED, seconds=seconds, longest=5 * seconds)
    try:
        report = examine(Submission.of(version.spec), checking, keep)
    except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
        keep(Finding(say("Loads"), FindingVerdict.bad, error.message))
        database.refuse(version, error.message)
        return
    if report.problems:
        database.refuse(version, joined([joined([each.title, each.text], ": ") for each in report.problems], " "))
    else:
        database.admit(version, identity_of(version.spec, game_of(settings.course.conditions.game).name))
