"""``ludoteca league students | extend | ban | … | similarity | finish``: what a teacher does in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.status import Status as Spinner

from ludoteca.arena.api import WorkerSettings
from ludoteca.catalogues import Language, preferred_language
from ludoteca.course.command import shown_progress
from ludoteca.dates import say_local_time
from ludoteca.errors import InvalidOption
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.league.final import tournament as final
from ludoteca.league.final.grade_files import PLATFORM_HELP
from ludoteca.league.hand_in import SANDBOXED
from ludoteca.league.opened_league import League, require_sandbox
from ludoteca.league.similarity.report import HINT, SimilarityReport
from ludoteca.messages import Message, Speaker, say, translate
from ludoteca.players.processes.linux import hide_memory
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.text_table import TextTable

Folder = Annotated[Path, typer.Argument(help="The folder with league.toml and roster.csv.")]
LeagueFolder = Annotated[Path, typer.Option("--league", help="The folder with league.toml.")]
STATUS_WORDS: dict[Status, Message] = {
    Status.checking: say("waits for its check"),
    Status.refused: say("refused"),
    Status.playing: say("stands"),
    Status.resting: say("rests"),
    Status.retired: say("retired"),
    Status.faulty: say("set aside for its faults"),
    Status.banned: say("banned"),
}
"""What a version does now, for the teacher."""


def students(folder: Folder = Path(".")) -> None:
    """List everybody on the roster: their versions, which one stands, their deadline, and who has not handed in."""
    language = preferred_language()
    with ExitStack() as stack:
        league = League.of(folder, stack)
        database = league.database
        ratings, rows = database.ratings(), []
        for person in database.people():
            versions = database.versions(person.id)
            standing = next((each for each in versions if each.id == person.standing), None)
            rating = None if standing is None else ratings.get(standing.id)
            latest = versions[-1] if versions else None
            rows.append([
                person.name, person.ident,
                "" if standing is None else say("{number} of {count}", number=standing.number, count=len(versions)),
                "" if rating is None else show_elo(rating.elo),
                say("nothing handed in") if latest is None else STATUS_WORDS[latest.status],
                "" if person.extension is None else say_local_time(person.extension),
            ])  # fmt: skip
        headings = [say("Student"), say("Id"), say("Stands"), say("Elo"), say("Last version"), say("Own deadline")]
        if not any(row[-1] for row in rows):
            headings, rows = headings[:-1], [row[:-1] for row in rows]
        title = say(
            "{title}: the final will be {text}",
            title=league.settings.course.title, text=final.announced(league.settings, database).text,
        )  # fmt: skip
        words = frozenset({"Student", "Id", "Last version", "Own deadline"})
        table = TextTable(title, headings, rows, words=words, name="Student")
        console = _console()
        console.print(table.rich(console.width, language))


def extend(
    student: Annotated[str, typer.Argument(metavar="ID", help="Whose deadline: an id of the roster.")],
    until: Annotated[
        datetime | None, typer.Argument(help="Their own deadline, as in 2027-05-31T23:59; without it: that of all.")
    ] = None,
    folder: LeagueFolder = Path("."),
) -> None:
    """Give one student their own deadline, in the time zone of this machine; or take it back."""
    speaker = Speaker(preferred_language())
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        person = _person(database, student)
        database.extend(person.id, None if until is None else until.timestamp())
        text = (
            say("{name} has the same deadline as all.", name=person.name)
            if until is None
            else say("{name} may hand in until {time}.", name=person.name, time=say_local_time(until.timestamp()))
        )
        _console().print(speaker.translate(text), soft_wrap=True)


def ban(
    student: Annotated[str, typer.Argument(metavar="ID", help="Whose version: an id of the roster.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the version.", min=1)],
    reason: Annotated[str, typer.Option("--reason", help="What the student reads.", prompt=True)],
    folder: LeagueFolder = Path("."),
) -> None:
    """Take a version out of the league; its matches no longer count. See: ludoteca league readmit."""
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        version = _version(database, student, number)
        database.ban(version, reason)
        _console().print(Speaker(preferred_language()).say("Version {number} is out.", number=number), soft_wrap=True)


def readmit(
    student: Annotated[str, typer.Argument(metavar="ID", help="Whose version: an id of the roster.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the version.", min=1)],
    folder: LeagueFolder = Path("."),
) -> None:
    """Let a version play again that was banned, retired or set aside for its faults."""
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        database.reinstate(_version(database, student, number))
        text = Speaker(preferred_language()).say("Version {number} may play again.", number=number)
        _console().print(text, soft_wrap=True)


def pause(folder: Folder = Path(".")) -> None:
    """Let matches in progress end and begin no other, until: ludoteca league resume."""
    with ExitStack() as stack:
        League.of(folder, stack).database.pause()
        _console().print(Speaker(preferred_language()).say("The league is paused."))


def resume(folder: Folder = Path(".")) -> None:
    """Go on after: ludoteca league pause."""
    with ExitStack() as stack:
        League.of(folder, stack).database.resume()
        _console().print(Speaker(preferred_language()).say("The league goes on."))


def _person(database: Database, ident: str) -> Person:
    """Somebody on the roster. Raises InvalidOption."""
    found = next((each for each in database.people() if each.ident == ident), None)
    if found is None:
        raise InvalidOption("{id} is not on the roster", id=ident)
    return found


def _version(database: Database, ident: str, number: int) -> Version:
    """A version of somebody on the roster. Raises InvalidOption."""
    person = _person(database, ident)
    found = next((each for each in database.versions(person.id) if each.number == number), None)
    if found is None:
        raise InvalidOption("{name} has no version {number}", name=person.name, number=number)
    return found


def similarity(
    folder: Folder = Path("."),
    all_versions: Annotated[
        bool, typer.Option("--all", help="Compare all versions, not only those that stand.")
    ] = False,
) -> None:
    """Show which versions of different students share code: a hint for a person, never a verdict.

    It writes similarity.html, where you can read both sources, and similarity.csv into FOLDER. Code in FOLDER/handouts
    and baselines that are files do not count as shared. It needs: pip install 'ludoteca[similarity]'
    """
    console, speaker = _console(), Speaker(preferred_language())
    with ExitStack() as stack:
        league = League.of(folder, stack)
        with Spinner(speaker.say("Comparing the sources."), console=console):
            report = SimilarityReport.of(league.database, league.settings.course.title, all_versions=all_versions)
        if report.comparison.likenesses:
            console.print(report.table().rich(console.width, speaker.language))
        else:
            console.print(speaker.say("No two versions of different students share code."))
        for path in report.write(folder, speaker):
            console.print(speaker.say("{path} is written.", path=path), soft_wrap=True)
        for note in (*report.notes(), HINT):
            console.print(speaker.translate(note), soft_wrap=True)


def finish(
    folder: Folder = Path("."),
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default one per core.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster, as in: ludoteca tournament.")
    ] = None,
) -> None:
    """End the hand-ins for good, play the final on fresh deals, and write grades and archive into FOLDER/final.

    The version that stands for each student meets those of the others and the baselines, in the format of league.toml.
    Ctrl-C loses no finished match; the same command goes on. After the end it only writes the files again:

    site/index.html and site.zip (ranking and every match), grades.csv (for a spreadsheet), moodle.csv and canvas.csv
    (for the import of grades there), archive.zip (everything, to be replayed years later; without codes).
    """
    hide_memory()
    require_sandbox()
    console, language = _console(), preferred_language()
    with ExitStack() as stack:
        league = League.of(folder, stack)
        database, state = league.database, league.database.final()
        if state is not None and state.played is not None:
            console.print(translate(say("The final is over. Only its files are written again."), language))
        elif state is None and not yes:
            _ask(league, language)
        where = False if ray is None else True if ray == "auto" else ray
        try:
            with shown_progress(console, language) as (watch, tell):
                final.play(database, league.settings, WorkerSettings(workers, where, SANDBOXED), watch=watch, tell=tell)
                tell(say("Writing the files."))
                written = final.write_files(database, league.settings, language)
        except KeyboardInterrupt:
            console.print(translate(say("Stopped. Every finished match is kept; the same command goes on."), language))
            raise SystemExit(130) from None
        for path in written:
            console.print(translate(say("{path} is written.", path=path), language), soft_wrap=True)
        console.print(translate(PLATFORM_HELP, language), soft_wrap=True)
        for name, problem in final.left_out(database).items():
            text = translate(say("{name} is not in the final: {why}", name=name, why=problem), language)
            console.print(text, soft_wrap=True)


def _ask(league: League, language: Language) -> None:
    """Say what finishing does, and go on only after a yes."""
    out = final.absent(league.database)
    lines = [
        say("From now on no version is taken any more, and this cannot be undone."),
        say("The final: {text}.", text=final.announced(league.settings, league.database).text),
        *(
            [say("Without a version that can play: {names}.", names=[each.name for each in out])]
            if out
            else [say("Everybody has handed in a version.")]
        ),
    ]
    for line in lines:
        _console().print(translate(line, language), soft_wrap=True)
    typer.confirm(translate(say("Finish the league?"), language), abort=True)


def _console() -> Console:
    return Console(emoji=False, markup=False, highlight=False)


COMMANDS: dict[str, Callable[..., None]] = {
    "students": students, "extend": extend, "ban": ban, "readmit": readmit, "pause": pause, "resume": resume,
    "similarity": similarity, "finish": finish,
}  # fmt: skip
"""By their names."""
