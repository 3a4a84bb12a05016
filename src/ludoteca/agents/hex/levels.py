"""The levels of the engine, chosen by hand from what ``python -m bench.strength.levels`` fit and measured.

The fit's own choice makes level 8 too weak: it counts 128 simulations as full strength, and the engine has time for
more.
"""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 30.0),
    Level(1, 16.0),
    Level(1, 13.3),
    Level(1, 10.2),
    Level(1, 7.6),
    Level(1, 4.9),
    Level(1, 0.3),
    Level(18, 0.0),
)
