"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 8000.0),
    Level(1, 580.0),
    Level(1, 46.4),
    Level(1, 23.3),
    Level(2, 5.57),
    Level(3, 1.88),
    Level(6, 0.539),
    Level(8, 0.0),
)
