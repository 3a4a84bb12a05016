"""Solved starts: the values of openings or deals of a game with best play by both seats.

``ludoteca solve GAME --all-openings --out FILE`` and ``--seeds COUNT`` write such files; those in ``solutions`` come
with the package, and the page *Solved* draws them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from ludoteca.errors import InvalidFile

FOLDER = Path(__file__).parent / "solutions"


@dataclass(frozen=True)
class SolvedStart:
    """A start, and what it is worth for the seat that begins."""

    start: str
    """The opening action, such as ``d4``; ``seed=7`` for a deal; empty for a whole game."""
    value: float | None = None
    """The return of the seat that begins, with best play by both; None: not settled."""
    within: float = 0.0
    """How far the value may be from the exact one."""
    nodes: int = 0
    """Positions searched, over all attempts."""
    seconds: float = 0.0
    """Processor time, over all attempts."""
    version: str = ""
    """The version of Ludoteca that made the last attempt."""
    share: float = 0.0
    """How often a match starts so by chance; 0 where a seat chooses it, or where it is one of a sample."""
    by: str = ""
    """The start whose proof settles this one too; empty for one with a proof of its own."""


@dataclass(frozen=True)
class Solutions:
    """The starts of one game."""

    game: str
    """Its spec."""
    command: str
    """The command that solves them again, or goes on."""
    starts: tuple[SolvedStart, ...]

    @property
    def settled(self) -> list[SolvedStart]:
        """The starts whose value is known."""
        return [each for each in self.starts if each.value is not None]

    @property
    def seconds(self) -> float:
        """The processor time of all attempts."""
        return sum(each.seconds for each in self.starts)

    @property
    def nodes(self) -> int:
        """The positions searched in all attempts."""
        return sum(each.nodes for each in self.starts)

    def count(self, value: float | None) -> int:
        """How many starts have this value; None: are not settled."""
        return sum(each.value == value for each in self.starts)

    def updated(self, changed: Iterable[SolvedStart]) -> Solutions:
        """The same with other results for some starts."""
        by_start = {each.start: each for each in changed}
        return replace(self, starts=tuple(by_start.get(each.start, each) for each in self.starts))

    def to_json(self) -> str:
        """JSON with a line for each start; `from_json` reads it back."""
        fields = asdict(self)
        optional = {"within": 0.0, "share": 0.0, "by": ""}
        rows = [
            json.dumps({key: value for key, value in row.items() if key not in optional or value != optional[key]})
            for row in fields.pop("starts")
        ]
        head = json.dumps(fields, indent=1, ensure_ascii=False)[:-2]
        return head + ',\n "starts": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Solutions:
        """The solutions that `to_json` wrote. Raises InvalidFile for anything else."""
        try:
            fields = json.loads(text)
            return cls(**fields | {"starts": tuple(SolvedStart(**each) for each in fields["starts"])})
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidFile("this is no file of ludoteca solve: {reason}", reason=repr(error)) from None

    def write(self, path: Path) -> None:
        """Replace the file at once, so that no crash leaves half of it. Raises OSError."""
        new = path.with_name(f"{path.name}.new")
        new.write_text(self.to_json(), encoding="utf-8")
        os.replace(new, path)


@cache
def all_solutions() -> tuple[Solutions, ...]:
    """All that come with the package, by the names of their files."""
    paths = sorted(FOLDER.glob("*.json"), key=lambda path: path.stem)
    return tuple(Solutions.from_json(path.read_text(encoding="utf-8")) for path in paths)
