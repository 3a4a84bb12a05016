"""Who plays whom: pure functions of the results so far. Agents are numbers here."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Pairing = tuple[int, int]


def round_robin(count: int) -> list[Pairing]:
    """Everyone against everyone once, ordered so that no agent waits long.

    >>> round_robin(4)
    [(0, 3), (1, 2), (3, 2), (0, 1), (1, 3), (2, 0)]
    """
    # The circle method: one agent stays, the others move on by one place each round; None is a bye.
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
    """Every other agent against each of the `references`, which are the last ones.

    >>> against_references(4, 2)
    [(0, 2), (1, 2), (0, 3), (1, 3)]
    """
    others = count - references
    return [(agent, reference) for reference in range(others, count) for agent in range(others)]


def swiss(
    points: Sequence[float], met: Collection[frozenset[int]], byes: Sequence[int]
) -> tuple[list[Pairing], int | None]:
    """A Swiss round: agents with equal points meet, no two meet twice; with an odd number, also who has the bye.

    byes: how many each agent has had. The next goes to one with the fewest, the lowest of these in the table. If
    pairings must repeat, as few as possible do, from the bottom of the table up.

    >>> swiss([1, 1, 0, 0], {frozenset({0, 2}), frozenset({1, 3})}, [0, 0, 0, 0])
    ([(0, 1), (2, 3)], None)
    """
    table = sorted(range(len(points)), key=lambda agent: (-points[agent], agent))
    resting = None
    if len(table) % 2:
        resting = min(reversed(table), key=lambda agent: byes[agent])
        table.remove(resting)
    for repeats in range(len(table) // 2 + 1):
        found = _pair(table, met, repeats, [200_000])
        if found is not None:
            return found, resting
    return [(table[i], table[i + 1]) for i in range(0, len(table), 2)], resting


def _pair(
    table: Sequence[int], met: Collection[frozenset[int]], repeats: int, patience: list[int]
) -> list[Pairing] | None:
    """Pairs from the top of the table down, backtracking when an agent is left without a new opponent."""
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
    """The places of a knock-out, where neighbours meet first; agents named early meet late. None is a walk-over.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    places = [0]
    while len(places) < count:
        places = [agent for place in places for agent in (place, 2 * len(places) - 1 - place)]
    return [place if place < count else None for place in places]
