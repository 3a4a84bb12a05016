"""``course.toml``: what a course plays, how long, in which form, and how it is graded; errors name the line."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ludoteca import games, spec
from ludoteca.agents import canonical
from ludoteca.agents.files.neighbours import COURSE_FILE
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.formula import Formula
from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message, is_utf8, say
from ludoteca.play.clock import MARGIN
from ludoteca.play.conditions import Conditions

FILE = COURSE_FILE
FORMATS = ("round-robin", "swiss", "references")
DEALS = ("same", "own")
MOST_MATCHES = 1000
Value = TypeVar("Value")


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
    matches: int
    rounds: int | None
    references: tuple[str, ...]
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
    if not is_utf8(str(path.absolute())):  # the store names every player by its path
        raise InvalidOption("the name of the folder {folder} is not UTF-8; rename it", folder=path.absolute().parent)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidOption(
            "{path} cannot be read: {why}; 'ludoteca course init {folder}' writes one",
            path=path,
            why=error.strerror or str(error),
            folder=path.parent,
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidOption("{path} is not written in UTF-8: {why}", path=path, why=error) from error
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML that is wrong, with endless numbers, or nested too deeply
        raise InvalidOption("{path} is not TOML: {why}", path=path, why=error) from error
    return _Reader(path, text, found).settings()


class _Reader:
    """Reads values and knows the line of each."""

    def __init__(self, path: Path, text: str, found: Mapping[str, Any]) -> None:
        self.path, self.text, self.found = path, text, found

    def settings(self) -> Settings:
        self.only("", ("title", "submissions", "game", "time", "memory", "format", "matches", "rounds", "references",
                       "openings", "deals", "packages", "options", "qualification", "grade", "players"))  # fmt: skip
        folder = self.path.parent / self.text_of("submissions", ".")
        if not os.path.isdir(folder):  # which a name of any length or form does not break
            raise self.wrong("submissions", say("a folder beside {file}", file=FILE))
        format_ = self.choice("format", FORMATS, "round-robin")
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
        self.only("grade", ("formula",))
        text = self.text_of("grade.formula", "10 * score")
        return self.refusing("grade.formula", partial(Formula.parse, text))

    def players(self) -> Mapping[str, str]:
        table = self.table("players")
        for name, inner in table.items():
            parts = inner.split("/") if isinstance(inner, str) else [""]
            if "" in parts or ".." in parts:
                raise self.wrong(f"players.{name}", say("a file in its folder, as in src/ai.py:MyPlayer"))
        return table

    def agents(self, key: str, *, one: bool = False) -> tuple[str, ...]:
        names = [self.text_of(key, "")] if one else self.texts(key)
        for name in filter(None, names):
            self.refusing(key, partial(canonical, name))
        return tuple(filter(None, names))

    def value(self, key: str) -> Any:
        place: Any = self.found
        for part in key.split("."):
            place = place.get(part) if isinstance(place, Mapping) else None
        return place

    def table(self, key: str) -> Mapping[str, Any]:
        value = self.value(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.wrong(key, say("a table that begins with [{name}]", name=key))
        return value

    def only(self, table: str, known: tuple[str, ...]) -> None:
        for key in self.table(table) if table else self.found:
            if key not in known:
                full = f"{table}.{key}" if table else key
                wrong = say(
                    "{path}, line {line}: there is no key {key}; the keys here are {known}",
                    path=self.path, line=self.line(full), key=full, known=[*known],
                )  # fmt: skip
                raise InvalidOption(spec.with_suggestion(wrong, key, known))

    def text_of(self, key: str, default: str) -> str:
        value = self.value(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("a text in quotation marks"))
        return value

    def texts(self, key: str) -> list[str]:
        value = self.value(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(key, say('a list of texts, as in ["one", "two"]'))
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        value = self.text_of(key, default)
        if value not in choices:
            raise self.wrong(key, say("one of {choices}", choices=[*choices]))
        return value

    def number(self, key: str, default: float, low: float, high: float) -> float:
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.wrong(key, say("a number from {low:g} to {high:g}", low=low, high=high))
        return float(value)

    def whole(self, key: str, default: int | None, low: int, high: int) -> int | None:
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, say("a whole number from {low} to {high}", low=low, high=high))
        return value

    def even(self, key: str, default: int) -> int:
        value = self.whole(key, default, 2, MOST_MATCHES)
        if value is None or value % 2:
            raise self.wrong(key, say("an even number: every deal is played twice with sides swapped"))
        return value

    def refusing(self, key: str, work: Callable[[], Value], default: str = "") -> Value:
        """The result of `work`; its errors get the key and the line."""
        try:
            return work()
        except _Placed:
            raise
        except LudotecaError as error:
            value = self.value(key)
            placed = say(
                "{path}, line {line}: {key} = {value}: {why}",
                path=self.path, line=self.line(key), key=key, value=_shown(default if value is None else value),
                why=error.message,
            )  # fmt: skip
            raise _Placed(placed) from error

    def wrong(self, key: str, kind: Message) -> InvalidOption:
        return _Placed(
            "{path}, line {line}: {key} = {value} should be {kind}",
            path=self.path,
            line=self.line(key),
            key=key,
            value=_shown(self.value(key)),
            kind=kind,
        )

    def line(self, key: str) -> int:
        """The line of a key; of a missing key the line of its table, or the first."""
        table, _, name = key.rpartition(".")
        own = re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=")
        dotted = re.compile(rf"\s*{re.escape(table)}\s*(\.\s*{re.escape(name)}\s*)?=")
        start, current = 1, ""
        for number, line in enumerate(self.text.splitlines(), start=1):
            if heading := re.fullmatch(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?", line):
                current = heading[1]
                if current in (key, table):
                    start = number
            elif (current == table and own.match(line)) or (table and not current and dotted.match(line)):
                return number
        return start


class _Placed(InvalidOption):
    """An error that already names its line."""


def _with(game: str, key: str, value: object) -> str:
    """The game with one more option."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return games.game(f"{game}{',' if ':' in game else ':'}{key}={shown}").spec


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 80 else f"{text[:79]}…"


def _plain(seconds: float) -> str:
    return f"{seconds:.6f}".rstrip("0").rstrip(".")
