"""Takes a version of a student's player, checks it as ``ludoteca check`` does, and lets it play.

From the moment that `take` returns, the version is in the league's file and its files lie beside it: a crash loses
neither. `check` then runs it, always in the sandbox.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN, Submission
from ludoteca.course.check.checker import examine
from ludoteca.course.check.report import Finding, Report
from ludoteca.course.submissions import take as take_copy
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.league.archive import unpack
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.league.settings import LeagueSettings
from ludoteca.messages import joined, say
from ludoteca.players.admission import Admission

DAY = 86_400.0
CHECK_SECONDS = 20.0
"""The time for all steps of a check after the submission has loaded."""
SANDBOXED = Admission(untrusted=True)
"""No submission of a league ever runs outside the sandbox."""


def take(database: Database, settings: LeagueSettings, person: Person, data: bytes, name: str) -> Version:
    """Store what a student handed in as their next version. Raises InvalidAgent with the reason why not.

    It is refused after the deadline, beyond the quota, if it cannot be unpacked, and if it equals their last version.
    """
    now = time.time()
    deadline = person.extension or (settings.deadline.timestamp() if settings.deadline else None)
    if deadline is not None and now > deadline:
        raise InvalidAgent("the deadline has passed; ask your teacher for more time")
    if database.handed_in_since(person.id, now - DAY) >= settings.quota.versions_a_day:
        raise InvalidAgent(
            "you have handed in {count} versions within a day, which is the most; come back tomorrow",
            count=settings.quota.versions_a_day,
        )
    with TemporaryDirectory(prefix="ludoteca-hand-in-") as temporary:
        folder = Path(temporary) / person.ident
        folder.mkdir()
        unpack(data, name, folder, settings.quota)
        handed_in = take_copy(database.folder.joinpath(*HANDED_IN), settings.course, person.ident, _root(folder))
    if handed_in.submission is None or handed_in.problem is not None:
        raise InvalidAgent(handed_in.problem or say("no file in it can play"))
    earlier = database.versions(person.id)
    if earlier and earlier[-1].digest == handed_in.digest and earlier[-1].status is not Status.refused:
        raise InvalidAgent("it is the same as your version {number}", number=earlier[-1].number)
    return database.add_version(person.id, handed_in.digest, handed_in.submission.spec)


def check(
    database: Database, settings: LeagueSettings, version: Version, watch: Callable[[Finding], None] = lambda _: None
) -> Report | None:
    """Check a version and let it play, or refuse it with the reason. None if it could not even be loaded."""
    checking = replace(settings.course.check, admission=SANDBOXED, seconds=CHECK_SECONDS, longest=5 * CHECK_SECONDS)
    try:
        report = examine(Submission.of(version.spec), checking, watch)
    except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
        database.refuse(version, joined([error.message]))
        return None
    if report.problems:
        database.refuse(
            version, joined([say("{step}: {text}", step=each.title, text=each.text) for each in report.problems], " ")
        )
    else:
        database.admit(version, identity_of(version.spec, game_of(settings.course.conditions.game).name))
    return report


def _root(folder: Path) -> Path:
    """The folder that holds the player: a zip often has one folder around everything."""
    inside = list(folder.iterdir())
    while len(inside) == 1 and inside[0].is_dir():
        folder = inside[0]
        inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 else folder
