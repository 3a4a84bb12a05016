"""Specs: strings such as ``hex:size=7,swap=true`` that name a game or an agent with its options.

The options of a game or agent are the keywords of its constructor: their names, types, defaults and, in
``Annotated[int, Label(title, help)]`` or just ``Annotated[int, help]``, texts for people. The command line, the error
messages, the page's forms and ``ludoteca games`` all read them from there.
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

from ludoteca.catalogues import Language, languages, nearest_language, preferred_language
from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import Message, say

_GROUP = r"\([^()\"]*\)"
for _ in range(3):  # parentheses may be nested this deep
    _GROUP = rf"\((?:[^()\"]|{_GROUP})*\)"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PART = re.compile(rf"(?:{_QUOTED}|{_GROUP}|[^,])*")
"""Up to the next comma outside quotes and parentheses."""
_PLAIN = re.compile(rf"(?:[^\",()]|{_GROUP})*")
"""A value that needs no quotes."""
_NAMED = re.compile(r"\s*\w+\s*=|$")
_WITHOUT_KEY: Final = {"htp": "command"}
"""By name the one option that may be given without its key."""


class Program(str):
    """The type of an option that holds a command line: a program on this machine and its arguments."""


@dataclass(frozen=True)
class Label:
    """The texts of an option for people, translated when they are shown."""

    title: str
    """Its name for people, such as "swap rule"."""
    help: str
    """What the option does, in a line."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Names for its values, by their spelling in a spec."""


@dataclass(frozen=True)
class Option:
    """One keyword of a constructor that a spec can set."""

    name: str
    kind: Any
    """int, float, bool, str, a Literal of strings, Path (a file) or Program (a command line)."""
    default: Any
    label: Label

    @property
    def title(self) -> str:
        """The label's title, or the name if it has none."""
        return self.label.title or self.name.replace("_", " ")

    @property
    def help(self) -> str:
        """What the option does, in a line; may be empty."""
        return self.label.help

    def value_title(self, value: str) -> str:
        """The label's name for a value of a spec, or the value if it has none."""
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
        """Whether its value names a file or a program. Remote visitors must not set such an option."""
        return self.kind in (Path, Program)

    def parse(self, owner: str, text: str) -> Any:
        """The value that `text` stands for. Raises InvalidOption."""
        if self.choices:
            lowered = text.strip().lower()
            if lowered not in self.choices:
                raise InvalidOption(
                    with_suggestion(_not_a_choice(owner, self.name, text, self.choices), lowered, self.choices)
                )
            return lowered == "true" if self.kind is bool else lowered
        try:
            return self.kind(text.strip())
        except ValueError:
            noun = say("a whole number") if self.kind is int else say("a number")
            raise InvalidOption(
                "{owner}: {name}={value} is not {noun}; for example {name}={example}",
                owner=owner,
                name=self.name,
                value=text,
                noun=noun,
                example=show(self.default),
            ) from None


def show(value: Any) -> str:
    """A value as a spec spells it; the empty path is an empty string."""
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
            hint, note = get_args(hint)[:2]
            label = note if isinstance(note, Label) else Label("", note)
        found.append(Option(parameter.name, hint, parameter.default, label))
    return tuple(found)


def split(spec: str, error: type[LudotecaError]) -> tuple[str, dict[str, str]]:
    """``name:key=value,key=value`` as a name and a dictionary of texts. Raises `error`.

    Commas in a value must be inside double quotes or parentheses. ``htp:/a/program with arguments`` is short for
    ``htp:command="/a/program with arguments"``. Names are case-insensitive, except dotted names of Python classes.
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
                "{spec!r}: {part!r} is not of the form key=value, as in name:key=value,key=value", spec=spec, part=part
            )
        if key.strip() in texts:
            raise error("{spec!r} gives {key} twice", spec=spec, key=key.strip())
        texts[key.strip()] = _unquoted(value.strip())
    return name, texts


def _parts(text: str) -> list[str]:
    """The text between the commas that separate options."""
    parts, at = [], 0
    while at <= len(text):
        found = _PART.match(text, at)
        assert found is not None  # the pattern matches the empty string too
        parts.append(found[0])
        at = found.end() + 1
    return parts


def _quoted(text: str) -> str:
    """The value as a spec spells it, in quotes if it needs them."""
    if _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if re.fullmatch(_QUOTED, text) else text


def read(owner: str, known: Iterable[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """The keyword arguments of `owner`, parsed from `texts`. Raises InvalidOption."""
    by_name = {option.name: option for option in known}
    for key in texts:
        if key not in by_name:
            offer = say("its options are {names}", names=[*by_name]) if by_name else say("it has no options")
            wrong = say("{owner} has no option {key!r}; {offer}", owner=owner, key=key, offer=offer)
            raise InvalidOption(with_suggestion(wrong, key, by_name))
    return {key: by_name[key].parse(owner, text) for key, text in texts.items()}


def write(name: str, known: Iterable[Option], values: Mapping[str, Any]) -> str:
    """The shortest spec: only the options that differ from their defaults, in the constructor's order."""
    changed = [option for option in known if values[option.name] != option.default]
    parts = [f"{option.name}={_quoted(show(values[option.name]))}" for option in changed]
    return f"{name}:{','.join(parts)}" if parts else name


def with_suggestion(message: Message, text: str, known: Iterable[str]) -> Message:
    """The message, with ``; did you mean …?`` appended if a known text is close."""
    near = difflib.get_close_matches(text, list(known), n=1)
    return say("{what}; did you mean {near!r}?", what=message, near=near[0]) if near else message


def within(owner: str, name: str, value: int, low: int, high: int) -> int:
    """`value` if it is a whole number from low to high. Raises InvalidOption."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidOption(
            "{owner}: {name}={value!r} must be a whole number from {low} to {high}",
            owner=owner,
            name=name,
            value=value,
            low=low,
            high=high,
        )
    return value


def one_of(owner: str, name: str, value: str, choices: Iterable[str]) -> str:
    """`value` if it is one of the choices. Raises InvalidOption."""
    allowed = list(choices)
    if value not in allowed:
        raise InvalidOption(with_suggestion(_not_a_choice(owner, name, value, allowed), value, allowed))
    return value


def language_of(owner: str, value: str | None) -> Language:
    """The available language nearest to what a person typed; for None that of the environment. Raises InvalidOption."""
    if value is None:
        return preferred_language()
    return nearest_language(value) or one_of(owner, "language", value, languages())


def language_help() -> str:
    """The help of an option that `language_of` reads."""
    return f"One of {', '.join(languages())}; by default the language of your environment."


def _not_a_choice(owner: str, name: str, value: str, choices: Iterable[str]) -> Message:
    return say("{owner}: {name}={value} is none of {choices}", owner=owner, name=name, value=value, choices=[*choices])
