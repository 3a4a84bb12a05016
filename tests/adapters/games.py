"""The games that the environments are tested with: our four in small, and a stranger's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ludoteca import games
from ludoteca.protocols import State

SPECS = ["hex:size=4", "horses:size=5", "dominoes", "kittens"]
NIM = Path(__file__).parents[2] / "docs" / "examples" / "ludoteca-nim"


@contextmanager
def installed_nim() -> Iterator[None]:
    """Within, the example's game is installed by its entry point, as a stranger's would be."""
    nim = games._Entry(EntryPoint("nim", "ludoteca_nim:Nim", "ludoteca.games"), listed=True)
    points = dict(games._entry_points()) | {"nim": nim}
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(str(NIM))
        monkeypatch.setattr(games, "_entry_points", lambda: points)
        yield


def other_worlds(state: State, seat: int, count: int = 8) -> list[State]:
    """States that differ from this one in nothing that `seat` may know, but do differ for the other seat."""
    worlds = [state.view(seat).sample(seed) for seed in range(count)]
    theirs = state.view(1 - seat)
    return [world for world in worlds if world.view(1 - seat) != theirs]
