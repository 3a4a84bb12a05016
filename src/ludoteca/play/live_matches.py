"""Matches while they are being played, for whoever watches: each worker shows its own in a small file beside the store.

::

    arena.sqlite-run3.live/8125     the match that process 8125 plays for run 3; empty between two matches

A thread of the worker looks at the match a few times a second, so that playing itself knows nothing of being watched,
and a match that is over at once is never shown. Every file is locked by its writer: where the kernel has unlocked it,
the writer is dead, and the file is forgotten. Nothing here is needed for a result: when the disk is full or cannot be
written, matches are played all the same, unseen.
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

__all__ = ["Broadcast", "LiveMatch", "Playing", "live_folder", "live_matches"]

EVERY = 0.25
"""Seconds from one look at a match to the next."""
SHORTEST = 0.3
"""Seconds that a match has lasted before it is shown."""
TRIES, PAUSE = 4, 0.002
"""How often, and after how many seconds, a file is read again that was being written."""


@dataclass(frozen=True)
class LiveMatch:
    """A match as far as it is played."""

    place: int
    """In the run, as the record's will be."""
    record: Record
    """As it stands, unfinished."""
    since: float
    """When the last action was played, or the match began, in seconds since 1970."""

    def to_bytes(self) -> bytes:
        """A checksum, the place, the time and the record: whoever reads while it is being written notices."""
        text = f"{self.place} {self.since} {self.record.to_json()}".encode()
        return b"%08x %s\n" % (zlib.crc32(text), text)

    @classmethod
    def from_bytes(cls, data: bytes) -> LiveMatch:
        """What `to_bytes` wrote. Raises ValueError for anything else."""
        checksum, _, text = data.partition(b" ")
        text = text.removesuffix(b"\n")
        if checksum != b"%08x" % zlib.crc32(text):
            raise ValueError("half of what was written, or something else")
        place, since, record = text.decode().split(" ", 2)
        return cls(int(place), Record.from_json(record), float(since))


class Playing(Protocol):
    """Whoever plays matches one after another, as the arena's referee does."""

    index: int
    """The place in the run of the match that is being played."""
    match: Match | None
    """That match; None between two."""


class Broadcast:
    """Shows what is being played for as long as this lasts; use it as a context manager."""

    def __init__(self, folder: Path, playing: Playing) -> None:
        self._path, self._playing = folder / str(os.getpid()), playing
        self._file: IO[str] | None = None
        self._seen: Match | None = None
        self._began = 0.0
        self._count = -1
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="broadcast", daemon=True)

    def __enter__(self) -> Broadcast:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # nobody's match is worth less because nobody can watch it
            while not self._end.wait(EVERY):
                self.look(time.monotonic())
        self.hide()

    def look(self, now: float) -> None:
        """Shows what is new at this moment of the monotonic clock, if anything is. Raises OSError."""
        match = self._playing.match
        if match is not self._seen:
            self._seen, self._began, self._count = match, now, -1
            if self._file is not None:
                self._file.truncate(0)
        if match is None or now - self._began < SHORTEST:
            return
        count = len(match.seconds)  # of the lists that grow while we read, this one grows last
        if count != self._count and self._opened():
            self._write(match, count)

    def hide(self) -> None:
        """Takes the file away."""
        with contextlib.suppress(OSError):
            if self._file is not None:
                self._path.unlink(missing_ok=True)
                self._file.close()

    def _opened(self) -> bool:
        if self._file is None:
            self._path.parent.mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # somebody tidied the folder up just now: next time
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
    """Where the workers of a run show their matches; None for a store in memory, which nobody else can see."""
    return None if str(store) == ":memory:" else Path(f"{store}-run{run}.live")


def live_matches(store: Path | str, run: int) -> dict[str, LiveMatch | None]:
    """By worker the match that it plays just now; None between two, or while a match is too young to be shown.

    What dead workers have left is taken away.
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
            folder.rmdir()  # only an empty one can be
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
