"""Agents for the tests, installed as a stranger's package would be: under entry points, found on the import path."""

from __future__ import annotations

import inspect
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca import agents
from tests.arena import faulty_agents


def _name(kind: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])", "-", kind).lower()


@pytest.fixture(scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    shutil.copy(inspect.getfile(faulty_agents), site / "faulty_agents.py")
    information = site / "faulty_agents-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-agents\nVersion: 1\n")
    kinds = [name for name, kind in inspect.getmembers(faulty_agents, inspect.isclass)
             if kind.__module__ == faulty_agents.__name__ and not name.startswith("_")]  # fmt: skip
    lines = [f"{_name(kind)} = faulty_agents:{kind}" for kind in kinds]
    (information / "entry_points.txt").write_text("\n".join(["[ludoteca.agents]", *lines, ""]))
    return site


@pytest.fixture(scope="module")
def faulty(_site: Path) -> Iterator[Path]:
    """From here on the agents of `faulty_agents` exist, in this process and in those that it starts."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(_site), os.environ.get("PYTHONPATH", "")]))
        monkeypatch.syspath_prepend(str(_site))
        agents._entry_points.cache_clear()
        yield _site
    agents._entry_points.cache_clear()
