"""What is to be played: one match of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Fixture", "match_seed", "pairs"]


@dataclass(frozen=True)
class Fixture:
    """One match to be played; its index is its place in the run."""

    index: int
    agents: tuple[str, str]
    """The specs of the agents by seat."""
    seed: int


def match_seed(run_seed: int, pair: int) -> int:
    """The seed from which both matches of a pair are dealt; below 2**53, so that JSON holds it everywhere."""
    digest = hashlib.sha256(f"ludoteca match {run_seed} {pair}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 11


def pairs(first: str, second: str, run_seed: int, start: int, count: int) -> Iterator[Fixture]:
    """`count` matches from index `start` on, both even: pairs on the same deal with the seats exchanged.

    >>> [(fixture.index, fixture.agents) for fixture in pairs("a", "b", 0, 0, 4)]
    [(0, ('a', 'b')), (1, ('b', 'a')), (2, ('a', 'b')), (3, ('b', 'a'))]
    """
    for index in range(start, start + count):
        seats = (first, second) if index % 2 == 0 else (second, first)
        yield Fixture(index, seats, match_seed(run_seed, index // 2))
