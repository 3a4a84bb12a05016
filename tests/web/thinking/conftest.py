"""Rough agents, and a sign of when one has begun to think."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strangers import installed
from tests.web import rough_agents


@pytest.fixture
def rough(tmp_path: Path) -> Iterator[None]:
    """The agents of `rough_agents` exist."""
    (tmp_path / "site").mkdir()
    with installed(rough_agents, tmp_path / "site"):
        yield


@pytest.fixture
def loops_begins(rough: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """From where a byte can be read for each time that the agent `loops` has begun to think."""
    os.mkfifo(tmp_path / "begun")
    fifo = os.open(tmp_path / "begun", os.O_RDWR)
    monkeypatch.setenv(rough_agents.BEGUN, str(tmp_path / "begun"))
    yield fifo
    os.close(fifo)
