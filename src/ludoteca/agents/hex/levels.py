"""The levels of the engine, chosen by hand from the ratings that ``python -m bench.strength.levels fit`` printed.

Its own choice makes level 8 too weak: it counts 128 simulations as full strength, and the engine has time for more.
"""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(1, 30.0),
    Level(1, 13.9),
    Level(1, 10.7),
    Level(1, 7.6),
    Level(1, 4.5),
    Level(1, 1.9),
    Level(6, 0.0),
    Level(32, 0.0),
)
