"""``path:Class``, as a command line names a file's player."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ludoteca.agents.identity import split_version
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say

__all__ = ["SOLUTION", "Named"]

SOLUTION = "solution.py"
"""The file of a submission that is a folder."""


@dataclass(frozen=True)
class Named:
    """The parts of ``path:Class``; a class that is not said is empty."""

    path: str
    player: str
    file: Path

    @classmethod
    def of(cls, text: str) -> Named:
        """What a text names; a version at its end says nothing here. Raises InvalidAgent for no file."""
        path = split_version(text)[0]
        before, colon, player = path.rpartition(":")
        if colon and before and player.isidentifier():
            path = before
        else:
            player = ""
        file = Path(path) / SOLUTION if Path(path).is_dir() else Path(path)
        if not file.is_file():
            raise InvalidAgent(say("{agent}: there is no file {file}", agent=text, file=file))
        return cls(path, player, file)

    def typed(self, player: str) -> str:
        """What to type for this class of the file: a shell and `of` read it as one word and find the same."""
        return shlex.quote(f"{self.path}:{player}")
