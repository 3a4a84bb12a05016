"""Reads settings from a TOML file; an error names key, value and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from ludoteca import spec
from ludoteca.agents import canonical
from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message, is_utf8, say

MOST_MATCHES = 1000
Value = TypeVar("Value")


class TomlReader:
    """Reads values and knows the line of each. Its methods raise InvalidOption."""

    def __init__(self, path: Path, text: str, found: Mapping[str, Any]) -> None:
        self.path, self.text, self.found = path, text, found

    @classmethod
    def of(cls, path: Path, command: str) -> Self:
        """The reader of a file; `command` writes one where it is missing."""
        if not is_utf8(str(path.absolute())):  # the store names every player by its path
            raise InvalidOption(
                "the name of the folder {folder} is not UTF-8; rename it", folder=path.absolute().parent
            )
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidOption(
                "{path} cannot be read: {why}; '{command} {folder}' writes one",
                path=path,
                why=error.strerror or str(error),
                command=command,
                folder=path.parent,
            ) from error
        except UnicodeDecodeError as error:
            raise InvalidOption("{path} is not written in UTF-8: {why}", path=path, why=error) from error
        try:
            return cls(path, text, tomllib.loads(text))
        except (ValueError, RecursionError) as error:  # TOML that is wrong, with endless numbers, or nested too deeply
            raise InvalidOption("{path} is not TOML: {why}", path=path, why=error) from error

    def agents(self, key: str, *, one: bool = False) -> tuple[str, ...]:
        """Names of agents, each checked; `one` for a single text."""
        names = [self.text_of(key, "")] if one else self.texts(key)
        for name in filter(None, names):
            self.refusing(key, partial(canonical, name))
        return tuple(filter(None, names))

    def value(self, key: str) -> Any:
        """The value of a key, with dots between tables; None if it is not there."""
        place: Any = self.found
        for part in key.split("."):
            place = place.get(part) if isinstance(place, Mapping) else None
        return place

    def table(self, key: str) -> Mapping[str, Any]:
        """A table; empty if it is not there."""
        value = self.value(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.wrong(key, say("a table that begins with [{name}]", name=key))
        return value

    def only(self, table: str, known: tuple[str, ...]) -> None:
        """Refuse every key of a table that is not known; the empty name is the top of the file."""
        for key in self.table(table) if table else self.found:
            if key not in known:
                full = f"{table}.{key}" if table else key
                wrong = say(
                    "{path}, line {line}: there is no key {key}; the keys here are {known}",
                    path=self.path, line=self.line(full), key=full, known=[*known],
                )  # fmt: skip
                raise InvalidOption(spec.with_suggestion(wrong, key, known))

    def text_of(self, key: str, default: str) -> str:
        """A text."""
        value = self.value(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(key, say("a text in quotation marks"))
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        value = self.value(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(key, say('a list of texts, as in ["one", "two"]'))
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        """One of several texts."""
        value = self.text_of(key, default)
        if value not in choices:
            raise self.wrong(key, say("one of {choices}", choices=[*choices]))
        return value

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """A number within bounds."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.wrong(key, say("a number from {low:g} to {high:g}", low=low, high=high))
        return float(value)

    def whole(self, key: str, default: int | None, low: int, high: int) -> int | None:
        """A whole number within bounds."""
        value = self.value(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, say("a whole number from {low} to {high}", low=low, high=high))
        return value

    def even(self, key: str, default: int) -> int:
        """A number of matches."""
        value = self.whole(key, default, 2, MOST_MATCHES)
        if value is None or value % 2:
            raise self.wrong(key, say("an even number: every deal is played twice with sides swapped"))
        return value

    def refusing(self, key: str, work: Callable[[], Value], default: str = "") -> Value:
        """The result of `work`; its errors get the key and the line."""
        try:
            return work()
        except PlacedError:
            raise
        except LudotecaError as error:
            value = self.value(key)
            placed = say(
                "{path}, line {line}: {key} = {value}: {why}",
                path=self.path, line=self.line(key), key=key, value=_shown(default if value is None else value),
                why=error.message,
            )  # fmt: skip
            raise PlacedError(placed) from error

    def wrong(self, key: str, kind: Message) -> InvalidOption:
        """The error for a value that should be of another kind."""
        return PlacedError(
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


class PlacedError(InvalidOption):
    """An error that already names its line."""


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 80 else f"{text[:79]}…"
