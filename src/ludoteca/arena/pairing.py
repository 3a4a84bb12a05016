"""Who meets whom: small functions of the results so far, the same for the same results. Agents are numbers here."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["against_references", "bracket", "gauntlet", "round_robin", "swiss"]

Pairing = tuple[int, int]


def round_robin(count: int) -> list[Pairing]:
    """Everybody once against everybody, in an order in which nobody waits long.

    >>> round_robin(4)
    [(0, 3), (1, 2), (3, 2), (0, 1), (1, 3), (2, 0)]
    """
    # The circle: one stays, the others move round it by one place a round; None is a round off.
    places: list[int | None] = [*range(count), *([None] if count % 2 else [])]
    half, met = len(places) // 2, []
    for _ in range(len(places) - 1):
        for left, right in zip(places[:half], reversed(places[half:]), strict=True):
            if left is not None and right is not None:
                met.append((left, right))
        places.insert(1, places.pop())
    return met


def gauntlet(count: int) -> list[Pairing]:
    """The first against each of the others.

    >>> gauntlet(3)
    [(0, 1), (0, 2)]
    """
    return [(0, other) for other in range(1, count)]


def against_references(count: int, references: int) -> list[Pairing]:
    """Each of the first agents against each of the last ones, which are the `references`.

    >>> against_references(4, 2)
    [(0, 2), (1, 2), (0, 3), (1, 3)]
    """
    others = count - references
    return [(agent, reference) for reference in range(others, count) for agent in range(others)]


def swiss(
    points: Sequence[float], met: Collection[frozenset[int]], rested: Collection[int]
) -> tuple[list[Pairing], int | None]:
    """A Swiss round: equals against equals, nobody twice against the same, and who rests if the number is odd.

    The one that rests is the last in the table that has not rested yet. Where it is impossible to avoid meeting
    again, as few pairings as possible from the bottom of the table up repeat.

    >>> swiss([1, 1, 0, 0], {frozenset({0, 2}), frozenset({1, 3})}, set())
    ([(0, 1), (2, 3)], None)
    """
    table = sorted(range(len(points)), key=lambda agent: (-points[agent], agent))
    resting = None
    if len(table) % 2:
        resting = next((agent for agent in reversed(table) if agent not in rested), table[-1])
        table.remove(resting)
    for repeats in range(len(table) // 2 + 1):
        found = _pair(table, met, repeats, [200_000])
        if found is not None:
            return found, resting
    return [(table[i], table[i + 1]) for i in range(0, len(table), 2)], resting


def _pair(
    table: Sequence[int], met: Collection[frozenset[int]], repeats: int, patience: list[int]
) -> list[Pairing] | None:
    """Pairs from the top of the table down, going back on a choice that leaves somebody without a new opponent."""
    if not table:
        return []
    first, rest = table[0], table[1:]
    for place, second in enumerate(rest):
        patience[0] -= 1
        if patience[0] < 0:
            return None
        again = frozenset((first, second)) in met
        if again and not repeats:
            continue
        others = _pair([*rest[:place], *rest[place + 1 :]], met, repeats - again, patience)
        if others is not None:
            return [(first, second), *others]
    return None


def bracket(count: int) -> list[int | None]:
    """The places of a knock-out, neighbours meeting first: early agents meet late; None is a walk-over.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    places = [0]
    while len(places) < count:
        places = [agent for place in places for agent in (place, 2 * len(places) - 1 - place)]
    return [place if place < count else None for place in places]
