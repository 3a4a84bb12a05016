"""Check every submission of a course, several at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.arena.workers import cores
from ludoteca.course.check.checker import Tell, examine
from ludoteca.course.check.report import Finding, FindingVerdict, Report
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.settings import Settings
from ludoteca.course.submissions import HandedIn, found_in
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.messages import Message, joined, say


def check_all(course: Settings, settings: CheckSettings, tell: Tell = lambda _: None) -> Iterator[Report]:
    """The report of each submission, in the order of their names; as many are checked at once as there are cores.

    tell: gets what is being done, from several threads.
    """
    tell(say("Copying the submissions …"))
    with TemporaryDirectory(prefix="ludoteca-course-") as copies, ThreadPoolExecutor(cores()) as threads:
        found = found_in(Path(copies, *HANDED_IN), course)
        yield from threads.map(partial(_checked, settings, _Progress(len(found), tell)), found)


class _Progress:
    """How many submissions are checked, and what is being done with the others. Safe from any thread."""

    def __init__(self, total: int, tell: Tell) -> None:
        self._total, self._tell, self._done = total, tell, 0
        self._doing: dict[str, Message] = {}
        self._lock = threading.Lock()

    def update(self, name: str, doing: Message | None) -> None:
        """doing: None when a submission is done."""
        with self._lock:
            if doing is None:
                self._doing.pop(name, None)
                self._done += 1
            else:
                self._doing[name] = doing
            now = joined([say("{name}: {doing}", name=each, doing=step) for each, step in self._doing.items()], " ")
            self._tell(say("{done} of {total} checked. {now}", done=self._done, total=self._total, now=now))


def _checked(settings: CheckSettings, progress: _Progress, handed_in: HandedIn) -> Report:
    problem: str = handed_in.problem or ""
    try:
        if handed_in.submission is not None and not problem:
            report = examine(handed_in.submission, settings, tell=partial(progress.update, handed_in.name))
            report.submission = handed_in.name
            return report
    except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
        problem = error.message
    finally:
        progress.update(handed_in.name, None)
    finding = Finding(say("Loads"), FindingVerdict.bad, problem)
    return Report(handed_in.name, settings.conditions.game, settings.conditions.limit, [finding])
