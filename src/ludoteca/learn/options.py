"""The command line of ``ludoteca train``: --folder, --resume, and an option for each field of the arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from rich.console import Console

from ludoteca import spec
from ludoteca.errors import InvalidOption
from ludoteca.messages import say

__all__ = ["help_and_exit", "parse"]


def parse(name: str, arguments: type, words: Sequence[str]) -> dict[str, Any] | None:
    """The given options as a dictionary, always with folder and resume; None for --help. Raises InvalidOption."""
    known = {option.name: option for option in spec.options(arguments)}
    given: dict[str, Any] = {"folder": f"runs/{name}", "resume": False}
    owner, rest = f"train {name}", list(words)
    while rest:
        word = rest.pop(0)
        option, equals, text = word.removeprefix("--").partition("=")
        option = option.replace("-", "_")
        if word in ("--help", "-h"):
            return None
        if word == "--resume":
            given["resume"] = True
            continue
        if not word.startswith("--"):
            option, equals, text = "game", "=", word
        if option not in known and option != "folder":
            options = [f"--{each.replace('_', '-')}" for each in (*known, "folder", "resume")]
            wrong = say("{owner} has no option {word!r}: see --help", owner=owner, word=word)
            raise InvalidOption(spec.with_suggestion(wrong, word, options))
        if not equals:
            if not rest:
                raise InvalidOption(say("{owner}: {word} needs a value", owner=owner, word=word))
            text = rest.pop(0)
        given[option] = text if option == "folder" else known[option].parse(owner, text)
    if given["resume"] and len(given) > 2:
        raise InvalidOption(
            say("{owner}: --resume keeps the arguments of the first run; give only --folder", owner=owner)
        )
    return given


def help_and_exit(
    console: Console, name: str, arguments: type, about: str, other: tuple[str, object] | None = None
) -> NoReturn:
    """Print the options and exit. other: the option that selects other defaults, and an object that has them."""

    def show(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    show(f"Usage: ludoteca train {name} [GAME] [--OPTION VALUE]…\n")
    show(f"{about} Ctrl-C saves; --resume continues exactly.\n")
    show(f"  --folder           for checkpoint, curve.png, TensorBoard events and network.onnx [runs/{name}]")
    show("  --resume           continue the training in --folder")
    for option in spec.options(arguments):
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        value, extra = spec.show(option.default), ""
        if other and (instead := spec.show(getattr(other[1], option.name))) != value and option.name not in other[0]:
            extra = f"; with {other[0]} {instead}"
        show(f"  --{option.name.replace('_', '-'):<16} {option.help}{choices} [{value}{extra}]")
    raise SystemExit(0)
