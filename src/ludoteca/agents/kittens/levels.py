"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(64, 16.0),
    Level(64, 1.07),
    Level(64, 0.772),
    Level(64, 0.612),
    Level(64, 0.44),
    Level(64, 0.273),
    Level(64, 0.142),
    Level(64, 0.0),
)
