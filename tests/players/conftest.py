from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.players import adversaries as agents
from tests.strangers import installed


@pytest.fixture(scope="module")
def adversaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The agents of `adversaries` exist; the folder of the file in which `searches` reads what to look for."""
    folder = tmp_path_factory.mktemp("wanted")
    with pytest.MonkeyPatch.context() as monkeypatch, installed(agents, tmp_path_factory.mktemp("site")):
        monkeypatch.setenv("WANTED", str(folder / "wanted"))
        yield folder
