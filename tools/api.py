"""``python -m tools.api``: the public interface, compared with the committed list ``tools/api.txt``.

    python -m tools.api check     what the list names and the package no longer keeps; status 1 if there is anything
    python -m tools.api update    writes the list again, for a release that adds something

The list holds the names of ``import ludoteca``, of ``ludoteca.testing``, ``ludoteca.messages`` and ``ludoteca.spec``,
with the public members of classes and the parameters of functions, and the commands with their options. Adding is
allowed; removing, renaming, reordering and changing a default are not. The options of ``train`` are not listed.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import ludoteca

LIST = Path(__file__).with_suffix(".txt")
MODULES = ("ludoteca.testing", "ludoteca.messages", "ludoteca.spec")
"""Modules that packages with games and agents of their own use."""


def interface() -> dict[str, str]:
    """Every public name with its parameters; an empty string for what is not called, or is called by us only."""
    found: dict[str, str] = {}
    for name in ludoteca.__all__:
        found |= dict(_members(f"ludoteca.{name}", getattr(ludoteca, name)))
    for path in MODULES:
        module = importlib.import_module(path)
        for name, value in vars(module).items():
            if not name.startswith("_") and getattr(value, "__module__", None) == path:
                found |= dict(_members(f"{path}.{name}", value))
    return found | dict(_commands())


def _members(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if not inspect.isclass(value):
        yield name, _parameters(value) if callable(value) else ""
        return
    made_by_us = issubclass(value, BaseException | Enum) or getattr(value, "_is_protocol", False)
    yield name, "" if made_by_us else _parameters(value)
    kept = {*vars(value), *getattr(value, "__annotations__", ())}
    for member in sorted(each for each in kept if not each.startswith("_")):
        held = inspect.getattr_static(value, member, None)
        plain = held.__func__ if isinstance(held, staticmethod | classmethod) else held
        yield f"{name}.{member}", _parameters(plain) if inspect.isfunction(plain) else ""


def _parameters(value: Any) -> str:
    """The parameters without their types: a type that becomes wider breaks nothing."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = []
    for each in signature.parameters.values():
        default = each.default
        if default is not each.empty and type(default) not in (str, int, float, bool, type(None)):
            default = ...  # one whose text says nothing of its value
        parameters.append(each.replace(annotation=each.empty, default=default))
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty)).replace("Ellipsis", "...")


def _commands() -> Iterator[tuple[str, str]]:
    import typer.main

    from ludoteca.cli import app

    yield from _command("$ ludoteca", typer.main.get_command(app))


def _command(name: str, command: Any) -> Iterator[tuple[str, str]]:
    if command.hidden or name == "$ ludoteca train":
        return
    yield name, ""
    for parameter in command.params:
        if not getattr(parameter, "hidden", False) and "completion" not in (parameter.name or ""):
            for option in (*parameter.opts, *parameter.secondary_opts):
                yield f"{name} {option if option.startswith('-') else option.upper()}", ""
    context = type(command).context_class(command)
    for each in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _command(f"{name} {each}", command.get_command(context, each))


def listed(text: str) -> dict[str, str]:
    """The names and parameters of a list in the form of ``tools/api.txt``."""
    found = {}
    for line in text.splitlines():
        if line.startswith("$"):
            found[line] = ""
        else:
            name, bracket, parameters = line.partition("(")
            found[name] = bracket + parameters
    return found


def broken(promised: dict[str, str], kept: dict[str, str]) -> list[str]:
    """A line for each promise that is not kept."""
    out = []
    for name, parameters in promised.items():
        if name not in kept:
            out.append(f"{name}{parameters} is gone")
        elif not _still_takes(parameters, kept[name]):
            out.append(f"{name}{parameters} is now {name}{kept[name]}")
    return out


def _still_takes(before: str, now: str) -> bool:
    """Whether every call with the former parameters still means the same."""
    if not before:
        return True
    old, new = _parsed(before), _parsed(now or "()")
    positional = [each for each in new if each[0] == "positional"]
    if [each for each in old if each[0] == "positional"] != positional[: sum(each[0] == "positional" for each in old)]:
        return False
    added = [each for each in new if each[1] not in {name for _, name, _ in old}]
    return all(each in new for each in old) and all(default or kind == "rest" for kind, _, default in added)


def _parsed(parameters: str) -> list[tuple[str, str, str | None]]:
    """(kind, name, default) of each parameter."""
    (function,) = ast.parse(f"def f{parameters}: ...").body
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    places = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(places) - len(given.defaults)) + [ast.unparse(each) for each in given.defaults]
    out = [("positional", place.arg, default) for place, default in zip(places, defaults, strict=True)]
    out += [("rest", each.arg, None) for each in (given.vararg, given.kwarg) if each]
    for word, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        out.append(("keyword", word.arg, None if value is None else ast.unparse(value)))
    return out


def main() -> None:
    """The command."""
    if sys.argv[1:] == ["update"]:
        LIST.write_text("".join(f"{name}{parameters}\n" for name, parameters in sorted(interface().items())), "utf-8")
    elif sys.argv[1:] == ["check"]:
        found = broken(listed(LIST.read_text("utf-8")), interface())
        print("\n".join(found))
        sys.exit(bool(found))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
