"""A submission: a student's file, as it is named and as its text reads. Nothing of it runs."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ludoteca.agents.files.places import Places
from ludoteca.agents.files.player_finder import Found, find_player, split_player
from ludoteca.agents.identity import DIGITS, split_version
from ludoteca.errors import InvalidAgent
from ludoteca.messages import is_utf8

HANDED_IN = (".ludoteca", "handed-in")
"""Below these folders a course keeps its copies, each in two more: ``1f3a9c20/ana``."""


@dataclass(frozen=True)
class Submission:
    """A file that is an agent. It is found once, and each of its texts is parsed once."""

    path: str
    """As it was named: a file or a folder."""
    player: str
    """The name of its class; empty where none was given."""
    file: Path
    found: Found | None = None
    """The player of a folder whose file does not show by itself which class it is."""

    @classmethod
    def of(cls, text: str) -> Submission:
        """The submission that ``path`` or ``path:Class`` names, with or without a digest. Raises InvalidAgent."""
        path = split_version(text)[0]
        if not is_utf8(path):
            raise InvalidAgent("{agent}: this name is not UTF-8; rename it", agent=text)
        path, player = (path, "") if os.path.exists(path) else split_player(path)
        if Path(path).is_dir():
            found = find_player(Path(path), player)
            if not is_utf8(str(found.file)):
                raise InvalidAgent("{agent}: this name is not UTF-8; rename it", agent=str(found.file))
            return cls(path, player, found.file, found if found.player else None)
        file = Path(path)
        if not file.is_file():
            raise InvalidAgent("{agent}: there is no file {file}", agent=text, file=file)
        return cls(path, player, file)

    @property
    def spec(self) -> str:
        """``path:Class`` in its canonical form: the path without detours."""
        return os.path.normpath(self.path) + (f":{self.player}" if self.player else "")

    @property
    def folder(self) -> Path | None:
        """The folder that was handed in: the one that it was named by, or the copy that a course keeps; or None."""
        return Path(self.path) if os.path.isdir(self.path) else handed_in_folder(self.file.absolute())

    @cached_property
    def places(self) -> Places:
        """Where its own modules lie, and their syntax."""
        return Places(self.file.resolve(), None if self.folder is None else self.folder.resolve())

    def typed(self, player: str) -> str:
        """What to type for this class of the file: a shell and `of` read it as one word and find the same."""
        return shlex.quote(f"{self.path}:{player}")


def handed_in_folder(file: Path) -> Path | None:
    """The folder of a course's copy in which a file lies."""
    for folder in file.parents:
        *_, above, below, digest, _ = ("", "", "", *folder.parts)
        if (above, below) == HANDED_IN and re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", digest):
            return folder
    return None
