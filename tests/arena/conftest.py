"""The agents of `faulty_agents`, installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena import faulty_agents
from tests.strangers import installed


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """From here on the agents of `faulty_agents` exist, in this process and in those that it starts."""
    with installed(faulty_agents, tmp_path_factory.mktemp("site")) as site:
        yield site
