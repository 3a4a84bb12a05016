"""The packages that a submission imports, whether the course offers them, and whether they are installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludoteca.agents.files.neighbours import Neighbours
from ludoteca.agents.files.requirements import MODULES, required
from ludoteca.agents.files.submission import Submission
from ludoteca.course.check.packages import Import, NoPython, foreign, imported_by, is_installed, modules_of
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.messages import Message, joined, say


def imports(submission: Submission, offered: Sequence[str] | None) -> Finding:
    """What the file needs, with the lines of its text.

    offered: the packages that the course offers; None without a course.
    """
    title, file = say("Packages"), submission.file
    try:
        found = [*dict.fromkeys(foreign(submission.places, submission.places.folder))]
    except NoPython as error:
        return Finding(title, FindingVerdict.unknown, error.args[0])
    known = None if offered is None else {module for each in offered for module in modules_of(each)}
    refused = [each for each in found if known is not None and each.module not in known]
    missing = [each for each in found if each not in refused and not is_installed(each.module)]
    sure = [each.not_offered() for each in refused if each.sure] + _of_others(submission)
    details = [
        *sure,
        *(joined([each.not_offered(), _WAY_OUT], " ") for each in refused if not each.sure),
        *(each.not_installed() if each.sure else joined([each.not_installed(), _WAY_OUT], " ") for each in missing),
        *_requirements(file),
    ]
    if sure:
        return Finding(title, FindingVerdict.bad, sure[0], tuple(details[1:]))
    wanted = sorted({MODULES.get(each.module, each.module) for each in missing if each.sure})
    if wanted:
        text = say("{packages} must be installed before: pip install {command}",
                   packages=wanted, command=" ".join(wanted))  # fmt: skip
        return Finding(title, FindingVerdict.note, text, tuple(details))
    return _all_here(title, found, known is not None, tuple(details))


_WAY_OUT = say("(not as soon as it is loaded, so it may do without)")


def _all_here(title: Message, found: list[Import], is_offered: bool, details: tuple[str, ...]) -> Finding:
    names = sorted({each.module for each in found if each.sure})
    if not names:
        text = say("It needs none but Python's own library, ludoteca and what was handed in.")
        return Finding(title, FindingVerdict.good, text, details)
    if is_offered:
        return Finding(
            title, FindingVerdict.good, say("The course offers all that it imports: {names}.", names=names), details
        )
    lines = [say("{file}, line {line}: {module}", file=each.file, line=each.line, module=each.module)
             for each in found if each.sure]  # fmt: skip
    text = say("It imports {names}: here they are installed; ask whether your course offers them.", names=names)
    return Finding(title, FindingVerdict.note, text, (*lines, *details))


def _of_others(submission: Submission) -> list[Message]:
    """The imports of files beside it that are submissions of their own."""
    places, file = submission.places, submission.file
    around, tree = Neighbours(places), places.tree()
    found = []
    for node, name in () if tree is None else imported_by(tree):
        other = places.own_module(name)
        if other is not None and not around.is_own(other):
            found.append(say(
                "{file}, line {line}: it imports {other}, which is taken for another's submission and not seen when it "
                "plays: hand both in as one folder with a solution.py",
                file=file.name, line=node.lineno, other=other.name,
            ))  # fmt: skip
    return found


def _requirements(file: Path) -> list[Message]:
    """The lines of requirements.txt, each with what is installed."""
    return [
        joined([f"requirements.txt, {each.package} {each.wanted}".strip(), each.found or say("missing")], ": ")
        for each in required(file)
    ]
