"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(64, 8.0),
    Level(64, 1.38),
    Level(64, 0.997),
    Level(64, 0.791),
    Level(64, 0.495),
    Level(64, 0.297),
    Level(64, 0.193),
    Level(64, 0.0),
)
