"""Agents for the tests, installed as a stranger's package would be: under entry points, found on the import path."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from ludoteca.agents import registry


def _name(kind: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])", "-", kind).lower()


def _pack(module: ModuleType, site: Path) -> None:
    """Makes `site` a folder of installed packages that holds a module's classes as agents."""
    package = module.__name__.rpartition(".")[2]
    shutil.copy(inspect.getfile(module), site / f"{package}.py")
    information = site / f"{package}-1.dist-info"
    information.mkdir()
    name = package.replace("_", "-")
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    kinds = [name for name, kind in inspect.getmembers(module, inspect.isclass)
             if kind.__module__ == module.__name__ and not name.startswith("_")]  # fmt: skip
    lines = [f"{_name(kind)} = {package}:{kind}" for kind in kinds]
    (information / "entry_points.txt").write_text("\n".join(["[ludoteca.agents]", *lines, ""]))


@contextmanager
def installed(module: ModuleType, site: Path) -> Iterator[Path]:
    """Within, a module's public classes are agents, in this process and in those that it starts: ``NotBuilt`` is
    called ``not-built``. `site` is an empty folder."""
    _pack(module, site)
    with pytest.MonkeyPatch.context() as monkeypatch:
        paths = [str(site), os.environ.get("PYTHONPATH", "")]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))  # an empty one is the current folder
        monkeypatch.syspath_prepend(str(site))
        registry._entry_points.cache_clear()
        yield site
    registry._entry_points.cache_clear()
    sys.modules.pop(module.__name__.rpartition(".")[2], None)  # the next that is installed lies elsewhere
