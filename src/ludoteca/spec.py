"""Strings such as ``hex:size=7,swap=true`` and the classes they call for.

The options of a game or agent are the keywords of its constructor: their names, types, defaults and, in
``Annotated[int, Label(title, help)]`` or just ``Annotated[int, help]``, words for people. So an option is written once
and the command line, the error messages, the page's forms and ``ludoteca games`` all read it from there.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message, say

__all__ = ["Label", "Option", "Program", "one_of", "options", "read", "with_suggestion", "within", "write"]


_GROUP = r"\([^()\"]*\)"
for _ in range(3):  # so deep may parentheses stand in parentheses
    _GROUP = rf"\((?:[^()\"]|{_GROUP})*\)"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PART = re.compile(rf"(?:{_QUOTED}|{_GROUP}|[^,])*")
"""Up to the next comma that stands in no quotes and no parentheses."""
_PLAIN = re.compile(rf"(?:[^\",()]|{_GROUP})*")
"""A value that needs no quotes."""
_NAMED = re.compile(r"\s*\w+\s*=|$")
_WITHOUT_KEY: Final = {"htp": "command"}
"""By name the option that may be all there is, without its key."""


class Program(str):
    """The kind of an option that is a command line: a program of this machine with its arguments."""


@dataclass(frozen=True)
class Label:
    """An option in words for people, to be translated where they read it."""

    title: str
    """What it is called, such as "swap rule"."""
    help: str
    """What it does, in a line."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What its values are called, by how they are written in a spec."""


