"""``ludoteca course init | check | run | report``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.status import Status

from ludoteca import spec
from ludoteca.arena.api import Watch, WorkerSettings
from ludoteca.arena.runs import Progress
from ludoteca.catalogues import Language, preferred_language
from ludoteca.course.check.class_check import check_all
from ludoteca.course.check.packages import missing_packages
from ludoteca.course.check.report import Report, in_one_line
from ludoteca.course.grades import grades_of
from ludoteca.course.init_file import begin
from ludoteca.course.tournament import Course, Phase, Standing, run
from ludoteca.messages import Message, Speaker, say, translate
from ludoteca.play.store import default_path
from ludoteca.players.admission import Admission
from ludoteca.players.processes.linux import hide_memory
from ludoteca.reports import standings_of
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.text_table import rate

app = typer.Typer(
    help="A class's tournament: from a folder of submissions to a ranking, replays and grades.\n\n"
    "A submission is a folder with a solution.py or another file with a player, or one .py file, in the folder of "
    "course.toml.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Folder = Annotated[Path, typer.Argument(help="The folder with course.toml and the submissions.")]
StorePath = Annotated[Path | None, typer.Option("--store", help="The file that keeps every match.")]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Where no sandbox can be made (see: ludoteca doctor), let submissions run with your own rights. Without "
        "this they do not run there at all.",
    ),
]
FAULTY = 3
"""The exit status when everything was done, but some submission cannot take part."""
SLOW = 15
"""A slow player gets so many times the time of a check."""


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="Where the submissions are, or will be.")] = Path("."),
) -> None:
    """Write a course.toml in which every key is explained."""
    console, speaker = _console(), Speaker(preferred_language())
    path = begin(folder, preferred_language())
    console.print(
        speaker.say(
            "{path} is written. Read it, put the submissions beside it, then: ludoteca course check {folder}",
            path=path, folder=folder,
        ),
        soft_wrap=True,
    )  # fmt: skip


@app.command("check")
def check(
    folder: Folder = Path("."),
    trust: Trust = False,
    seconds: Annotated[
        float, typer.Option(min=1, help="Time for each submission after it has loaded; more shows its strength better.")
    ] = 10.0,
    as_json: JsonOption = False,
) -> None:
    """Check every submission as ludoteca check does, one line each; slow players get more time by themselves.

    The exit status is 3 if one cannot take part (✗), or if it could not be decided whether it can (?).
    """
    console, language = _console(as_json), preferred_language()
    course = Course.of(folder)
    _warn_of_missing_packages(console, course, language)
    settings = replace(
        course.settings.check, admission=Admission(untrusted=not trust), seconds=seconds, longest=SLOW * seconds
    )
    reports = []
    with Status(translate(say("Checking every submission."), language), console=console) as status:
        for report in check_all(
            course.settings, settings, lambda doing: status.update(escape(translate(doing, language)))
        ):
            reports.append(report)
            _print_report(console, report, language)
    if as_json:
        print_json("course-check", {"submissions": [report.fields() for report in reports]})
    if not all(report.fit for report in reports):
        raise SystemExit(FAULTY)


@app.command("run")
def run_course(
    folder: Folder = Path("."),
    store: StorePath = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default one per core.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster, as in: ludoteca tournament.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Play everything anew.")] = False,
    trust: Trust = False,
    as_json: JsonOption = False,
) -> None:
    """Play the tournament of all submissions; watch it with: ludoteca serve.

    Every finished match is kept: after Ctrl-C the same command continues. When a student hands in a new version, only
    that submission's matches are played again. The exit status is 3 when a submission cannot take part.
    """
    hide_memory()  # this process knows the secret that all deals come from
    console, language = _console(as_json), preferred_language()
    speaker = Speaker(language)
    course = Course.of(folder)
    _warn_of_missing_packages(console, course, language)
    where = False if ray is None else True if ray == "auto" else ray
    settings = WorkerSettings(workers, where, Admission(untrusted=not trust))
    try:
        with shown_progress(console, language) as (watch, tell):
            result = run(
                course, default_path() if store is None else store, settings, again=again, watch=watch, tell=tell
            )
    except KeyboardInterrupt:
        console.print(speaker.say("Stopped. Every finished match is kept; the same command goes on."))
        raise SystemExit(130) from None
    standing = Standing.load(folder)
    out = [each for each in standing.entrants if each.problem]
    for each in out:
        console.print(f"{each.name}: {translate(each.problem, language)}", style="red", soft_wrap=True)
    console.print(speaker.say("Played. Now: ludoteca course report {folder}", folder=folder), soft_wrap=True)
    if as_json:
        grades = grades_of(standing.entrants, result, standings_of(result), course.settings.formula)
        runs = {"qualification": standing.qualification, "tournament": standing.tournament}
        print_json("course", runs | {"ranking": [each.fields() for each in grades]})
    if out:
        raise SystemExit(FAULTY)


@app.command("report")
def report(
    folder: Folder = Path("."),
    to: Annotated[Path | None, typer.Option("--to", help="Where the site goes; by default FOLDER/site.")] = None,
    language: Annotated[str | None, typer.Option("--language", help=spec.language_help())] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the site: ranking, crosstable, every match, a page per submission, grades.csv. It needs no server."""
    from ludoteca.course.site.build import write  # draws, which no other command needs

    chosen = spec.language_of("course report", language)
    console = _console(as_json)
    course = Course.of(folder)
    target = folder / "site" if to is None else to
    with Status(translate(say("Writing the site."), chosen), console=console):
        pages = write(course, target, chosen)
    index = (target / "index.html").absolute()
    written = say("{count} pages are written; open {index}", count=pages, index=index)
    console.print(translate(written, preferred_language()), soft_wrap=True)
    if as_json:
        print_json("course-site", {"pages": pages, "index": index, "grades": index.with_name("grades.csv")})


def _console(as_json: bool = False) -> Console:
    return Console(emoji=False, markup=False, highlight=False, stderr=as_json)


def _warn_of_missing_packages(console: Console, course: Course, language: Language) -> None:
    missing = missing_packages(course.settings.packages)
    if missing:
        notice = say(
            "The course offers {packages}, but they are not installed here: pip install {names}",
            packages=missing, names=" ".join(missing),
        )  # fmt: skip
        console.print(translate(notice, language), style="yellow", soft_wrap=True)


def _print_report(console: Console, report: Report, language: Language) -> None:
    """One line: a table would break long texts in the middle."""
    text = in_one_line(translate(report.in_brief, language))
    style = None if report.fit else "red" if report.problems else "yellow"
    console.print(f"{report.mark} {report.submission}: {text}", style=style, soft_wrap=True)


@contextlib.contextmanager
def shown_progress(console: Console, language: Language) -> Iterator[tuple[Watch, Phase]]:
    """What is being done, and how far it is: one line that is written again and again."""
    speaker = Speaker(language)
    phase = [""]
    with Status("", console=console) as status:

        def tell(said: Message) -> None:
            phase[0] = translate(said, language)
            console.print(phase[0]) if not console.is_terminal else status.update(phase[0])

        def watch(progress: Progress) -> None:
            done = min(progress.found + progress.fresh, progress.plan.total)
            left = progress.seconds_left
            text = speaker.say(
                "{phase} {done} of {total} matches, {rate}, {left} left (run {run}; ludoteca serve shows it)",
                phase=phase[0], done=done, total=progress.plan.total, rate=rate(progress.rate),
                left="?" if left is None else str(timedelta(seconds=round(left))), run=progress.run.id,
            )  # fmt: skip
            status.update(text)

        yield watch, tell
