"""``ludoteca league finish``: freezes a league and plays its final, a tournament of its own on fresh deals.

The final is the course's tournament between the versions that stand for the students and the baselines. It goes on
where it was interrupted: hand-ins end, the last versions are checked, the entrants are fixed, the tournament is played,
and the files are written. Each step leaves its trace in the league's file, so none is done twice.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ludoteca.agents.files.submission import Submission
from ludoteca.arena.api import Watch, WorkerSettings, plan_of, stored_result
from ludoteca.arena.results import TournamentResult
from ludoteca.catalogues import Language
from ludoteca.course import tournament
from ludoteca.course.grades import Grade, grades_of
from ludoteca.course.submissions import HandedIn
from ludoteca.course.tournament import Course, Phase, Standing
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.league import hand_in
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.league.final import grade_files
from ludoteca.league.final.archive import write_archive
from ludoteca.league.settings import LeagueSettings
from ludoteca.messages import Message, Speaker, joined, say
from ludoteca.play.store import Store
from ludoteca.reports import standings_of

FOLDER = "final"
"""What the final leaves behind lies here, beside ``league.toml``."""
MOST_ROUND_ROBIN = 30
"""With more students than this ``format = "auto"`` is a Swiss tournament."""
NO_FINAL: Message = say("there are not two versions that can play, so there is no final; hand-ins go on")
PAUSE = 0.5
"""Seconds after which to look again whether the league is still being played."""


@dataclass(frozen=True)
class Announcement:
    """What the final will be. It depends on league.toml and on the roster alone, so it is known in advance."""

    format: str
    """``round-robin`` or ``swiss``."""
    rounds: int | None
    """Only of a Swiss tournament."""
    players: int
    """Students on the roster, and baselines."""
    matches: int
    """In all, if everybody takes part."""

    @classmethod
    def of(cls, settings: LeagueSettings, students: int, baselines: int) -> Announcement:
        """The final of a league of so many."""
        course, players = settings.course, students + baselines
        format_ = course.format
        if format_ == "auto":
            format_ = "round-robin" if students <= MOST_ROUND_ROBIN else "swiss"
        if format_ == "round-robin":
            return cls(format_, None, players, course.matches * players * (players - 1) // 2)
        rounds = course.rounds or min(2 * math.ceil(math.log2(max(2, players))), max(1, players - 1))
        return cls(format_, rounds, players, course.matches * rounds * (players // 2))

    @property
    def text(self) -> Message:
        """In a sentence."""
        if self.rounds is None:
            return say("everybody against everybody, at most {matches} matches on fresh deals", matches=self.matches)
        return say(
            "a Swiss tournament of {rounds} rounds, at most {matches} matches on fresh deals",
            rounds=self.rounds, matches=self.matches,
        )  # fmt: skip


def baselines_of(database: Database) -> list[Version]:
    """The baselines that play now; once the entrants of the final are fixed, those that play it."""
    versions, final = database.versions(), database.final()
    if final is not None and final.entrants is not None:
        return [each for each in versions if each.id in final.baselines]
    return [each for each in versions if each.person is None and each.status is Status.playing]


def announced(settings: LeagueSettings, database: Database) -> Announcement:
    """What the final of this league will be."""
    return Announcement.of(settings, len(database.people()), len(baselines_of(database)))


def absent(database: Database) -> list[Person]:
    """Who has no version for the final: none that stands and none that waits for its check."""
    waiting = {each.person for each in database.versions() if each.status is Status.checking}
    return [each for each in database.people() if each.standing is None and each.id not in waiting]


def play(
    database: Database, settings: LeagueSettings, workers: WorkerSettings, *, watch: Watch, tell: Phase
) -> None:  # fmt: skip
    """Do what is missing of the final; nothing after its end. Raises InvalidOption with too few players.

    It waits until a process that plays the league has seen that it is frozen.
    """
    if len(absent(database)) == len(database.people()) and database.final() is None:
        raise InvalidOption(NO_FINAL)
    database.freeze()
    while database.store.being_played(database.run.id):
        tell(say("Waiting until the league, which another process plays, has stopped."))
        time.sleep(PAUSE)
    with database.store.sole_writer(database.run.id):
        for version in database.versions():
            if version.status is Status.checking:
                tell(say("Checking what was handed in last."))
                hand_in.check(database, settings, version)
        final = database.final()
        assert final is not None
        if final.entrants is None:
            standing = [each for each in database.people() if each.standing is not None]
            if not standing or len(standing) + len(baselines_of(database)) < 2:
                database.unfreeze()
                raise InvalidOption(NO_FINAL)
            database.enter_final()
        if final.played is None:
            course = course_of(database, settings)
            store = database.store.path
            tournament.run(course, store, workers, submissions=_submissions(database, settings), watch=watch, tell=tell)
            database.end_final()


def course_of(database: Database, settings: LeagueSettings) -> Course:
    """The final as a course: its submissions are the entrants, its references the baselines."""
    announcement = announced(settings, database)
    baselines = tuple(each.spec for each in baselines_of(database))
    course = replace(settings.course, format=announcement.format, rounds=announcement.rounds, references=baselines)
    return Course(database.folder, course)


def shown_names(database: Database, settings: LeagueSettings) -> Mapping[int, str]:
    """What the site of the final calls each person: real names or pseudonyms, as league.toml says."""
    return {each.id: each.pseudonym if settings.pseudonyms else each.name for each in database.people()}


def _submissions(database: Database, settings: LeagueSettings) -> list[HandedIn]:
    """What each person on the roster enters the final with."""
    final, names = database.final(), shown_names(database, settings)
    assert final is not None and final.entrants is not None
    versions = {each.id: each for each in database.versions()}
    found = []
    for person, name in names.items():
        entered = final.entrants.get(person)
        if entered is None:
            found.append(HandedIn(name, "", None, _why_absent(database, person)))
            continue
        version = versions[entered]
        try:
            found.append(HandedIn(name, version.digest, Submission.of(version.spec)))
        except InvalidAgent as error:  # its files were removed by hand
            found.append(HandedIn(name, version.digest, None, joined([error.message])))
    return found


def _why_absent(database: Database, person: int) -> Message:
    """Why nobody plays for a person."""
    versions = database.versions(person)
    if not versions:
        return say("nothing was handed in")
    if versions[-1].status is Status.banned:
        return say("the teacher took version {number} out of the league", number=versions[-1].number)
    return say("none of the versions handed in can play")


def grades(course: Course) -> list[Grade]:
    """The grades of a final as it is in the store. Raises InvalidOption before its first match."""
    standing = Standing.load(course.folder)
    with Store(standing.store) as store:
        results = {name: stored_result(store, run) for name, run in tournament.runs_of(store, standing).items()}
    result = results.get("tournament")
    assert result is None or isinstance(result, TournamentResult)
    standings = None if result is None else standings_of(result)
    return grades_of(standing.entrants, result, standings, course.settings.formula)


def left_out(database: Database) -> dict[str, str]:
    """Who is on the roster but not in the final, by their real names, each with the reason."""
    real = {each.pseudonym: each.name for each in database.people()}
    entrants = Standing.load(database.folder).entrants
    return {real.get(each.name, each.name): each.problem for each in entrants if each.problem}


def progress(database: Database) -> tuple[int, int]:
    """How many matches of the final are played, and how many there will be; both 0 before its first match."""
    try:
        number = Standing.load(database.folder).tournament
    except InvalidOption:  # before the first match
        return 0, 0
    if number is None:
        return 0, 0
    plan = plan_of(database.store.find(str(number)))
    return database.store.count(number), plan.total


def _zip_site(folder: Path) -> Path:
    """The site as one file, for a course's platform."""
    partial = shutil.make_archive(str(folder / ".site.partial"), "zip", folder / "site")
    return Path(partial).replace(folder / "site.zip")


def write_files(database: Database, settings: LeagueSettings, language: Language) -> list[Path]:
    """Write the site, the grades, the files for Moodle and Canvas and the archive. Raises InvalidOption."""
    from ludoteca.course.site.build import write as write_site  # draws, which nothing else here needs

    folder, course, speaker = database.folder / FOLDER, course_of(database, settings), Speaker(language)
    write_site(course, folder / "site", language)
    final = database.final()
    assert final is not None and final.entrants is not None
    numbers = {each.id: each.number for each in database.versions()}
    played = {person: None if version is None else numbers[version] for person, version in final.entrants.items()}
    rows = grade_files.graded(
        database.people(), grades(course), played,
        grade_files.read_contacts(database.folder / "roster.csv"),
    )  # fmt: skip
    title = settings.course.title
    return [
        folder / "site" / "index.html",
        _zip_site(folder),
        grade_files.write(folder, "grades.csv", grade_files.grades_csv(rows, speaker)),
        grade_files.write(folder, "moodle.csv", grade_files.moodle_csv(rows, title, speaker)),
        grade_files.write(folder, "canvas.csv", grade_files.canvas_csv(rows, title, settings.course.formula)),
        write_archive(database, settings, folder, speaker),
    ]
