"""The levels of the engine, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 500.0),
    Level(1, 500.0),
    Level(1, 56.3),
    Level(1, 28.4),
    Level(1, 15.7),
    Level(3, 1.47),
    Level(5, 0.808),
    Level(7, 0.313),
)
