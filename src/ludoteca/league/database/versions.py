"""The versions that were handed in, the baselines, and what their checks found."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from enum import StrEnum

from ludoteca.agents.identity import Identity
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.league.database.league_file import LeagueFile
from ludoteca.messages import Message, from_json, say, to_json

COLUMNS = "id, person, number, digest, spec, identity, status, reason, handed_in, paused, failures"


class Status(StrEnum):
    """What a version does now."""

    checking = "checking"
    """Its check is running or waits."""
    refused = "refused"
    """The check found a problem."""
    playing = "playing"
    """It is the version that stands for its student, or a baseline."""
    resting = "resting"
    """Another version stands for its student; its matches still count for the ratings."""
    retired = "retired"
    """The teacher took it out; its matches still count for the ratings."""
    faulty = "faulty"
    """It lost match after match by faults of its own and is set aside until the teacher lets it try again."""
    banned = "banned"
    """The teacher took it out; its matches do not count."""


@dataclass(frozen=True)
class Version:
    """A version that was handed in, or a baseline."""

    id: int
    person: int | None
    """None for a baseline."""
    number: int
    """Counted from 1 for each student."""
    digest: str
    """Of all its files."""
    spec: str
    """From what its agent is made."""
    identity: Identity | None
    """What results know it by; None until it was built."""
    status: Status
    reason: str
    """Why it was refused, retired, banned or set aside."""
    handed_in: float
    """In seconds since 1970."""
    paused: bool = False
    """Whether the teacher paused it: it is given no more pairs for now."""
    failures: int = 0
    """How often our own code failed in its check or its pairs, since the teacher last let it try again."""

    @property
    def plays(self) -> bool:
        """Whether it is given pairs now."""
        return self.status is Status.playing and not self.paused

    @property
    def may_be_challenged(self) -> bool:
        """Whether it may play a series that does not count."""
        return self.status in (Status.playing, Status.resting, Status.retired)


class Versions(LeagueFile):
    """The versions in a league's file."""

    def add_version(self, person: int | None, digest: str, spec: str, status: Status = Status.checking) -> Version:
        """Take a version; from here on it is never lost. The next number of its student, or of the baselines.

        Raises InvalidAgent once the league is frozen.
        """
        now = time.time()
        with self.store.transaction() as base:
            if self._frozen():
                raise InvalidAgent(say("the league is over; no version is taken any more"))
            (number,) = base.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM league_versions WHERE person IS ?", (person,)
            ).fetchone()
            cursor = base.execute(
                "INSERT INTO league_versions (person, number, digest, spec, status, reason, handed_in) "
                "VALUES (?, ?, ?, ?, ?, '', ?)",
                (person, number, digest, spec, status.value, now),
            )
        assert cursor.lastrowid is not None
        return Version(cursor.lastrowid, person, number, digest, spec, None, status, "", now)

    def versions(self, person: int | None = None) -> list[Version]:
        """All versions, or those of one person, the oldest first."""
        where, values = ("", ()) if person is None else ("WHERE person = ?", (person,))
        rows = self.store.base.execute(f"SELECT {COLUMNS} FROM league_versions {where} ORDER BY id", values)
        return [_version(*row) for row in rows]

    def waiting(self) -> list[Version]:
        """The versions that wait for their check, the oldest first."""
        rows = self.store.base.execute(
            f"SELECT {COLUMNS} FROM league_versions WHERE status = ? ORDER BY id", (Status.checking.value,)
        )
        return [_version(*row) for row in rows]

    def handed_in_since(self, person: int, since: float) -> int:
        """How many versions a person handed in after a moment."""
        row = self.store.base.execute(
            "SELECT count(*) FROM league_versions WHERE person = ? AND handed_in > ?", (person, since)
        ).fetchone()
        return int(row[0])

    def version(self, number: int) -> Version:
        """One version by its id. Raises InvalidOption."""
        row = self.store.base.execute(f"SELECT {COLUMNS} FROM league_versions WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise InvalidOption("there is no version {number} in this league", number=number)
        return _version(*row)

    def admit(self, version: Version, identity: Identity) -> None:
        """Let a checked version play: it stands for its student now, and their last one rests.

        A version that the teacher took out during its check stays out.
        """
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_versions SET identity = ? WHERE id = ?", (json.dumps(identity.to_json()), version.id)
            )
            if self.version(version.id).status is Status.checking:
                self._stand(version.id, version.person)

    def note_finding(self, version: Version, finding: Finding) -> None:
        """Keep a step of a version's check, as soon as it is done."""
        texts = (json.dumps(to_json(finding.title)), finding.verdict.value, json.dumps(to_json(finding.text)))
        details = json.dumps([to_json(each) for each in finding.details])
        with self.store.transaction() as base:
            base.execute(
                "INSERT INTO league_findings SELECT ?, count(*), ?, ?, ?, ? FROM league_findings WHERE version = ?",
                (version.id, *texts, details, version.id),
            )

    def forget_findings(self, version: Version) -> None:
        """Before a check that begins again."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_findings WHERE version = ?", (version.id,))

    def findings(self, version: int) -> list[Finding]:
        """The steps of a version's check so far, without their tables."""
        rows = self.store.base.execute(
            "SELECT title, verdict, text, details FROM league_findings WHERE version = ? ORDER BY place", (version,)
        )
        return [
            Finding(
                from_json(json.loads(title)), FindingVerdict(verdict), from_json(json.loads(text)),
                tuple(map(from_json, json.loads(details))),
            )
            for title, verdict, text, details in rows
        ]  # fmt: skip

    def refuse(self, version: Version, reason: Message | str) -> None:
        """Keep a version out whose check found a problem, with the reason that its student reads."""
        with self.store.transaction():
            if self.version(version.id).status is Status.checking:
                self._set_status(version.id, Status.refused, reason)

    def retire(self, version: Version, reason: Message | str) -> None:
        """Take a version out of the league; its matches still count."""
        self._take_out(version, Status.retired, reason)

    def ban(self, version: Version, reason: Message | str) -> None:
        """Take a version out of the league; its matches no longer count."""
        self._take_out(version, Status.banned, reason)

    def set_aside(self, version: Version, reason: Message | str) -> None:
        """Give a version that fails again and again no more pairs. It still stands for its student."""
        with self.store.transaction():
            if self.version(version.id).status in (Status.playing, Status.resting):
                self._set_status(version.id, Status.faulty, reason)

    def reinstate(self, version: Version) -> None:
        """Take back `retire`, `ban` or `set_aside`. It stands for its student again unless another version does."""
        with self.store.transaction() as base:
            now = self.version(version.id)
            if now.status not in (Status.retired, Status.banned, Status.faulty):
                return
            self._set_status(now.id, Status.resting if now.identity else Status.checking, "")
            base.execute("UPDATE league_versions SET failures = 0 WHERE id = ?", (now.id,))
            row = base.execute("SELECT standing FROM league_people WHERE id = ?", (now.person,)).fetchone()
            if now.identity is not None and (row is None or row[0] in (None, now.id)):
                self._stand(now.id, now.person)

    def count_failure(self, version: int) -> int:
        """Count that our own code failed over a version; returns how often that happened."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_versions SET failures = failures + 1 WHERE id = ?", (version,))
        return self.version(version).failures

    def pause(self, version: int | None = None) -> None:
        """Pause one version, or the whole league: matches in progress end, and no other begins."""
        self._set_paused(version, paused=True)

    def resume(self, version: int | None = None) -> None:
        """Take back `pause`."""
        self._set_paused(version, paused=False)

    @property
    def paused(self) -> bool:
        """Whether the whole league is paused."""
        return bool(self.state("paused"))

    def choose(self, person: int, version: int) -> None:
        """Let one of a person's own versions stand for them. Raises InvalidOption."""
        own = {each.id: each for each in self.versions(person)}
        if version not in own or own[version].status not in (Status.playing, Status.resting):
            raise InvalidOption(say("this is not a version of yours that may play"))
        with self.store.transaction():
            if self._frozen():
                raise InvalidOption(say("the league is over: the versions of the final are fixed"))
            self._stand(version, person)

    def _frozen(self) -> bool:
        """Whether hand-ins have ended."""
        return self.store.base.execute("SELECT 1 FROM league_final").fetchone() is not None

    def _stand(self, version: int, person: int | None) -> None:
        base = self.store.base
        base.execute(
            "UPDATE league_versions SET status = ? WHERE person = ? AND status = ?",
            (Status.resting.value, person, Status.playing.value),
        )
        base.execute("UPDATE league_versions SET status = ? WHERE id = ?", (Status.playing.value, version))
        base.execute("UPDATE league_people SET standing = ? WHERE id = ?", (version, person))

    def _take_out(self, version: Version, status: Status, reason: Message | str) -> None:
        with self.store.transaction() as base:
            self._set_status(version.id, status, reason)
            base.execute("UPDATE league_people SET standing = NULL WHERE standing = ?", (version.id,))

    def _set_status(self, version: int, status: Status, reason: Message | str) -> None:
        self.store.base.execute(
            "UPDATE league_versions SET status = ?, reason = ? WHERE id = ?",
            (status.value, json.dumps(to_json(reason)) if reason else "", version),
        )

    def _set_paused(self, version: int | None, *, paused: bool) -> None:
        with self.store.transaction() as base:
            if version is None:
                base.execute("UPDATE league_state SET value = ? WHERE name = 'paused'", (paused,))
                base.execute("UPDATE league_state SET value = value + 1 WHERE name = 'changes'")
            else:
                base.execute("UPDATE league_versions SET paused = ? WHERE id = ?", (paused, version))


def _version(
    number: int, person: int | None, count: int, digest: str, spec: str,
    identity: str | None, status: str, reason: str, handed_in: float, paused: int, failures: int,
) -> Version:  # fmt: skip
    """The version of a row."""
    known = None if identity is None else Identity.from_json(json.loads(identity))
    why = from_json(json.loads(reason)) if reason else ""
    return Version(number, person, count, digest, spec, known, Status(status), why, handed_in, bool(paused), failures)
