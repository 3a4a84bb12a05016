"""A submission: a student's file, as it is named and as its text reads. Nothing of it runs."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ludoteca.agents.files.places import Places
from ludoteca.agents.identity import split_version
from ludoteca.errors import InvalidAgent
from ludoteca.messages import is_utf8, say

__all__ = ["SOLUTION", "Submission"]

SOLUTION = "solution.py"
"""The file of a submission that is a folder."""


@dataclass(frozen=True)
class Submission:
    """A file that is an agent. It is found once, and each of its texts is parsed once."""

    path: str
    """As it was named: a file, or a folder with a solution.py."""
    player: str
    """The name of its class; empty where none was given."""
    file: Path

    @classmethod
    def of(cls, text: str) -> Submission:
        """The submission that ``path`` or ``path:Class`` names, with or without a digest. Raises InvalidAgent."""
        path = split_version(text)[0]
        if not is_utf8(path):
            raise InvalidAgent(say("{agent}: this name is not UTF-8; rename it", agent=text))
        before, colon, player = path.rpartition(":")
        if colon and before and player.isidentifier():
            path = before
        else:
            player = ""
        file = Path(path) / SOLUTION if Path(path).is_dir() else Path(path)
        if not file.is_file():
            raise InvalidAgent(say("{agent}: there is no file {file}", agent=text, file=file))
        return cls(path, player, file)

    @property
    def spec(self) -> str:
        """``path:Class`` in its canonical form: the path without detours."""
        return os.path.normpath(self.path) + (f":{self.player}" if self.player else "")

    @property
    def folder(self) -> Path | None:
        """The folder that it was named by; None if it was named by its file."""
        return Path(self.path) if os.path.isdir(self.path) else None

    @cached_property
    def places(self) -> Places:
        """Where its own modules lie, and their syntax."""
        return Places(self.file.resolve())

    def typed(self, player: str) -> str:
        """What to type for this class of the file: a shell and `of` read it as one word and find the same."""
        return shlex.quote(f"{self.path}:{player}")
