"""The folder of a training: its settings in ``run.json``, its learning curve as lines of JSON in ``curve.jsonl``.

Both are plain files for any program. The training appends a line to the curve for each point and flushes it; a line
without an end was cut off by a crash, and readers leave it out. Readers also run on the page, for visitors: they open
only regular files in the folder itself, follow no link, and refuse what is too large or of a wrong form.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.learn.curve import Point
from ludoteca.messages import is_utf8, printable, say
from ludoteca.play.file_locks import abandoned, locked

CHECKPOINT, CURVE, SETTINGS, LOCK = "checkpoint", "curve.jsonl", "run.json", "training.lock"
MOST_SETTINGS_BYTES = 2**16
MOST_CURVE_BYTES = 2**24
MOST_AT_ONCE = 2**20
"""Bytes of a curve that one `RunReader.read` reads."""
MOST_LINE_BYTES = 2**16
MOST_RUNS = 200
MOST_SETTINGS, LONGEST_TEXT = 100, 300


class RunWriter:
    """What a training writes to its folder besides checkpoint and networks; locks the folder until it is closed."""

    def __init__(self, folder: Path, run: Mapping[str, Any], curve: Sequence[Point], *, resumed: bool) -> None:
        """Creates the folder. run: for ``run.json``; a resumed training keeps what it has there. curve: all points.

        The curve's file is written anew: after a crash it may hold points that the checkpoint does not know, which the
        training is about to repeat. Raises InvalidOption if another process trains there, or if nothing can be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = locked(folder / LOCK)
        except OSError as error:
            raise InvalidOption(
                "{folder} cannot hold a training: {reason}", folder=folder, reason=error.strerror
            ) from None
        self.folder = folder
        if lock is None:
            raise InvalidOption("another process is training in {folder}", folder=folder)
        self._lock = lock
        run = {"started": _now(), **run, **(_kept(folder) if resumed else {})}
        _replace(folder / SETTINGS, json.dumps(run, indent=1) + "\n")
        _replace(folder / CURVE, "".join(map(_line, curve)))
        self._curve: IO[str] = (folder / CURVE).open("a", encoding="utf-8")
        self._written = len(curve)

    def append(self, curve: Sequence[Point]) -> Sequence[Point]:
        """Appends the points that are not in the file yet, and returns them."""
        fresh = curve[self._written :]
        if fresh:
            self._curve.write("".join(map(_line, fresh)))
            self._curve.flush()
            self._written = len(curve)
        return fresh

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Adds facts about the whole training to the settings' file."""
        _replace(self.folder / SETTINGS, json.dumps(_kept(self.folder) | {"ended": _now(), **facts}, indent=1) + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._curve.close()
        with suppress(FileNotFoundError):
            (self.folder / LOCK).unlink()
        self._lock.close()


def _kept(folder: Path) -> dict[str, Any]:
    """What the settings' file holds already; nothing if it is gone or damaged."""
    try:
        found = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _line(point: Point) -> str:
    return json.dumps(point.to_json()) + "\n"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _replace(path: Path, text: str) -> None:
    """Writes a file so that readers see the old one or the new one."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


# Reading


@dataclass(frozen=True)
class Run:
    """What ``run.json`` says; every text in it is printable and short."""

    training: str
    """The command after ``ludoteca train``: dqn, mmd or zero."""
    unit: str
    """What the curve counts: matches or positions."""
    total: int | None
    """How many are planned; None where the time is limited instead."""
    command: str
    started: str
    settings: Mapping[str, str]
    versions: Mapping[str, str]


@dataclass(frozen=True)
class RunStatus:
    """A training as its folder shows it now."""

    name: str
    run: Run | None
    """None if `fault` says why."""
    points: tuple[Point, ...] = ()
    training_now: bool = False
    ended: bool = False
    resumable: bool = False
    """Whether there is a checkpoint."""
    fault: str = ""
    """Why settings or curve cannot be read, or only a part of the curve."""


def run_names(folder: Path) -> list[str]:
    """The names of the trainings in a folder; its own name if it is the folder of a training itself."""
    if _is_run(folder):
        return [folder.name]
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in islice(entries, 50 * MOST_RUNS)
                if is_utf8(entry.name)
                and printable(entry.name) == entry.name
                and entry.is_dir(follow_symlinks=False)
                and _is_run(Path(entry))
            ]
    except OSError:
        return []
    return sorted(names)[:MOST_RUNS]


def find_run(folder: Path, name: str) -> Path | None:
    """The folder of the training of this name, which may come from a visitor."""
    if name not in run_names(folder):  # never a path: only what was listed
        return None
    return folder if _is_run(folder) else folder / name


def _is_run(folder: Path) -> bool:
    try:
        return stat.S_ISREG((folder / SETTINGS).lstat().st_mode)
    except (OSError, ValueError):
        return False


class RunReader:
    """Reads a training's folder again and again; of the curve only what was appended."""

    def __init__(self, folder: Path, name: str = "") -> None:
        self.folder, self.name = folder, name or folder.name
        self._file: tuple[int, int] = (0, 0)
        """Device and inode of the curve that was read."""
        self._restart()

    def _restart(self) -> None:
        self._offset, self._rest, self._lines = 0, b"", 0
        self._points: tuple[Point, ...] = ()
        self._fault = ""

    def read(self) -> RunStatus:
        """What the folder holds now; raises nothing for what is wrong there."""
        return _look(self.folder, self.name, self._read_curve)

    def _read_curve(self, folder: int) -> tuple[tuple[Point, ...], str]:
        handle = _open_curve(folder, self.name)
        if handle is None:
            self._restart()
            return (), ""
        with handle:
            about = os.fstat(handle.fileno())
            if (about.st_dev, about.st_ino) != self._file or about.st_size < self._offset:
                self._file = (about.st_dev, about.st_ino)
                self._restart()
            if about.st_size > MOST_CURVE_BYTES:
                raise InvalidFile(
                    "{name}: {file} is larger than {most} MiB", name=self.name, file=CURVE, most=MOST_CURVE_BYTES >> 20
                )
            handle.seek(self._offset)
            read = handle.read(MOST_AT_ONCE)
        self._offset += len(read)
        if not self._fault:
            self._add(read)
        return self._points, self._fault

    def _add(self, read: bytes) -> None:
        *lines, self._rest = (self._rest + read).split(b"\n")
        fresh, last = [], self._points[-1].at if self._points else -1
        for line in lines:
            self._lines += 1
            try:
                point = Point.from_json(json.loads(line))
            except (ValueError, RecursionError):
                self._stop_at(self._lines)
                break
            if point.at > last:
                fresh.append(point)
                last = point.at
        if fresh:
            self._points = (*self._points, *fresh)
        if len(self._rest) > MOST_LINE_BYTES:
            self._stop_at(self._lines + 1)

    def _stop_at(self, line: int) -> None:
        self._rest = b""
        self._fault = say(
            "{name}: line {line} of {file} cannot be read; the curve ends before it",
            name=self.name,
            line=line,
            file=CURVE,
        )


def glance(folder: Path, name: str) -> RunStatus:
    """A training with only its last point and its last evaluation, from the end of the curve's file."""

    def read_end(opened: int) -> tuple[tuple[Point, ...], str]:
        handle = _open_curve(opened, name)
        if handle is None:
            return (), ""
        with handle:
            size = os.fstat(handle.fileno()).st_size
            handle.seek(max(0, size - MOST_LINE_BYTES))
            lines = handle.read(MOST_LINE_BYTES).split(b"\n")[:-1]
        found: list[Point] = []
        for line in reversed(lines[1:] if size > MOST_LINE_BYTES else lines):
            try:
                point = Point.from_json(json.loads(line))
            except (ValueError, RecursionError):
                break
            if not found or point.results:
                found.insert(0, point)
            if point.results:
                break
        return tuple(found), ""

    return _look(folder, name, read_end)


def _look(folder: Path, name: str, read_curve: Callable[[int], tuple[tuple[Point, ...], str]]) -> RunStatus:
    """A training. read_curve: its points and what is wrong with them, from the open folder; raises InvalidFile."""
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return RunStatus(name, None, fault=say("There is no training {name} here.", name=name))
    try:
        run, ended = _settings(opened, name)
        points, fault = read_curve(opened)
        return RunStatus(name, run, points, _is_locked(opened), ended, _has_checkpoint(opened), fault)
    except InvalidFile as error:
        return RunStatus(name, None, fault=error.message)
    finally:
        os.close(opened)


def last_evaluation(points: Iterable[Point]) -> Point | None:
    """The last point with results."""
    found = None
    for point in points:
        found = point if point.results else found
    return found


def _open(folder: int, name: str) -> IO[bytes]:
    """A regular file in this open folder, never through a link. Raises OSError."""
    handle = os.fdopen(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb")
    if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):  # a pipe or a device would never end
        handle.close()
        raise OSError(name)
    return handle


def _open_curve(folder: int, name: str) -> IO[bytes] | None:
    """The curve's file; None if there is none yet. Raises InvalidFile."""
    try:
        return _open(folder, CURVE)
    except FileNotFoundError:
        return None
    except OSError:
        raise _damaged(name, CURVE) from None


def _is_locked(folder: int) -> bool:
    try:
        with _open(folder, LOCK) as handle:
            return not abandoned(handle)
    except OSError:
        return False


def _has_checkpoint(folder: int) -> bool:
    try:
        return stat.S_ISREG(os.stat(CHECKPOINT, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _damaged(name: str, file: str) -> InvalidFile:
    return InvalidFile("{name}: {file} is not what a training writes", name=name, file=file)


def _settings(folder: int, name: str) -> tuple[Run, bool]:
    """What the settings' file says, and whether the training is over. Raises InvalidFile."""
    try:
        with _open(folder, SETTINGS) as handle:
            text = handle.read(MOST_SETTINGS_BYTES + 1)
        if len(text) > MOST_SETTINGS_BYTES:
            raise ValueError
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("unit") not in ("matches", "positions"):
            raise ValueError
        total = found.get("total")
        if total is not None and (type(total) is not int or not 0 < total < 10**15):
            raise ValueError
        run = Run(
            _text(found.get("training", "")),
            found["unit"],
            total,
            _text(found.get("command", "")),
            _text(found.get("started", "")),
            _texts(found.get("settings", {})),
            _texts(found.get("versions", {})),
        )
    except (OSError, ValueError, RecursionError):
        raise _damaged(name, SETTINGS) from None
    return run, "ended" in found


def _text(value: object) -> str:
    """A value of the settings as a short text. Raises ValueError for lists and the like."""
    if not isinstance(value, str | int | float | bool | None):
        raise ValueError
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    return printable(text.replace("\n", " "))[:LONGEST_TEXT]


def _texts(values: object) -> dict[str, str]:
    if not isinstance(values, dict) or len(values) > MOST_SETTINGS:
        raise ValueError
    return {_text(name): _text(value) for name, value in values.items()}
