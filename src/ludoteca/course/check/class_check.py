"""Check every submission of a course, several at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.arena.workers import cores
from ludoteca.course.check.checker import examine
from ludoteca.course.check.report import Finding, Report, Verdict
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.settings import Settings
from ludoteca.course.submissions import HandedIn, found_in
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.messages import say

__all__ = ["check_all"]


def check_all(course: Settings, settings: CheckSettings) -> Iterator[Report]:
    """The report of each submission, in the order of their names; as many are checked at once as there are cores."""
    with TemporaryDirectory(prefix="ludoteca-course-") as copies, ThreadPoolExecutor(cores()) as threads:
        yield from threads.map(partial(_checked, settings), found_in(Path(copies, *HANDED_IN), course))


def _checked(settings: CheckSettings, handed_in: HandedIn) -> Report:
    problem: str = handed_in.problem or ""
    if handed_in.submission is not None and not problem:
        try:
            report = examine(handed_in.submission, settings)
            report.submission = handed_in.name
            return report
        except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
            problem = error.message
    finding = Finding(say("Loads"), Verdict.bad, problem)
    return Report(handed_in.name, settings.conditions.game, settings.conditions.limit, [finding])
