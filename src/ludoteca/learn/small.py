"""``python -m ludoteca.learn.small``: a small training for the page, in a process of its own with limits.

It learns enough to be seen in a minute or two of one slow core. Its folder gets ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`), and after each evaluation the network as ``COUNT.onnx``, where COUNT is the number of
matches or positions that it had learnt from. It writes no checkpoint, so it cannot be resumed.
"""

from __future__ import annotations

import os
import resource
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from ludoteca.learn.command import Place, about_run
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunWriter
from ludoteca.players.processes.linux import die_with_parent, give_way

NICE = 10
MOST_FILE = 16 * 2**20
"""Bytes of the largest file that it may write."""
GRACE = 20
"""Seconds of processor time between the request to stop and the end of the process by the kernel."""
STOPPED = 3
"""The exit status of a training that was asked to stop, or used up its time."""
KITTENS: dict[str, Any] = {
    "against": "v2", "matches": 12_000, "rows": 128, "width": 64, "buffer": 50_000, "start": 2_000, "decisions": 32,
    "explore_matches": 4_000, "target_matches": 250, "evaluate_every": 500, "evaluate": 200,
    "evaluate_against": "v2+random", "measure": 0,
}  # fmt: skip
HEX: dict[str, Any] = {
    "curriculum": "5x16:100", "positions": 40_000, "blocks": 2, "width": 16, "matches": 64, "threads": 1,
    "start": 1_000, "window": 20_000, "evaluate_every": 2_000, "evaluate": 60, "evaluate_nodes": 100,
}  # fmt: skip


class Training(Protocol):
    """What the trainings ``dqn`` and ``zero`` share."""

    curve: list[Point]

    def evaluate(self) -> dict[str, Result]:
        """Results of the network as it is."""


def main(words: Sequence[str]) -> int:
    """Trains. Its words: the game, the folder, seconds of processor time, bytes of memory, the parent's process id."""
    game, folder, seconds, memory, parent = words
    die_with_parent(int(parent))
    give_way(NICE)
    return (_train_kittens if game == "kittens" else _train_hex)(Path(folder), int(seconds), int(memory))


def _train_kittens(folder: Path, seconds: int, memory: int) -> int:
    from ludoteca.learn.dqn.arguments import Arguments
    from ludoteca.learn.dqn.training import Training, export

    stop = _limit(seconds, memory)
    training = Training(replace(Arguments(), **(changes := _seeded(KITTENS))))
    run = about_run(_place("dqn", folder, changes), asdict(training.arguments), "matches", training.arguments.matches)
    with RunWriter(folder, run, [], resumed=False) as writer:
        after = _follow(training, writer, lambda path: export(training, path), stop)
        if after() and training.run(lambda now: after()):
            writer.finish({})
            return 0
    return STOPPED


def _train_hex(folder: Path, seconds: int, memory: int) -> int:
    from ludoteca.learn.zero.arguments import Arguments
    from ludoteca.learn.zero.training import Training, write

    stop = _limit(seconds, memory)
    training = Training(replace(Arguments(), **(changes := _seeded(HEX))))
    place = _place("zero", folder, changes)
    run = about_run(place, asdict(training.arguments), "positions", training.arguments.positions)
    with RunWriter(folder, run, [], resumed=False) as writer:
        after = _follow(training, writer, lambda path: write(training, path), stop)
        if after() and training.run(lambda now: after()):
            writer.finish({})
            return 0
    return STOPPED


def _follow(
    training: Training, writer: RunWriter, export: Callable[[Path], None], stop: Callable[[], bool]
) -> Callable[[], bool]:
    """What is done after each step: writes the new points and networks; returns whether to go on.

    Before the first step the network knows nothing; that is the first point.
    """
    training.curve.append(Point(0, 0.0, {}, None, training.evaluate()))

    def after() -> bool:
        for point in writer.append(training.curve):
            if point.results:
                new = writer.folder / "network.new"
                export(new)
                new.replace(writer.folder / f"{point.at}.onnx")  # never seen half-written
        return not stop()

    return after


def _seeded(changes: dict[str, Any]) -> dict[str, Any]:
    return {**changes, "seed": secrets.randbelow(2**31)}


def _place(name: str, folder: Path, changes: dict[str, Any]) -> Place:
    words = [word for option, value in changes.items() for word in (f"--{option.replace('_', '-')}", str(value))]
    return Place(name, folder, False, False, tuple(words))


def _limit(seconds: int, memory: int) -> Callable[[], bool]:
    """Sets the limits of this process, once PyTorch is loaded; returns whether it was asked to stop or used them up."""
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + 1 + seconds
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, most, most + GRACE),
        (resource.RLIMIT_AS, taken + memory, taken + memory),
        (resource.RLIMIT_FSIZE, MOST_FILE, MOST_FILE),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(kind, (soft, hard))
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True

    for number in (signal.SIGTERM, signal.SIGXCPU):
        signal.signal(number, note)
    return lambda: asked


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before PyTorch is loaded
    raise SystemExit(main(sys.argv[1:]))
