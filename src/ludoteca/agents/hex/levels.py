"""The levels of the engine, chosen by hand from what ``python -m bench.strength.levels`` fit and measured.

The fit's own choice makes level 8 too weak: it counts 128 simulations as full strength, and the engine has time for
more.
"""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 30.0),
    Level(1, 14.5),
    Level(1, 11.4),
    Level(1, 8.2),
    Level(1, 5.3),
    Level(1, 2.3),
    Level(5, 0.0),
    Level(24, 0.0),
)
