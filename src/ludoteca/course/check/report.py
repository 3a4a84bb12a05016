"""What a check found out about a submission, as values: the terminal and the page show the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ludoteca.messages import Message, say

__all__ = ["Finding", "Report", "Verdict"]


class Verdict(StrEnum):
    """How a finding is to be taken."""

    good = "good"
    note = "note"
    """Worth knowing; nobody is disqualified for it."""
    bad = "bad"
    """With this the submission is not fit."""
    unknown = "unknown"
    """It could not be found out."""

    @property
    def mark(self) -> str:
        """One letter or sign for it."""
        return {"good": "✓", "note": "•", "bad": "✗", "unknown": "?"}[self]

    @property
    def words(self) -> Message:
        """What people call it."""
        return WORDS[self]


WORDS = {
    Verdict.good: say("good"),
    Verdict.note: say("to know"),
    Verdict.bad: say("problem"),
    Verdict.unknown: say("not known"),
}


@dataclass(frozen=True)
class Finding:
    """The answer to one question."""

    title: str
    """The question, in a word or two."""
    verdict: Verdict
    text: str
    """The answer, in a sentence."""
    details: tuple[str, ...] = ()
    """More of it, line by line."""
    table: tuple[tuple[str, ...], ...] = ()
    """Rows of a small table; the first is its head."""


@dataclass
class Report:
    """All that was found out; findings are added as they come."""

    submission: str
    """What it is called: of a path the last part."""
    game: str
    limit: str
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    """How long it all took."""

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
