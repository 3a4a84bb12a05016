"""``course.toml``: what a course plays, how long, in which form, and how it is graded; errors name the line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ludoteca import games, spec
from ludoteca.agents.files.neighbours import COURSE_FILE
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.formula import Formula
from ludoteca.course.toml_reader import TomlReader
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN
from ludoteca.play.conditions import Conditions

FILE = COURSE_FILE
FORMATS = ("round-robin", "swiss", "references")
DEALS = ("same", "own")
KEYS = (
    "title", "submissions", "game", "time", "memory", "format", "matches", "rounds", "references", "openings", "deals",
    "packages", "options", "qualification", "grade", "players",
)  # fmt: skip
"""What may stand at the top of a ``course.toml``."""


@dataclass(frozen=True)
class Qualification:
    """The condition for taking part: points against an agent."""

    against: str
    matches: int
    points: float
    """The least number of points that it needs: 1 for a win, a half for a draw."""


@dataclass(frozen=True)
class Settings:
    """The contents of a ``course.toml``."""

    title: str
    folder: Path
    """Where the submissions are."""
    conditions: Conditions
    format: str
    """One of `FORMATS`; of a league also ``auto``, by the size of the class."""
    matches: int
    rounds: int | None
    references: tuple[str, ...]
    """Agents that every submission meets. They get no grade."""
    openings: str
    same_deals: bool
    qualification: Qualification | None
    packages: tuple[str, ...]
    formula: Formula
    players: Mapping[str, str]
    """By the name of a submission, which file and class in its folder play: ``src/ai.py:MyPlayer``."""

    @property
    def check(self) -> CheckSettings:
        """What every submission of the course is checked for."""
        return CheckSettings(self.conditions, self.packages)


def read(path: Path) -> Settings:
    """The settings in a file. Raises InvalidOption, which names key, value and line."""
    reader = CourseReader.of(path, "ludoteca course init")
    reader.only("", KEYS)
    return reader.settings()


class CourseReader(TomlReader):
    """Reads the keys that a course has; a league has them too."""

    formats = FORMATS
    """The formats that a file may name; the first is that of a file that names none."""

    def settings(self) -> Settings:
        """The settings of the course. Raises InvalidOption."""
        folder = self.path.parent / self.text_of("submissions", ".")
        if not os.path.isdir(folder):  # which a name of any length or form does not break
            raise self.wrong("submissions", say("a folder beside {file}", file=self.path.name))
        format_ = self.choice("format", self.formats, self.formats[0])
        references = self.agents("references")
        if (format_ == "references") != bool(references):
            raise self.wrong("references", say("given for the format references, and for no other"))
        rounds = self.whole("rounds", None, 1, 100)
        if rounds is not None and format_ != "swiss":
            raise self.wrong("rounds", say("left out: only the format swiss has rounds"))
        return Settings(
            title=self.text_of("title", self.path.absolute().parent.name),
            folder=folder,
            conditions=self.conditions(),
            format=format_,
            matches=self.even("matches", 2),
            rounds=rounds,
            references=references,
            openings=self.choice("openings", ("auto", "none"), "auto"),
            same_deals=self.choice("deals", DEALS, "same") == "same",
            qualification=self.qualification(),
            packages=tuple(self.texts("packages")),
            formula=self.formula(),
            players=self.players(),
        )

    def conditions(self) -> Conditions:
        """Game, limit and memory."""
        seconds = self.number("time", 5.0, 0.001, 3600)
        memory = self.whole("memory", 2048, 16, 1 << 20)
        game = self.refusing("game", self.game, default="hex")
        return Conditions.of(game, f"{_plain(seconds)}s", memory, MARGIN)

    def game(self) -> str:
        """The game with its options, each checked on its own so that the wrong one is named."""
        name = self.text_of("game", "hex")
        described = games.game(name).spec
        table = self.table("options")
        known = {option.name for option in spec.options(games.game_class(games.game(name).name))}
        self.only("options", tuple(sorted(known)))
        for key, value in table.items():
            described = self.refusing(f"options.{key}", partial(_with, described, key, value))
        return described

    def qualification(self) -> Qualification | None:
        """The condition for taking part, if there is one."""
        if not self.table("qualification"):
            return None
        self.only("qualification", ("against", "matches", "points"))
        against = self.agents("qualification.against", one=True)
        if not against:
            raise self.wrong("qualification.against", say("the name of an agent, such as random"))
        matches = self.even("qualification.matches", 10)
        points = self.number("qualification.points", matches / 2, 0, matches)
        return Qualification(against[0], matches, points)

    def formula(self) -> Formula:
        """How a grade is computed."""
        self.only("grade", ("formula",))
        text = self.text_of("grade.formula", "10 * score")
        return self.refusing("grade.formula", partial(Formula.parse, text))

    def players(self) -> Mapping[str, str]:
        """Which file and class of a folder play, where the teacher says so."""
        table = self.table("players")
        for name, inner in table.items():
            parts = inner.split("/") if isinstance(inner, str) else [""]
            if "" in parts or ".." in parts:
                raise self.wrong(f"players.{name}", say("a file in its folder, as in src/ai.py:MyPlayer"))
        return table


def _with(game: str, key: str, value: object) -> str:
    """The game with one more option."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return games.game(f"{game}{',' if ':' in game else ':'}{key}={shown}").spec


def _plain(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").rstrip(".")
