"""The interval of a share, such as a win rate."""

from __future__ import annotations

import math

from ludoteca.ratings.elo import NORMAL_95


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a mean of `count` independent numbers from 0 to 1.

    >>> [round(end, 3) for end in wilson(0.6, 100)]
    [0.502, 0.691]
    """
    z = NORMAL_95
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
