"""The options that the engines of all games share."""

from __future__ import annotations

from typing import Final

from ludoteca.spec import within

LEVELS: Final = 8
"""The number of levels for people; every engine has as many."""


class EngineOptions:
    """How strong an engine plays and what it may use. Raises InvalidOption for values out of range.

    Not a dataclass: in a traceback its generated code would look like the agent's own, and a refusal like a crash.
    """

    def __init__(self, level: int = 0, memory: int = 256, threads: int = 1) -> None:
        self.level = within("engine", "level", level, 0, LEVELS)
        """1 (a beginner can beat it) to `LEVELS`; 0: full strength."""
        self.memory = within("engine", "memory", memory, 1, 65536)
        """Megabytes for its tables."""
        self.threads = within("engine", "threads", threads, 1, 64)


FULL_STRENGTH: Final = EngineOptions()
