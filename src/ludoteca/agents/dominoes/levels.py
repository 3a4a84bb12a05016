"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(16, 16.0),
    Level(16, 4.81),
    Level(16, 3.09),
    Level(16, 1.67),
    Level(16, 1.25),
    Level(16, 1.06),
    Level(16, 0.832),
    Level(16, 0.326),
)
