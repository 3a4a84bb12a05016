"""Hypothesis searches the same examples on every run: a red test stays red until it is mended."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.players import faulty_agents
from tests.strangers import installed

settings.register_profile("ludoteca", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("ludoteca")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Tests that were started in the background ignore Ctrl-C, and so would the programs that they start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = (
    "arena/test_ray.py", "adapters/test_ppo.py", "arena/test_runs.py", "learn/test_dqn.py", "learn/test_zero.py",
    "test_notebooks.py", "test_site.py", "test_extension.py", "web/test_in_spanish.py", "web/test_watch.py",
)  # fmt: skip
"""Files of few tests that take long: begun at last, one of them would run alone while the other cores wait for it."""


def pytest_configure(config: pytest.Config) -> None:
    """Files are given to the workers in our order, not those with most tests first (pytest-xdist 3.7)."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first. What another program can make fail is tried again; what is wrong fails three times."""
    items.sort(key=lambda item: not str(item.path).endswith(LONGEST))
    for item in items:
        if item.get_closest_marker("clock") or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2))


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the unfinished match of whoever runs it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    os.environ.pop("LC_ALL", None)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """From here on the agents of `faulty_agents` exist, in this process and in those that it starts."""
    with installed(faulty_agents, tmp_path_factory.mktemp("site")) as site:
        yield site
