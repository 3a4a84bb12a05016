"""What to call agents where a person reads: as short as tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from ludoteca import spec as specs
from ludoteca.errors import InvalidAgent

__all__ = ["short_names"]


def short_names(identities: Iterable[str]) -> dict[str, str]:
    """For each identity its spec, of a file's path only the last parts; with the digest where two would read the same.

    >>> short_names(["astar:depth=4@11111111", "a/solution.py@22222222"])
    {'astar:depth=4@11111111': 'astar:depth=4', 'a/solution.py@22222222': 'a/solution.py'}
    >>> short_names(["htp:command=/usr/bin/mohex --fast,log=/tmp/said@33333333"])
    {'htp:command=/usr/bin/mohex --fast,log=/tmp/said@33333333': 'htp:mohex --fast'}
    >>> sorted(short_names(["random@11111111", "random@22222222"]).values())
    ['random@11111111', 'random@22222222']
    """
    unique = list(dict.fromkeys(identities))
    for parts in (2, 100):
        plain = {each: _shortened(each.rpartition("@")[0] or each, parts) for each in unique}
        if len(set(plain.values())) == len(unique):
            return plain
    often = Counter(plain.values())
    return {each: name if often[name] == 1 else _shortened(each, 100) for each, name in plain.items()}


def _shortened(name: str, parts: int) -> str:
    """A path without all but its last parts, of a command line the program's name; an agent's name as it is."""
    if "/" not in name:
        return name
    if name.startswith("htp:"):
        program, _, arguments = specs.split(name, InvalidAgent)[1].get("command", "").partition(" ")
        return name if parts > 2 else f"htp:{PurePath(program).name} {arguments}".rstrip()
    return "/".join(PurePath(name).parts[-parts:])
