"""What the commands of ``ludoteca train`` share: options, presets, progress bar, Ctrl-C and the picture of the curve.

Each has --folder, --resume, --preset where it has presets, and an option for each field of its arguments.
"""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import quote

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from ludoteca import spec
from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point
from ludoteca.learn.run_folder import CHECKPOINT
from ludoteca.messages import say
from ludoteca.players.processes.linux import die_with_parent

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A", bound="DataclassInstance")


@dataclass(frozen=True)
class Place:
    """Where and how a training runs, as its command line says."""

    name: str
    """dqn, mmd or zero."""
    folder: Path
    resume: bool
    watch: bool
    words: tuple[str, ...]
    """The command line."""


def given_options(
    console: Console,
    name: str,
    presets: Mapping[str, A],
    words: Sequence[str],
    about: str,
    implied: tuple[str, str, str] | None = None,
) -> tuple[Place, A]:
    """Where and how to train, and the arguments. Prints the help for --help, and exits.

    presets: arguments by name, the default ones first; an option that is given wins. implied: an option, its value, and
    the preset that this value selects unless --preset is given. Raises InvalidOption, also if the checkpoint is missing
    for --resume, or exists without it.
    """
    default = next(iter(presets))
    kind = type(presets[default])
    given = _parse(name, kind, list(presets), words)
    if given is None:
        _help_and_exit(console, name, presets, about, implied)
    place = Place(name, Path(given.pop("folder")), given.pop("resume"), given.pop("watch"), tuple(words))
    folder, resume = place.folder, place.resume
    owner, exists = f"train {name}", (folder / CHECKPOINT).exists()
    if resume and not exists:
        raise InvalidOption("{owner}: there is no checkpoint in {folder}", owner=owner, folder=folder)
    if exists and not resume:
        raise InvalidOption(
            "{owner}: {folder} already holds a training; continue it with --resume or choose another --folder",
            owner=owner,
            folder=folder,
        )
    preset = given.pop("preset", "")
    if not preset:
        preset = implied[2] if implied and given.get(implied[0]) == implied[1] else default
    return place, replace(presets[preset], **given)


def _parse(name: str, arguments: type, presets: Sequence[str], words: Sequence[str]) -> dict[str, Any] | None:
    """The given options as a dictionary, always with folder and resume; None for --help. Raises InvalidOption."""
    known = {option.name: option for option in spec.options(arguments)}
    own = ["folder", "preset"] if len(presets) > 1 else ["folder"]
    given: dict[str, Any] = {"folder": f"runs/{name}", "resume": False, "watch": False}
    owner, rest = f"train {name}", list(words)
    while rest:
        word = rest.pop(0)
        option, equals, text = word.removeprefix("--").partition("=")
        option = option.replace("-", "_")
        if word in ("--help", "-h"):
            return None
        if word in ("--resume", "--watch"):
            given[option] = True
            continue
        if not word.startswith("--"):
            option, equals, text = "game", "=", word
        if option not in known and option not in own:
            options = [f"--{each.replace('_', '-')}" for each in (*known, *own, "resume", "watch")]
            wrong = say("{owner} has no option {word!r}: see --help", owner=owner, word=word)
            raise InvalidOption(spec.with_suggestion(wrong, word, options))
        if not equals:
            if not rest:
                raise InvalidOption("{owner}: {word} needs a value", owner=owner, word=word)
            text = rest.pop(0)
        if option == "preset":
            spec.one_of(owner, option, text, presets)
        given[option] = text if option in own else known[option].parse(owner, text)
    if given["resume"] and len(given) > 3:
        raise InvalidOption("{owner}: --resume keeps the arguments of the first run; give only --folder", owner=owner)
    return given


