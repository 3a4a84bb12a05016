"""The levels of the engine without a network, as ``python -m bench.strength.levels fit`` found them."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(3, 400.0),
    Level(117, 6.76),
    Level(200, 1.48),
    Level(200, 0.746),
    Level(200, 0.252),
    Level(200, 0.0503),
    Level(718, 0.0),
    Level(3279, 0.0),
)
