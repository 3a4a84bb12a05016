"""What the commands of ``ludoteca train`` share: progress bar, checkpoints, Ctrl-C and the picture of the curve."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from pickle import PickleError
from platform import python_version
from types import FrameType
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import quote

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point
from ludoteca.learn.run_folder import CHECKPOINT, RunWriter, glance
from ludoteca.learn.sources import RaySource, Spread, spread
from ludoteca.players.processes.linux import die_with_parent

NETWORK_FILE: Final = "network.onnx"
SHOW_EVERY: Final = 0.1
"""Seconds between two updates of the progress bar."""


T = TypeVar("T", bound="Trainable")


@dataclass(frozen=True)
class Place:
    """Where and how a training runs, as its command line says."""

    name: str
    """dqn, mmd or zero."""
    folder: Path
    resume: bool = False
    watch: bool = False
    words: tuple[str, ...] = ()
    """The command line after the name."""
    ray: str | None = None
    """The address of a Ray cluster that plays, or auto; None: this process plays."""
    workers: int | None = None
    """How many actors play there."""

    @property
    def spread(self) -> Spread[Any] | None:
        """How the matches are spread over a cluster; None if this process plays them."""
        return None if self.ray is None else spread(None if self.ray == "auto" else self.ray, self.workers)

    def check(self) -> None:
        """Raises InvalidOption if the checkpoint is missing for --resume, or exists without it."""
        owner, exists = f"train {self.name}", (self.folder / CHECKPOINT).exists()
        if self.resume and not exists:
            raise InvalidOption("{owner}: there is no checkpoint in {folder}", owner=owner, folder=self.folder)
        run = glance(self.folder.resolve(), self.folder.name).run
        if self.resume and run is not None and run.training != self.name:
            raise InvalidOption(
                "{owner}: {folder} holds a training of another kind; continue it with: ludoteca train {kind} --resume "
                "--folder {folder}",
                owner=owner, folder=self.folder, kind=run.training,
            )  # fmt: skip
        if exists and not self.resume:
            raise InvalidOption(
                "{owner}: {folder} already holds a training; continue it with --resume or choose another --folder",
                owner=owner, folder=self.folder,
            )  # fmt: skip


def loaded(place: Place, load: Callable[[Path], T]) -> T:
    """The training in the checkpoint. Raises InvalidOption if it is damaged."""
    try:
        return load(place.folder / CHECKPOINT)
    except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, PickleError) as error:
        raise InvalidOption(
            "train {name}: the checkpoint in {folder} cannot be read: {reason}",
            name=place.name, folder=place.folder, reason=str(error).split("\n")[0],
        ) from error  # fmt: skip


class Trainable(Protocol):
    """A training in progress, of any kind."""

    curve: list[Point]

    @property
    def progress(self) -> float:
        """From 0 to 1."""

    def save(self, path: Path) -> None:
        """Write a checkpoint."""


@dataclass(frozen=True)
class Work(Generic[T]):
    """What `run_training` needs to know of one kind of training."""

    training: T
    settings: Mapping[str, Any]
    title: str
    """Of the curve's picture."""
    unit: str
    """What the curve counts: matches or positions."""
    total: int | None
    """How many; None where the time is limited instead."""
    checkpoint_every: int
    count: Callable[[], int]
    """How many it has learnt from."""
    run: Callable[[Callable[[T], bool]], bool]
    write: Callable[[Path], None]
    """Writes the network."""
    facts: Callable[[], Mapping[str, Any]]
    """About the whole training, for ``run.json``."""
    status: Callable[[], str] = lambda: ""
    """For the progress bar."""


def run_training(work: Work[T], place: Place, console: Console) -> bool:
    """Train with a progress bar, the curve, checkpoints and Ctrl-C. Returns whether it got to the end.

    ``network.onnx`` is written with every checkpoint and at the end.
    """
    training, folder = work.training, place.folder
    run = about_run(place, work.settings, work.unit, work.total)
    with (
        RunWriter(folder, run, training.curve, resumed=place.resume) as writer,
        watchable(console, place),
        progress_bar(console) as (bar, interrupted),
    ):
        task = bar.add_task(work.unit, total=1.0, status="")
        bar.update(task, completed=training.progress)
        saved, shown = work.count() // work.checkpoint_every, 0.0

        def after_step(now: T) -> bool:
            nonlocal saved, shown
            if (clock := time.monotonic()) - shown > SHOW_EVERY:
                shown = clock
                status = ", ".join(filter(None, (f"{work.count():,} {work.unit}", work.status())))
                bar.update(task, completed=now.progress, status=status)
            for point in writer.append(now.curve):
                if said := evaluation_text(point):
                    console.print(f"{point.at:,} {work.unit}: {said}", highlight=False, soft_wrap=True)
            stop = interrupted()
            if stop or now.progress >= 1 or work.count() // work.checkpoint_every > saved:
                saved = work.count() // work.checkpoint_every
                now.save(folder / CHECKPOINT)
                work.write(folder / NETWORK_FILE)
            return not stop

        ended = work.run(after_step)
        bar.update(task, completed=training.progress)
        picture(training.curve, folder / "curve.png", work.title, work.unit)
        if ended:
            work.write(folder / NETWORK_FILE)
            writer.finish(work.facts())
        return ended


def evaluation_text(point: Point) -> str:
    """The evaluation of a point in one line; empty if it has none."""
    parts = [results_text(point)] if point.results else []
    if (gain := point.loss.get("exploitability")) is not None:
        parts.append(f"exploitability {gain:.4f}")
    return ", ".join(parts)


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


def actors_text(source: RaySource[Any] | None) -> str:
    """How many actors play, for the progress bar; empty without a cluster."""
    if source is None:
        return ""
    return f"{source.actors} actors" + (f", {source.lost} lost" if source.lost else "")


def show_resume(console: Console, place: Place, reached: str) -> None:
    """Say that a training was stopped and what is saved, and how to continue it. reached: empty if it was cut short."""
    if not (place.folder / CHECKPOINT).exists():
        console.print("Stopped before the first checkpoint: nothing is saved.", highlight=False)
        return
    saved = f"Stopped at {reached} and saved." if reached else "Stopped; the last checkpoint is kept."
    console.print(f"{saved} Resume with:", highlight=False)
    ray = [] if place.ray is None else ["--ray"] if place.ray == "auto" else ["--ray", place.ray]
    command = shlex.join(["ludoteca", "train", place.name, "--resume", "--folder", str(place.folder), *ray])
    console.print(f"  {command}", highlight=False, markup=False, soft_wrap=True)


@contextmanager
def progress_bar(console: Console) -> Iterator[tuple[Progress, Callable[[], bool]]]:
    """A progress bar, and a function that returns whether Ctrl-C was pressed."""
    columns = [TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()]
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