@dataclass(frozen=True)
class Option:
    """One keyword of a constructor, as a user meets it."""

    name: str
    kind: Any
    """int, float, bool, str, a Literal of strings, Path for what names a file, or Program for what is started."""
    default: Any
    label: Label

    @property
    def title(self) -> str:
        """What a person calls it; its name where nobody gave it a title."""
        return self.label.title or self.name.replace("_", " ")

    @property
    def help(self) -> str:
        """What it does, in a line; empty where nobody said."""
        return self.label.help

    def value_title(self, value: str) -> str:
        """What a person calls a value that is written so in a spec; itself where it has no other name."""
        if self.kind is bool and value in self.choices:
            return self.label.values.get(value) or (say("yes") if value == "true" else say("no"))
        return self.label.values.get(value, value)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words of a Literal, `true` and `false` for a bool, else nothing."""
        if self.kind is bool:
            return ("false", "true")
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def opens_file(self) -> bool:
        """Whether its value names a file or a program, which whoever plays from elsewhere must not choose."""
        return self.kind in (Path, Program)

    def parse(self, owner: str, text: str) -> Any:
        """The value that `text` stands for. Raises InvalidOption."""
        if self.choices:
            lowered = text.strip().lower()
            if lowered not in self.choices:
                raise InvalidOption(
                    with_suggestion(_is_none_of(owner, self.name, text, self.choices), lowered, self.choices)
                )
            return lowered == "true" if self.kind is bool else lowered
        try:
            return self.kind(text.strip())
        except ValueError:
            noun = say("a whole number") if self.kind is int else say("a number")
            raise InvalidOption(
                say(
                    "{owner}: {name}={value} is not {noun}; for example {name}={example}",
                    owner=owner,
                    name=self.name,
                    value=text,
                    noun=noun,
                    example=show(self.default),
                )
            ) from None


def show(value: Any) -> str:
    """A value as it is written in a spec; a path that is none is written as nothing."""
    if isinstance(value, Path):
        return "" if value == Path() else str(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def options(factory: Callable[..., object], skip: int = 0) -> list[Option]:
    """The options of a class or function: its keywords after the first `skip` parameters."""
    return [*_options(factory, skip)]


@lru_cache(maxsize=256)
def _options(factory: Callable[..., object], skip: int) -> tuple[Option, ...]:
    target = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(target, include_extras=True)
    found = []
    for parameter in list(inspect.signature(factory).parameters.values())[skip:]:
        hint, label = hints.get(parameter.name, str), Label("", "")
        if get_origin(hint) is Annotated:
            hint, said = get_args(hint)[:2]
            label = said if isinstance(said, Label) else Label("", said)
        found.append(Option(parameter.name, hint, parameter.default, label))
    return tuple(found)


def split(spec: str, error: type[LudotecaError]) -> tuple[str, dict[str, str]]:
    """``name:key=value,key=value`` as a name and a dictionary of texts. Raises `error`.

    A value with commas stands in double quotes, or has them in parentheses. ``htp:/a/program with arguments`` is short
    for ``htp:command="/a/program with arguments"``. Names are forgiven their capitals, but for those with a dot, which
    are Python's own.
    """
    name, colon, rest = spec.strip().partition(":")
    name = name.strip()
    name = name if "." in name else name.lower()
    if name in _WITHOUT_KEY and not _NAMED.match(rest):
        return name, {_WITHOUT_KEY[name]: rest.strip()}
    texts: dict[str, str] = {}
    for part in _parts(rest) if colon else []:
        key, equals, value = part.partition("=")
        if not (key.strip() and equals and value.strip()):
            raise error(
                say(
                    "{spec!r}: {part!r} is not of the form key=value, as in name:key=value,key=value",
                    spec=spec,
                    part=part,
                )
            )
        if key.strip() in texts:
            raise error(say("{spec!r} gives {key} twice", spec=spec, key=key.strip()))
        texts[key.strip()] = _unquoted(value.strip())
    return name, texts


def _parts(text: str) -> list[str]:
    """What stands between the commas that separate options."""
    parts, at = [], 0
    while at <= len(text):
        found = _PART.match(text, at)
        assert found is not None  # it matches nothing at all, too
        parts.append(found[0])
        at = found.end() + 1
    return parts


def _quoted(text: str) -> str:
    """The value as it can stand among others."""
    if _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if re.fullmatch(_QUOTED, text) else text


def read(owner: str, known: Iterable[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """The keyword arguments that `texts` ask of `owner`. Raises InvalidOption."""
    by_name = {option.name: option for option in known}
    for key in texts:
        if key not in by_name:
            offer = say("its options are {names}", names=[*by_name]) if by_name else say("it has no options")
            wrong = say("{owner} has no option {key!r}; {offer}", owner=owner, key=key, offer=offer)
            raise InvalidOption(with_suggestion(wrong, key, by_name))
    return {key: by_name[key].parse(owner, text) for key, text in texts.items()}


def write(name: str, known: Iterable[Option], values: Mapping[str, Any]) -> str:
    """The shortest spec: only what differs from the defaults, in the constructor's order."""
    changed = [option for option in known if values[option.name] != option.default]
    parts = [f"{option.name}={_quoted(show(values[option.name]))}" for option in changed]
    return f"{name}:{','.join(parts)}" if parts else name


def with_suggestion(message: Message, text: str, known: Iterable[str]) -> Message:
    """The message with ``; did you mean …?`` after it when something known is near, else as it is."""
    near = difflib.get_close_matches(text, list(known), n=1)
    return say("{what}; did you mean {near!r}?", what=message, near=near[0]) if near else message


def within(owner: str, name: str, value: int, low: int, high: int) -> int:
    """`value` if it is a whole number from low to high. Raises InvalidOption."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidOption(
            say(
                "{owner}: {name}={value!r} must be a whole number from {low} to {high}",
                owner=owner,
                name=name,
                value=value,
                low=low,
                high=high,
            )
        )
    return value


def one_of(owner: str, name: str, value: str, choices: Iterable[str]) -> str:
    """`value` if it is one of the choices. Raises InvalidOption."""
    allowed = list(choices)
    if value not in allowed:
        raise InvalidOption(with_suggestion(_is_none_of(owner, name, value, allowed), value, allowed))
    return value


def _is_none_of(owner: str, name: str, value: str, choices: Iterable[str]) -> Message:
    return say("{owner}: {name}={value} is none of {choices}", owner=owner, name=name, value=value, choices=[*choices])
