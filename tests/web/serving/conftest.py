"""A server that is as small as can be, with agents that treat it badly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.strangers import installed
from tests.web import rough_agents
from tests.web.conftest import served


@pytest.fixture(scope="session")
def narrow_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where that server keeps what it keeps."""
    return tmp_path_factory.mktemp("narrow")


@pytest.fixture(scope="session")
def narrow(narrow_state: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on which the agents of `rough_agents` are installed, one may think and one may wait."""
    with ExitStack() as running:
        with installed(rough_agents, tmp_path_factory.mktemp("site")):  # for the server, not for other tests here
            options = ("--thinkers", "1", "--queue", "1", "--memory", "256")
            address = running.enter_context(served(narrow_state, *options))
        yield address
