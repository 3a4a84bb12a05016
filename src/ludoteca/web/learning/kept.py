"""What is kept of visitors' trainings: a folder each, never more than so many."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ludoteca.agents.networks.trained import trainings_folder

KEY = re.compile(r"[0-9a-f]{16}")
ABOUT = "about.json"
MOST_KEPT, MOST_OF_VISITOR = 200, 5
"""Trainings that are kept of all visitors and of one; those that nobody used for longest go first."""
UNUSED = 30 * 86_400.0
"""Seconds after which a training that nobody looked at is deleted."""


@dataclass(frozen=True)
class Kept:
    """A training in its folder."""

    key: str
    game: str
    """The name of the game."""
    owner: str
    """The digest of the visitor who started it."""
    started: float
    used: float = field(compare=False)
    """When somebody last looked at it or played against it; both are seconds since 1970."""

    @property
    def folder(self) -> Path:
        """Where its curve and its networks are."""
        return trainings_folder() / self.key

    def networks(self) -> list[int]:
        """After how many matches or positions there is a network, in order."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return []
        return sorted(int(name[:-5]) for name in names if re.fullmatch(r"\d{1,9}\.onnx", name))

    def spec(self, count: int) -> str:
        """The agent that plays by its network after so many matches or positions."""
        return f"trained:network={self.key}.{count}"


class KeptTrainings:
    """Finds, adds and deletes the folders of trainings."""

    def __init__(
        self, most: int = MOST_KEPT, most_of_visitor: int = MOST_OF_VISITOR, clock: Callable[[], float] = time.time
    ) -> None:
        self._most, self._most_of_visitor, self._clock = most, most_of_visitor, clock

    def all(self) -> list[Kept]:
        """All trainings, the most recently used first."""
        try:
            names = os.listdir(trainings_folder())
        except OSError:
            return []
        found = [kept for name in names if (kept := self.find(name)) is not None]
        return sorted(found, key=lambda kept: kept.used, reverse=True)

    def find(self, key: str) -> Kept | None:
        """The training of this key, which may come from a visitor."""
        if not KEY.fullmatch(key):
            return None
        about = trainings_folder() / key / ABOUT
        try:
            used, fields = about.stat().st_mtime, json.loads(about.read_text(encoding="utf-8"))
            return Kept(key, str(fields["game"]), str(fields["owner"]), float(fields["started"]), used)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def of(self, owner: str) -> list[Kept]:
        """The trainings of a visitor, the latest first."""
        return sorted((kept for kept in self.all() if kept.owner == owner), key=lambda kept: -kept.started)

    def add(self, key: str, game: str, owner: str) -> Kept:
        """Makes the folder of a new training."""
        folder = trainings_folder() / key
        folder.mkdir(parents=True)
        now = self._clock()
        about = {"game": game, "owner": owner, "started": now}
        (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
        return Kept(key, game, owner, now, now)

    def note_use(self, key: str) -> None:
        """Somebody looked at a training, or played against it."""
        if (kept := self.find(key)) is not None:
            now = self._clock()
            os.utime(kept.folder / ABOUT, (now, now))

    def delete(self, key: str) -> None:
        """Deletes a training for good."""
        if KEY.fullmatch(key):
            shutil.rmtree(trainings_folder() / key, ignore_errors=True)

    def make_room(self, owner: str, busy: set[str]) -> None:
        """Deletes what is too old or too many, so that this visitor may add one more. busy: keys that must stay."""
        found = [kept for kept in self.all() if kept.key not in busy]
        gone = {kept.key for kept in found if self._clock() - kept.used > UNUSED}
        own = [kept for kept in found if kept.owner == owner and kept.key not in gone]
        gone |= {kept.key for kept in own[self._most_of_visitor - 1 :]}
        left = [kept for kept in found if kept.key not in gone]
        gone |= {kept.key for kept in left[max(0, self._most - 1 - len(busy)) :]}
        for key in gone:
            self.delete(key)
