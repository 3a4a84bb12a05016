"""Matches in progress: each worker publishes its match in a small file beside the store.

::

    arena.sqlite-run3.live/8125     the match that process 8125 plays for run 3; empty between two matches

A thread of the worker copies the match a few times a second, so playing is not slowed down, and very short matches are
never shown. Each file is locked by its writer; an unlocked file belongs to a dead worker and is deleted. Results do not
depend on these files: if they cannot be written, the matches are played all the same.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from ludoteca.play.file_locks import abandoned, locked
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending

EVERY = 0.25
"""Seconds between two copies of a match."""
SHORTEST = 0.3
"""Seconds before a match is shown."""
TRIES, PAUSE = 4, 0.002
"""How often, and after how many seconds, to read a file again that was being written."""


@dataclass(frozen=True)
class LiveMatch:
    """A match in progress."""

    place: int
    """Its place in the run."""
    record: Record
    """The unfinished record."""
    since: float
    """When the last action was played or the match began, in seconds since 1970."""

    def to_bytes(self) -> bytes:
        """Checksum, place, time and record; the checksum reveals a file that is being written."""
        text = f"{self.place} {self.since} {self.record.to_json()}".encode()
        return b"%08x %s\n" % (zlib.crc32(text), text)

    @classmethod
    def from_bytes(cls, data: bytes) -> LiveMatch:
        """The match that `to_bytes` wrote. Raises ValueError for anything else."""
        checksum, _, text = data.partition(b" ")
        text = text.removesuffix(b"\n")
        if checksum != b"%08x" % zlib.crc32(text):
            raise ValueError("this is not a whole live match")
        place, since, record = text.decode().split(" ", 2)
        return cls(int(place), Record.from_json(record), float(since))


class Playing(Protocol):
    """Plays matches one after another, as the arena's referee does."""

    index: int
    """The place in the run of the match that is being played."""
    match: Match | None
    """That match; None between two."""


class LivePublisher:
    """Publishes the match that is being played; use it as a context manager."""

    def __init__(self, folder: Path, playing: Playing) -> None:
        self._path, self._playing = folder / str(os.getpid()), playing
        self._file: IO[str] | None = None
        self._seen: Match | None = None
        self._began = 0.0
        self._count = -1
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="broadcast", daemon=True)

    def __enter__(self) -> LivePublisher:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # matches count even if they cannot be shown
            while not self._end.wait(EVERY):
                self.look(time.monotonic())
        self.hide()

    def look(self, now: float) -> None:
        """Publish the match if it has changed. now: of the monotonic clock. Raises OSError."""
        match = self._playing.match
        if match is not self._seen:
            self._seen, self._began, self._count = match, now, -1
            if self._file is not None:
                self._file.truncate(0)
        if match is None or now - self._began < SHORTEST:
            return
        count = len(match.seconds)  # the list that grows last, while another thread plays
        if count != self._count and self._opened():
            self._write(match, count)

    def hide(self) -> None:
        """Delete the file."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                self._path.unlink(missing_ok=True)
                self._file.close()

    def _opened(self) -> bool:
        if self._file is None:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # the folder was just deleted: try again next time
                self._file = locked(self._path)
        return self._file is not None

    def _write(self, match: Match, count: int) -> None:
        assert self._file is not None
        self._count = count
        record = Record(
            game=match.game.spec,
            seed=match.seed,
            seats=match.seats,
            actions=tuple(match.actions[:count]),
            movers=tuple(match.movers[:count]),
            start=match.start,
            opening=match.opening,
            limit=str(match.limit),
            seconds=tuple(match.seconds[:count]),
            decisions=tuple(match.decisions[:count]),
            ending=Ending.unfinished,
        )
        data = LiveMatch(self._playing.index, record, round(time.time(), 2)).to_bytes()
        os.pwrite(self._file.fileno(), data, 0)
        self._file.truncate(len(data))


def live_folder(store: Path | str, run: int) -> Path | None:
    """The folder of a run's live matches; None for a store in memory."""
    return None if str(store) == ":memory:" else Path(f"{store}-run{run}.live")


def live_matches(store: Path | str, run: int) -> dict[str, LiveMatch | None]:
    """By worker the match in progress; None between two matches, or while a match is too new to be shown.

    Deletes the files of dead workers.
    """
    folder = live_folder(store, run)
    found: dict[str, LiveMatch | None] = {}
    try:
        paths = sorted(folder.iterdir()) if folder is not None else []
    except OSError:
        return found
    for path in paths:
        with contextlib.suppress(OSError), path.open("rb") as file:
            if abandoned(file):
                path.unlink()
            else:
                found[path.name] = _read(file)
    if folder is not None and not found:
        with contextlib.suppress(OSError):
            folder.rmdir()  # only works if it is empty
    return found


def _read(file: IO[bytes]) -> LiveMatch | None:
    for _ in range(TRIES):
        file.seek(0)
        data = file.read()
        if not data:
            return None
        with contextlib.suppress(ValueError, TypeError):
            return LiveMatch.from_bytes(data)
        time.sleep(PAUSE)
    return None
