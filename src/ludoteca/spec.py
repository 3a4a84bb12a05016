"""Strings such as ``hex:size=7,swap=true`` and the classes they call for.

The options of a game or agent are the keywords of its constructor: their names, types, defaults and,
in ``Annotated[int, "help"]``, their help. So an option is written once and the command line, the error
messages and ``ludoteca games`` all read it from there.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ludoteca.errors import InvalidOption, LudotecaError

__all__ = ["Option", "one_of", "options", "read", "suggestion", "within", "write"]


@dataclass(frozen=True)
class Option:
    """One keyword of a constructor, as a user meets it."""

    name: str
    kind: Any
    """int, float, bool, str, a Literal of strings, or Path for what names a file."""
    default: Any
    help: str

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words of a Literal, `true` and `false` for a bool, else nothing."""
        if self.kind is bool:
            return ("false", "true")
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def opens_file(self) -> bool:
        """Whether its value names a file, which whoever plays from elsewhere must not choose."""
        return self.kind is Path

    def parse(self, owner: str, text: str) -> Any:
        """The value that `text` stands for. Raises InvalidOption."""
        if self.choices:
            lowered = text.strip().lower()
            if lowered not in self.choices:
                raise InvalidOption(
                    f"{owner}: {self.name}={text} is none of {', '.join(self.choices)}"
                    + suggestion(lowered, self.choices)
                )
            return lowered == "true" if self.kind is bool else lowered
        try:
            return self.kind(text.strip())
        except ValueError:
            noun = {int: "a whole number", float: "a number"}[self.kind]
            raise InvalidOption(
                f"{owner}: {self.name}={text} is not {noun}; for example {self.name}={show(self.default)}"
            ) from None


def show(value: Any) -> str:
    """A value as it is written in a spec; a path that is none is written as nothing."""
    if isinstance(value, Path):
        return "" if value == Path() else str(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def options(factory: Callable[..., object], skip: int = 0) -> list[Option]:
    """The options of a class or function: its keywords after the first `skip` parameters."""
    target = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(target, include_extras=True)
    found = []
    for parameter in list(inspect.signature(factory).parameters.values())[skip:]:
        hint, text = hints.get(parameter.name, str), ""
        if get_origin(hint) is Annotated:
            hint, text = get_args(hint)[:2]
        found.append(Option(parameter.name, hint, parameter.default, text))
    return found


def split(spec: str, error: type[LudotecaError]) -> tuple[str, dict[str, str]]:
    """``name:key=value,key=value`` as a name and a dictionary of texts. Raises `error`.

    Names are forgiven their capitals, but for those with a dot, which are Python's own.
    """
    name, colon, rest = spec.strip().partition(":")
    texts: dict[str, str] = {}
    for part in rest.split(",") if colon else []:
        key, equals, value = part.partition("=")
        if not (key.strip() and equals and value.strip()):
            raise error(f"{spec!r}: {part!r} is not of the form key=value, as in name:key=value,key=value")
        if key.strip() in texts:
            raise error(f"{spec!r} gives {key.strip()} twice")
        texts[key.strip()] = value.strip()
    name = name.strip()
    return name if "." in name else name.lower(), texts


def read(owner: str, known: Iterable[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """The keyword arguments that `texts` ask of `owner`. Raises InvalidOption."""
    by_name = {option.name: option for option in known}
    for key in texts:
        if key not in by_name:
            offer = f"its options are {', '.join(by_name)}" if by_name else "it has no options"
            raise InvalidOption(f"{owner} has no option {key!r}; {offer}{suggestion(key, by_name)}")
    return {key: by_name[key].parse(owner, text) for key, text in texts.items()}


def write(name: str, known: Iterable[Option], values: Mapping[str, Any]) -> str:
    """The shortest spec: only what differs from the defaults, in the constructor's order."""
    parts = [f"{option.name}={show(values[option.name])}" for option in known if values[option.name] != option.default]
    return f"{name}:{','.join(parts)}" if parts else name


def suggestion(text: str, known: Iterable[str]) -> str:
    """``; did you mean …?`` when something known is near, else nothing."""
    near = difflib.get_close_matches(text, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def within(owner: str, name: str, value: int, low: int, high: int) -> int:
    """`value` if it is a whole number from low to high. Raises InvalidOption."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidOption(f"{owner}: {name}={value!r} must be a whole number from {low} to {high}")
    return value


def one_of(owner: str, name: str, value: str, choices: Iterable[str]) -> str:
    """`value` if it is one of the choices. Raises InvalidOption."""
    allowed = list(choices)
    if value not in allowed:
        raise InvalidOption(f"{owner}: {name}={value} is none of {', '.join(allowed)}{suggestion(value, allowed)}")
    return value
