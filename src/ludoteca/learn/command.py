"""What the commands of ``ludoteca train`` share: their options, the checkpoint, the progress bar and Ctrl-C.

Each has --folder, --resume, and an option for each field of its arguments.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from ludoteca import spec
from ludoteca.errors import InvalidOption
from ludoteca.messages import say

CHECKPOINT = "checkpoint"
"""The file in a training's folder from which it resumes."""


def given_options(
    console: Console,
    name: str,
    arguments: type,
    words: Sequence[str],
    about: str,
    other: tuple[str, object] | None = None,
) -> tuple[Path, bool, dict[str, Any]]:
    """The folder of a training, whether to resume, and the other given options. Prints the help for --help, and exits.

    other: the option that selects other defaults, and an object that has them. Raises InvalidOption, also if the
    checkpoint is missing for --resume, or exists without it.
    """
    given = _parse(name, arguments, words)
    if given is None:
        _help_and_exit(console, name, arguments, about, other)
    folder, resume = Path(given.pop("folder")), given.pop("resume")
    owner, exists = f"train {name}", (folder / CHECKPOINT).exists()
    if resume and not exists:
        raise InvalidOption("{owner}: there is no checkpoint in {folder}", owner=owner, folder=folder)
    if exists and not resume:
        raise InvalidOption(
            "{owner}: {folder} already holds a training; continue it with --resume or choose another --folder",
            owner=owner,
            folder=folder,
        )
    return folder, resume, given


def _parse(name: str, arguments: type, words: Sequence[str]) -> dict[str, Any] | None:
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
                raise InvalidOption("{owner}: {word} needs a value", owner=owner, word=word)
            text = rest.pop(0)
        given[option] = text if option == "folder" else known[option].parse(owner, text)
    if given["resume"] and len(given) > 2:
        raise InvalidOption("{owner}: --resume keeps the arguments of the first run; give only --folder", owner=owner)
    return given


def _help_and_exit(
    console: Console, name: str, arguments: type, about: str, other: tuple[str, object] | None
) -> NoReturn:
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


def show_resume(console: Console, name: str, reached: str, folder: Path) -> None:
    """Say that a training was stopped and saved, and how to continue it."""
    console.print(f"Stopped at {reached} and saved. Resume with:", highlight=False)
    console.print(f"  ludoteca train {name} --resume --folder {folder}", highlight=False, soft_wrap=True)


@contextmanager
def progress_bar(
    console: Console, folder: Path, count: ProgressColumn, purge_step: int
) -> Iterator[tuple[Progress, SummaryWriter, Callable[[], bool]]]:
    """A progress bar, TensorBoard's writer, and a function that returns whether Ctrl-C was pressed."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = [TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn()]
    with (
        SummaryWriter(str(folder), purge_step=purge_step) as board,
        Progress(*columns, TextColumn("{task.fields[status]}"), console=console) as bar,
        _interruptible() as interrupted,
    ):
        yield bar, board, interrupted


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Yields a function that returns whether Ctrl-C was pressed. A second Ctrl-C interrupts as usual."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