def _help_and_exit(
    console: Console, name: str, presets: Mapping[str, A], about: str, implied: tuple[str, str, str] | None
) -> NoReturn:
    def show(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    default, *others = presets
    show(f"Usage: ludoteca train {name} [GAME] [--OPTION VALUE]…\n")
    show(f"{about} Ctrl-C saves; --resume continues exactly. The page shows the curve: ludoteca serve --runs FOLDER\n")
    show(f"  --folder           for checkpoint, run.json, curve.jsonl, curve.png and network.onnx [runs/{name}]")
    show("  --resume           continue the training in --folder")
    show("  --watch            serve the page with the learning curve while it trains, and print its address")
    if others:
        selected = f"; {implied[2]} with --{implied[0]} {implied[1]}" if implied else ""
        names = ", ".join(presets)
        show(f"  --preset           values of all options that are not given ({names}) [{default}{selected}]")
    for option in spec.options(type(presets[default])):
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        value, extra = spec.show(option.default), ""
        for each in others:
            if (instead := spec.show(getattr(presets[each], option.name))) != value:
                extra += f"; {each}: {instead}"
        show(f"  --{option.name.replace('_', '-'):<16} {option.help}{choices} [{value}{extra}]")
    raise SystemExit(0)


def about_run(place: Place, settings: Mapping[str, Any], unit: str, total: int | None) -> dict[str, Any]:
    """What ``run.json`` says about a training when it starts."""
    versions = {each: version(each) for each in ("ludoteca", "numpy", "torch")} | {"python": python_version()}
    command = shlex.join(["ludoteca", "train", place.name, *place.words])
    about = {"training": place.name, "command": command, "unit": unit, "total": total}
    return {**about, "settings": dict(settings), "versions": versions}


@contextmanager
def watchable(console: Console, place: Place) -> Iterator[None]:
    """Say how to see the learning curve; with --watch, serve the page meanwhile."""
    path, folder = f"/training?run={quote(place.folder.resolve().name)}", str(place.folder.parent)
    if not place.watch:
        line = f"Watch it: ludoteca serve --runs {shlex.quote(folder)}, and there {path}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)
        yield
        return
    port = _free_port()
    command = [sys.executable, "-m", "ludoteca.cli", "serve", "--runs", folder, "--port", str(port)]
    # Its own process: the page must not slow the training down, and a page that cannot start must not stop it.
    ending = partial(die_with_parent, os.getpid())  # also when the training is killed
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True, preexec_fn=ending) as server:
        try:
            console.print(f"Watch it: http://localhost:{port}{path}", highlight=False, markup=False, soft_wrap=True)
            yield
        finally:
            server.terminate()


def _free_port() -> int:
    """The usual port of the page, or any other that is free."""
    for port in (8080, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return 8080


def results_text(point: Point) -> str:
    """The results of a point in one line."""
    return ", ".join(
        f"{name} {found.score:.1%} ({found.low:.1%}–{found.high:.1%})" for name, found in point.results.items()
    )


def picture(curve: Sequence[Point], path: Path, title: str, unit: str) -> None:
    """Write the learning curve as PNG: a line with its intervals for each opponent. Writes nothing without results."""
    from matplotlib.figure import Figure  # slow to import, and only needed here

    opponents = [*dict.fromkeys(name for point in curve for name in point.results)]
    if not opponents:
        return
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name in opponents:
        points = [(point.at, point.results[name]) for point in curve if name in point.results]
        x = [at for at, _ in points]
        axes.plot(x, [100 * found.score for _, found in points], marker=".", label=name)
        axes.fill_between(
            x, [100 * found.low for _, found in points], [100 * found.high for _, found in points], alpha=0.15
        )
    axes.set(title=title, xlabel=f"{unit} learnt from", ylabel="score of the network, %", ylim=(0, 100))
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def show_resume(console: Console, place: Place, reached: str) -> None:
    """Say that a training was stopped and what is saved, and how to continue it. reached: empty if it was cut short."""
    if not (place.folder / CHECKPOINT).exists():
        console.print("Stopped before the first checkpoint: nothing is saved.", highlight=False)
        return
    saved = f"Stopped at {reached} and saved." if reached else "Stopped; the last checkpoint is kept."
    console.print(f"{saved} Resume with:", highlight=False)
    command = shlex.join(["ludoteca", "train", place.name, "--resume", "--folder", str(place.folder)])
    console.print(f"  {command}", highlight=False, markup=False, soft_wrap=True)


@contextmanager
def progress_bar(console: Console, count: ProgressColumn) -> Iterator[tuple[Progress, Callable[[], bool]]]:
    """A progress bar, and a function that returns whether Ctrl-C was pressed."""
    columns = [TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn()]
    with (
        Progress(*columns, TextColumn("{task.fields[status]}"), console=console) as bar,
        _interruptible() as interrupted,
    ):
        yield bar, interrupted


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
