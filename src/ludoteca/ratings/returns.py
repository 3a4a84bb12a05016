"""Mean returns: how agents compare in games whose results are amounts, such as chips.

The unit of observation is a pair of matches on the same deal with sides swapped, as everywhere: its two matches share
their luck, so their mean counts as one value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class MeanReturn:
    """A mean return per match with its 95% interval."""

    mean: float
    low: float
    high: float
    pairs: int
    """How many pairs of matches it comes from."""

    def scaled(self, stake: float) -> MeanReturn:
        """The same in amounts, where a return of 1 stands for `stake`."""
        return MeanReturn(stake * self.mean, stake * self.low, stake * self.high, self.pairs)

    def columns(self) -> dict[str, float]:
        """Plain values for a table."""
        return {"return": self.mean, "return_low": self.low, "return_high": self.high}

    def __str__(self) -> str:
        return f"{show_return(self.mean)} [{show_return(self.low)}, {show_return(self.high)}]"


@dataclass
class ReturnTally:
    """The returns of an agent by pairs: their number, mean and spread (Welford's sums, so that none is kept).

    >>> tally = ReturnTally()
    >>> for value in (1.0, 2.0, 3.0):
    ...     tally.add(value)
    >>> print(tally.estimate)
    +2 [−0.484, +4.48]
    """

    pairs: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """The sum of the squared distances from the mean."""

    def add(self, value: float) -> None:
        """Count a pair by the mean of its two returns."""
        self.pairs += 1
        step = value - self.mean
        self.mean += step / self.pairs
        self.squares += step * (value - self.mean)

    def __add__(self, other: ReturnTally) -> ReturnTally:
        pairs = self.pairs + other.pairs
        if not pairs:
            return ReturnTally()
        step = other.mean - self.mean
        mean = self.mean + step * other.pairs / pairs
        return ReturnTally(pairs, mean, self.squares + other.squares + step**2 * self.pairs * other.pairs / pairs)

    @property
    def estimate(self) -> MeanReturn:
        """The mean with Student's interval, which is infinite below two pairs."""
        from scipy.special import stdtrit  # here: who only counts results starts without SciPy

        if self.pairs < 2:
            return MeanReturn(self.mean, -math.inf, math.inf, self.pairs)
        error = math.sqrt(self.squares / (self.pairs - 1) / self.pairs)
        margin = float(stdtrit(self.pairs - 1, 0.975)) * error
        return MeanReturn(self.mean, self.mean - margin, self.mean + margin, self.pairs)


def show_return(value: float) -> str:
    """Three significant digits with a sign, as ``+1.19``, ``−0.5`` or ``0``.

    >>> show_return(1.1942), show_return(-13), show_return(0.0)
    ('+1.19', '−13', '0')
    """
    text = "∞" if math.isinf(value) else f"{abs(value):.3g}"
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"
