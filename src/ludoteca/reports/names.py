"""What to call agents where they stand side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ludoteca.agents.identity import Identity

__all__ = ["shown_names"]


def shown_names(identities: Iterable[str]) -> dict[str, str]:
    """For each identity its name and options, with the digest only where they do not tell it from another.

    >>> shown_names(["astar@1f3a9c20", "mine.Player@00c0ffee", "mine.Player@5eed5eed"])["astar@1f3a9c20"]
    'astar'
    """
    parsed = {identity: Identity.parse(identity) for identity in identities}
    shared = Counter(each.spec for each in parsed.values())
    return {text: text if shared[each.spec] > 1 else each.spec for text, each in parsed.items()}
