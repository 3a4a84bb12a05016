"""``league.toml``: a course's settings, and what only a league has: dates, quotas, baselines and names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ludoteca.catalogues import Language, read_document
from ludoteca.course.settings import KEYS, CourseReader, Settings
from ludoteca.errors import InvalidOption
from ludoteca.messages import say

FILE = "league.toml"
NAMES = ("real", "pseudonyms")
FORMATS = ("auto", "round-robin", "swiss")
"""Of the final."""
OWN_KEYS = ("baselines", "names", "deadline", "quota")


@dataclass(frozen=True)
class Quota:
    """What one student may hand in."""

    versions_a_day: int = 10
    """Within any 24 hours."""
    kilobytes: int = 4096
    """Of one version, unpacked."""
    files: int = 200
    """Of one version."""


@dataclass(frozen=True)
class LeagueSettings:
    """The contents of a ``league.toml``."""

    course: Settings
    """What is played and how the final is graded."""
    baselines: tuple[str, ...]
    """Agents that always take part and hold the scale still: the mean of their ratings is 0."""
    pseudonyms: bool
    """Whether students appear under invented names to each other. The teacher always sees the real ones."""
    deadline: datetime | None
    """After it no version is taken, except from students who were given longer."""
    quota: Quota


def read(path: Path) -> LeagueSettings:
    """The settings in a file. Raises InvalidOption, which names key, value and line."""
    reader = LeagueReader.of(path, "ludoteca league init")
    reader.only("", (*(key for key in KEYS if key not in ("submissions", "references", "players")), *OWN_KEYS))
    return reader.league()


class LeagueReader(CourseReader):
    """Reads what a league has beyond a course."""

    formats = FORMATS

    def league(self) -> LeagueSettings:
        """All settings. Raises InvalidOption."""
        baselines = self.agents("baselines") or ("random",)
        if len({*baselines}) < len(baselines):
            raise self.wrong("baselines", say("different agents"))
        names = self.choice("names", NAMES, "real")
        return LeagueSettings(self.settings(), baselines, names == "pseudonyms", self.deadline(), self.quota())

    def deadline(self) -> datetime | None:
        """The deadline with its time zone; without one in the file, that of this machine."""
        value = self.value("deadline")
        if value is None:
            return None
        if not isinstance(value, datetime):
            raise self.wrong("deadline", say("a date with a time, without quotation marks, as in 2027-05-31 23:59:00"))
        return value.astimezone(UTC)

    def quota(self) -> Quota:
        """What one student may hand in."""
        self.only("quota", ("versions_a_day", "kilobytes", "files"))
        usual = Quota()
        a_day = self.whole("quota.versions_a_day", usual.versions_a_day, 1, 1000)
        kilobytes = self.whole("quota.kilobytes", usual.kilobytes, 1, 1 << 18)
        files = self.whole("quota.files", usual.files, 1, 2000)
        assert a_day is not None and kilobytes is not None and files is not None
        return Quota(a_day, kilobytes, files)


def begin(folder: Path, language: Language) -> list[Path]:
    """Write a first league.toml and roster.csv into a folder. Raises InvalidOption if one of them exists.

    The files are those in ``locale/<language>``, or else the English ones. The last two columns of the roster are
    optional; the files for Moodle and Canvas have them.
    """
    written = []
    for name in (FILE, "roster.csv"):
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(read_document(name, language))
        except FileExistsError as error:
            raise InvalidOption("{path} is there already; it is left as it is", path=path) from error
        except OSError as error:
            why = error.strerror or str(error)
            raise InvalidOption("{path} cannot be written: {why}", path=path, why=why) from error
        written.append(path)
    return written
