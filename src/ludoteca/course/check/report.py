"""The findings of a check as values, which the terminal and the HTML page both show."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ludoteca.catalogues import SOURCE, Language
from ludoteca.messages import Message, joined, say, translate

UNDECIDED = 3
"""The exit status when a check could not decide."""


class FindingVerdict(StrEnum):
    """What a finding means for the submission."""

    good = "good"
    note = "note"
    """Worth knowing; it does not disqualify."""
    bad = "bad"
    """The submission is not fit."""
    unknown = "unknown"
    """The check could not decide it."""

    @property
    def mark(self) -> str:
        """One sign."""
        return {"good": "✓", "note": "•", "bad": "✗", "unknown": "?"}[self]

    @property
    def words(self) -> Message:
        """Its name for people."""
        return WORDS[self]


WORDS = {
    FindingVerdict.good: say("good"),
    # Translators: the kind of a finding: neither good nor a problem, but worth reading
    FindingVerdict.note: say("note"),
    FindingVerdict.bad: say("problem"),
    FindingVerdict.unknown: say("not known"),
}


@dataclass(frozen=True)
class Finding:
    """The result of one step of the check."""

    title: str
    """The step, in a word or two."""
    verdict: FindingVerdict
    text: str
    """The result, in a sentence."""
    details: tuple[str, ...] = ()
    """Details, one per line."""
    table: tuple[tuple[str, ...], ...] = ()
    """The rows of a small table, the first with the headings."""
    in_brief: bool = False
    """Whether a report in one line has room for it."""
    needed: bool = False
    """Whether the submission is fit only if this is known."""


@dataclass
class Report:
    """All findings of a check."""

    submission: str
    """The submission's name."""
    game: str
    limit: str
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    """How long the check took."""

    @property
    def problems(self) -> list[Finding]:
        """Why the submission is not fit."""
        return [each for each in self.findings if each.verdict is FindingVerdict.bad]

    @property
    def undecided(self) -> list[Finding]:
        """What must be known of a submission, and is not."""
        return [each for each in self.findings if each.needed and each.verdict is FindingVerdict.unknown]

    @property
    def fit(self) -> bool:
        """Whether the check has seen that the submission can take part as it is."""
        return not self.problems and not self.undecided

    @property
    def exit_status(self) -> int:
        """0 if it is fit, 1 if it is not, 3 if the check could not decide it."""
        return 1 if self.problems else UNDECIDED if self.undecided else 0

    @property
    def mark(self) -> str:
        """One sign."""
        return (
            FindingVerdict.bad if self.problems else FindingVerdict.unknown if self.undecided else FindingVerdict.good
        ).mark

    @property
    def summary(self) -> Message:
        """The verdict in a sentence."""
        if self.problems:
            what = [each.title for each in self.problems]
            return say("{name} is not fit to play {game}: {what}.", name=self.submission, game=self.game, what=what)
        if self.undecided:
            what = [each.title for each in self.undecided]
            return say(
                "Not decided whether {name} is fit to play {game}: nothing wrong was found, but this could not be "
                "seen: {what}.",
                name=self.submission, game=self.game, what=what,
            )  # fmt: skip
        return say("{name} is fit to play {game}.", name=self.submission, game=self.game)

    def fields(self, language: Language = SOURCE) -> dict[str, Any]:
        """All of it as plain values by name, with the texts in this language."""

        def said(text: str) -> str:
            return translate(text, language)

        return {
            "submission": self.submission,
            "game": self.game,
            "limit": self.limit,
            "fit": True if self.fit else False if self.problems else None,
            "summary": said(self.summary),
            "seconds": self.seconds,
            "findings": [
                {
                    "title": said(each.title),
                    "verdict": each.verdict.value,
                    "text": said(each.text),
                    "details": [said(line) for line in each.details],
                    "table": [[said(cell) for cell in row] for row in each.table],
                }
                for each in self.findings
            ],
        }

    @property
    def in_brief(self) -> str:
        """What a teacher wants to read of it in one line: the first problem; or how long it takes and how strong it is.

        Before the latter stands what could not be decided.
        """
        for each in self.problems:
            return joined([each.title, each.text], ": ")
        open_ones: list[str] = [joined([each.title, each.text], ": ") for each in self.undecided]
        rest = [each.text for each in self.findings if each.in_brief and each not in self.undecided]
        return joined([*open_ones, *rest] or [self.summary], " ")


def in_one_line(text: str) -> str:
    r"""A text shortened to one line: of a traceback the first line and the last, which says what went wrong.

    >>> in_one_line("cannot be built:\n  line 3\nValueError: no")
    'cannot be built: ValueError: no'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines if len(lines) <= 1 else [lines[0], lines[-1]])
