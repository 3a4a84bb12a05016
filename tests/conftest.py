"""What all tests share: the same Hypothesis examples on every run, a state folder of their own, and a watchdog."""

import gc
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import sanitizer, watchdog
from tests.players import faulty_agents
from tests.strangers import installed

settings.register_profile("ludoteca", derandomize=True, deadline=None, max_examples=sanitizer.EXAMPLES)
settings.load_profile("ludoteca")

# Networks in tests are tiny: a second thread for one only waits, and each worker of pytest has a core of its own.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Tests that were started in the background ignore Ctrl-C, and so would the programs that they start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """The workers of a run have its watchdog already."""
    if not hasattr(config, "workerinput"):
        watchdog.start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A real browser may fail for reasons of its own, so its tests are tried again; what is wrong fails three times."""
    items[:] = sanitizer.some_cases(items)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2))


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end, so no collection of garbage needs to look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_state(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes your own unfinished match: its state is in ``state`` under its `tmp_path`.

    A test without `tmp_path` gets a folder that does not exist yet, since making thousands of them takes its time.
    """
    if "tmp_path" in request.fixturenames:
        folder = request.getfixturevalue("tmp_path")
    else:
        factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        folder = factory.getbasetemp() / "states" / uuid.uuid4().hex
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    os.environ.pop("LC_ALL", None)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The agents of `faulty_agents` are installed, in this process and in those that it starts."""
    with installed(faulty_agents, tmp_path_factory.mktemp("site")) as site:
        yield site
