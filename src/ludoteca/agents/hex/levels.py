"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 14),
    Level(1, 9),
    Level(1, 6),
    Level(1, 4),
    Level(1, 2.5),
    Level(1, 1),
    Level(1, 0.0),
    Level(32, 0.0),
)
