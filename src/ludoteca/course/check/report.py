"""The findings of a check as values, which the terminal and the HTML page both show."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ludoteca.messages import Message, joined, say

__all__ = ["Finding", "Report", "Verdict", "in_one_line"]


class Verdict(StrEnum):
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
    Verdict.good: say("good"),
    Verdict.note: say("note"),
    Verdict.bad: say("problem"),
    Verdict.unknown: say("not known"),
}


@dataclass(frozen=True)
class Finding:
    """The result of one step of the check."""

    title: str
    """The step, in a word or two."""
    verdict: Verdict
    text: str
    """The result, in a sentence."""
    details: tuple[str, ...] = ()
    """Details, one per line."""
    table: tuple[tuple[str, ...], ...] = ()
    """The rows of a small table, the first with the headings."""
    in_brief: bool = False
    """Whether a report in one line has room for it."""


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
    def fit(self) -> bool:
        """Whether the submission can take part as it is."""
        return all(each.verdict is not Verdict.bad for each in self.findings)

    @property
    def summary(self) -> Message:
        """The verdict in a sentence."""
        bad = [each.title for each in self.findings if each.verdict is Verdict.bad]
        if not bad:
            return say("{name} is fit to play {game}.", name=self.submission, game=self.game)
        return say("{name} is not fit to play {game}: {what}.", name=self.submission, game=self.game, what=bad)

    @property
    def in_brief(self) -> str:
        """What a teacher wants to read of it in one line: the first problem, or how long its decisions take."""
        bad = [each for each in self.findings if each.verdict is Verdict.bad]
        if bad:
            return joined([bad[0].title, bad[0].text], ": ")
        return joined([each.text for each in self.findings if each.in_brief] or [self.summary], " ")


def in_one_line(text: str) -> str:
    r"""A text shortened to one line: of a traceback the first line and the last, which says what went wrong.

    >>> in_one_line("cannot be built:\n  line 3\nValueError: no")
    'cannot be built: ValueError: no'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines if len(lines) <= 1 else [lines[0], lines[-1]])
