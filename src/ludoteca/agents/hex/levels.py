"""The levels of the engine, chosen by hand from what ``python -m bench.strength.levels`` fit and measured.

The fit's own choice makes level 8 too weak: it counts 128 simulations as full strength, and the engine has time for
more.
"""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 30.0),
    Level(1, 15.5),
    Level(1, 12.7),
    Level(1, 10.4),
    Level(1, 7.9),
    Level(1, 5.1),
    Level(1, 3.0),
    Level(16, 0.0),
)
