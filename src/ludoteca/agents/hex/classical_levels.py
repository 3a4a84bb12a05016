"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(200, 8.0),
    Level(200, 8.0),
    Level(200, 4.0),
    Level(200, 1.72),
    Level(200, 0.619),
    Level(1049, 0.0),
    Level(2491, 0.0),
    Level(3200, 0.0),
)
