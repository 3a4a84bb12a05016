"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(16, 8.0),
    Level(16, 6.33),
    Level(16, 4.36),
    Level(16, 3.0),
    Level(16, 2.07),
    Level(16, 1.35),
    Level(16, 0.9),
    Level(16, 0.57),
)
