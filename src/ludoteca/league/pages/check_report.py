"""The report of a version's check, step by step, as its student sees it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.course.check.report import Finding
from ludoteca.league.database import Status, Version
from ludoteca.messages import Speaker, say
from ludoteca.web.serving.path_redaction import redact_paths

STATES = {
    Status.checking: say("is being checked"),
    Status.refused: say("cannot play"),
    Status.playing: say("plays"),
    # Translators: the version does not play at the moment
    Status.resting: say("rests"),
    Status.retired: say("was taken out by the teacher"),
    Status.faulty: say("was set aside after many faults"),
    Status.banned: say("was taken out by the teacher; its matches do not count"),
}
"""What a version does, in words that follow its name."""


def report(speaker: Speaker, version: Version, findings: Sequence[Finding], waiting: int) -> str:
    """The steps so far; while the check runs, that it does. waiting: versions that are checked before this one."""
    steps = "".join(_step(speaker, finding) for finding in findings)
    end = ""
    if version.status is Status.checking:
        text = (
            speaker.say_count(
                "Waiting: {count} version is checked first.", "Waiting: {count} versions are checked first.", waiting
            )
            if waiting and not findings
            else speaker.say("Checking …")
        )
        end = f'<p class="soft" role="status"><span class="pulse"></span>{escape(text)}</p>'
    elif version.status is Status.refused and not findings:
        end = f'<p class="trouble">{escape(plain(speaker, version.reason))}</p>'
    return f'<ol class="findings">{steps}</ol>{end}'


def _step(speaker: Speaker, finding: Finding) -> str:
    lines = "".join(f"<li>{escape(plain(speaker, each))}</li>" for each in finding.details[:20])
    details = f"<ul>{lines}</ul>" if lines else ""
    words = escape(speaker.translate(finding.verdict.words), quote=True)
    return (
        f'<li class="{finding.verdict.value}"><span class="sign" role="img" aria-label="{words}">'
        f"{finding.verdict.mark}</span><div><b>{escape(plain(speaker, finding.title))}</b> "
        f"{escape(plain(speaker, finding.text))}{details}</div></li>"
    )


def plain(speaker: Speaker, text: str) -> str:
    """A message in the viewer's language, without the server's folders, and not endless."""
    return redact_paths(speaker.translate(text))[:1000]
