"""``ludoteca check``: whether a submission is fit to take part, and what its author should know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ludoteca import spec
from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import InvalidAgent
from ludoteca.messages import Speaker, say, translate
from ludoteca.reports.json_output import JsonOption, print_json

if TYPE_CHECKING:
    from ludoteca.course.check.report import Finding
    from ludoteca.course.check.settings import CheckSettings
    from ludoteca.course.settings import Settings


def check(
    submission: Annotated[str, typer.Argument(help="A file such as solution.py or solution.py:MyPlayer, or a folder.")],
    game: Annotated[
        str | None,
        typer.Option(help="What it is to play, such as hex:size=7,layout=even-r; by default the course's, or hex."),
    ] = None,
    limit: Annotated[str | None, typer.Option(help="Its limit for a move; by default the course's, or 5s.")] = None,
    memory: Annotated[
        int | None, typer.Option(help="MiB that it may take besides Python's own; by default the course's, or 2048.")
    ] = None,
    course: Annotated[
        Path | None,
        typer.Option(help="The course.toml to use; by default the one beside the submission, if there is one."),
    ] = None,
    packages: Annotated[
        str | None,
        typer.Option(help="Packages that it may import, such as numpy,scipy; by default those that the course offers."),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report to this file too, as a page.")] = None,
    language: Annotated[str | None, typer.Option(help=spec.language_help())] = None,
    as_json: JsonOption = False,
) -> None:
    """Try a player's file before it is handed in. It takes under a minute, or up to five for a slow player.

    Does it load, which class plays, which neighbours does it assume, is it legal, in time, repeatable, and how strong
    is it? Beside a course.toml it is checked for that course. The exit status is 0 when the submission is fit to take
    part, 1 when it is not, 2 when there is nothing to check, 3 when that could not be decided: something that must be
    known was not seen, or this machine is too busy.
    """
    from ludoteca import agents
    from ludoteca.agents.files import Submission
    from ludoteca.course.check.checker import examine
    from ludoteca.course.check.html_report import page  # here, so that the other commands start without all that plays
    from ludoteca.course.check.report import UNDECIDED

    settings = _settings(submission, course, game, limit, memory, packages)
    if not agents.is_file(submission):
        raise InvalidAgent("{agent} is not a file: check takes files such as solution.py", agent=submission)
    found = Submission.of(submission)
    read_in = spec.language_of("check", language)
    console = Console(emoji=False, highlight=False, stderr=as_json)
    with console.status(translate(say("checking …"), read_in)) as status:
        report = examine(
            found, settings, lambda finding: _show(console, finding, read_in),
            lambda doing: status.update(escape(translate(doing, read_in))),
        )  # fmt: skip
    if html is not None:
        html.write_text(page(report, read_in), encoding="utf-8")
    style = {0: "bold green", UNDECIDED: "bold yellow"}.get(report.exit_status, "bold red")
    console.print(Text(translate(report.summary, read_in), style=style), soft_wrap=True)
    if as_json:
        print_json("check", report.fields(SOURCE if language is None else read_in))
    raise SystemExit(report.exit_status)


def _settings(
    submission: str, course: Path | None, game: str | None, limit: str | None, memory: int | None, packages: str | None
) -> CheckSettings:
    """The course's settings, or the usual ones, changed by what was given on the command line."""
    from ludoteca.course.check.settings import CheckSettings
    from ludoteca.play.conditions import Conditions

    found = _course_of(submission, course)
    usual = CheckSettings() if found is None else found.check
    conditions = Conditions.of(
        game or usual.conditions.game,
        limit or usual.conditions.limit,
        memory or usual.conditions.memory,
        usual.conditions.margin,
    )
    offered = usual.packages
    if packages is not None:
        offered = tuple(filter(None, (each.strip() for each in packages.split(","))))
    return replace(usual, conditions=conditions, packages=offered)


def _course_of(submission: str, named: Path | None) -> Settings | None:
    """The settings of the course that was named, or whose course.toml lies beside the submission; None without one."""
    from ludoteca.agents import files
    from ludoteca.course.settings import FILE, read

    if named is not None:
        return read(named / FILE if named.is_dir() else named)
    try:
        folder = files.Submission.of(submission).file.absolute().parent
    except InvalidAgent:  # the checker reports it
        return None
    near = next((each / FILE for each in (folder, folder.parent) if (each / FILE).is_file()), None)
    return None if near is None else read(near)


STYLES = {"good": "green", "note": "yellow", "bad": "red", "unknown": "dim"}


def _show(console: Console, finding: Finding, language: Language) -> None:
    speaker = Speaker(language)
    line = Text(f"{finding.verdict.mark} ", style=STYLES[finding.verdict])
    line.append(speaker.translate(finding.title), style="bold")
    line.append(f": {speaker.translate(finding.text)}", style="default")
    console.print(line, soft_wrap=True)
    for each in finding.details:
        console.print(Text(f"    {speaker.translate(each)}", style="dim"), soft_wrap=True)
    if finding.table:
        rows = [[speaker.translate(cell) for cell in row] for row in finding.table]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            console.print(Text(f"    {text}", style="dim"), soft_wrap=True)
