"""The options that the engines of all games share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ludoteca.spec import within

__all__ = ["FULL_STRENGTH", "LEVELS", "EngineOptions"]

LEVELS: Final = 8
"""The number of levels for people; every engine has as many."""


@dataclass(frozen=True)
class EngineOptions:
    """How strong an engine plays and what it may use. Raises InvalidOption for values out of range."""

    level: int = 0
    """1 (a beginner can beat it) to `LEVELS`; 0: full strength."""
    memory: int = 256
    """Megabytes for its tables."""
    threads: int = 1

    def __post_init__(self) -> None:
        within("engine", "level", self.level, 0, LEVELS)
        within("engine", "memory", self.memory, 1, 65536)
        within("engine", "threads", self.threads, 1, 64)


FULL_STRENGTH: Final = EngineOptions()
