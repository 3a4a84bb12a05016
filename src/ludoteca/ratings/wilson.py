"""The interval of a share that is no score of paired matches: for those see `ludoteca.ratings.elo.score_interval`."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from ludoteca.ratings.elo import NORMAL_95


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's 95% interval of a mean of `count` numbers from 0 to 1: single trials, independent of each other.

    >>> [round(end, 3) for end in wilson(0.6, 100)]
    [0.502, 0.691]
    """
    z = NORMAL_95
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


class ClusteredMean(NamedTuple):
    """A mean of numbers that come in clusters, such as the choices of one match: only clusters are independent."""

    mean: float
    error: float
    """The standard error, as of a ratio of sums over clusters."""
    clusters: int

    @classmethod
    def of(cls, found: Sequence[tuple[float, Hashable]]) -> ClusteredMean:
        """From numbers, each with its cluster. Raises ValueError without any."""
        if not found:
            raise ValueError("there is nothing to average")
        sums: dict[Hashable, tuple[float, int]] = {}
        for number, cluster in found:
            total, count = sums.get(cluster, (0.0, 0))
            sums[cluster] = total + number, count + 1
        mean = math.fsum(total for total, _ in sums.values()) / len(found)
        squares = math.fsum((total - mean * count) ** 2 for total, count in sums.values())
        clusters = len(sums)
        spread = squares * clusters / max(1, clusters - 1)
        return cls(mean, math.sqrt(spread) / len(found), clusters)

    def interval(self, most: float) -> tuple[float, float]:
        """For numbers from 0 to 1: Wilson's, of as many independent trials as would have this standard error.

        most: trials that are taken to be independent at most: all numbers, or, if those of a cluster share one result,
        the clusters.

        >>> [round(end, 3) for end in ClusteredMean.of([(1, "a"), (1, "a"), (0, "b"), (0, "b")]).interval(4)]
        [0.055, 0.945]
        """
        count = self.clusters if self.error == 0 else min(most, self.mean * (1 - self.mean) / self.error**2)
        return wilson(self.mean, count)
