"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(100, 0.8),
    Level(150, 0.6),
    Level(200, 0.4),
    Level(300, 0.3),
    Level(500, 0.2),
    Level(1000, 0.1),
    Level(3000, 0.0),
    Level(20000, 0.0),
)
