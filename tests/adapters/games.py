"""The games that the environments are tested with: our four in small, and a stranger's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ludoteca import games
from ludoteca.protocols import State

SPECS = ["hex:size=4", "horses:size=5", "dominoes", "kittens"]
NIM = Path(__file__).parents[2] / "docs" / "examples" / "ludoteca-nim"


@contextmanager
def installed_nim() -> Iterator[None]:
    """Within, the example's game is installed by its entry point, as a stranger's would be."""
    with pytest.MonkeyPatch.context() as monkeypatch, TemporaryDirectory() as site:
        information = Path(site, "ludoteca_nim-1.dist-info")
        information.mkdir()
        (information / "METADATA").write_text("Metadata-Version: 2.1\nName: ludoteca-nim\nVersion: 1\n")
        (information / "entry_points.txt").write_text("[ludoteca.games]\nnim = ludoteca_nim:Nim\n")
        monkeypatch.syspath_prepend(str(NIM))
        monkeypatch.syspath_prepend(site)
        games._entry_points.cache_clear()
        yield
    games._entry_points.cache_clear()


def other_worlds(state: State, seat: int, count: int = 8) -> list[State]:
    """States that differ from this one in nothing that `seat` may know, but do differ for the other seat."""
    worlds = [state.view(seat).sample(seed) for seed in range(count)]
    theirs = state.view(1 - seat)
    return [world for world in worlds if world.view(1 - seat) != theirs]
