"""The levels of the engine, chosen by hand from the ratings that ``python -m bench.strength.levels fit`` printed.

It had 12 pairs for every two, too few for its own choice: levels 1 and 2 were the same.
"""

from __future__ import annotations

from typing import Final

from ludoteca.agents.levels import Level

LEVELS: Final = (
    Level(200, 16.0),
    Level(200, 6.0),
    Level(200, 3.0),
    Level(200, 1.5),
    Level(200, 0.4),
    Level(1000, 0.0),
    Level(2500, 0.0),
    Level(6000, 0.0),
)
