"""A server of our own on a free port, and a real browser in front of it."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException

from tests.web.browser import DESK, Browser, Screen
from tests.web.server_forks import ServerForks

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server for all modules that need none of their own, and the folder where it keeps what it keeps."""
    folder = tmp_path_factory.mktemp("common")
    with served(folder) as listening:
        yield listening, folder


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Where the server of this module's tests listens, and its folder.

    It is the module's own where the module says `OWN_SERVER`: that it expects only its own matches in the store; or
    `NOISY`: that it sends what no browser sends, which NiceGUI logs, and that is all it does with it.
    """
    noisy = getattr(request.module, "NOISY", False)
    if noisy or getattr(request.module, "OWN_SERVER", False):
        folder = tmp_path_factory.mktemp("state")
        with served(folder, noisy=noisy) as listening:
            yield listening, folder
    else:
        listening, folder = request.getfixturevalue("common")
        yield listening, folder
        found = (folder / "log").read_text()
        assert "Traceback" not in found, found


@pytest.fixture(scope="module")
def address(server: tuple[str, Path]) -> str:
    """Where the server listens."""
    return server[0]


@pytest.fixture(scope="module")
def state(server: tuple[str, Path]) -> Path:
    """Where the server keeps its tables and finds what the arena has played, as XDG_STATE_HOME."""
    return server[1]


@contextmanager
def served(state: Path, *options: str, noisy: bool = False) -> Iterator[str]:
    """A server of ours with these options; within, its address. Unless it is `noisy` it may log no traceback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # NiceGUI behaves differently under pytest; the server that is tested must be the one that is shipped.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    forks = server_forks(environment.get("PYTHONPATH", ""))
    with (state / "log").open("w+") as log:
        words = ["serve", "--port", str(port), *options]
        with forks.start(words, environment | {"XDG_STATE_HOME": str(state)}, state, log.fileno()) as server:
            try:
                assert str(port).encode() in server.stdout.readline(), (state / "log").read_text()
                yield f"http://127.0.0.1:{port}"
            finally:
                server.terminate()
                server.wait(timeout=120)
        log.seek(0)
        found = log.read()
    assert noisy or "Traceback" not in found, found


@cache
def server_forks(path: str) -> ServerForks:
    """What forks the servers of this process that have this PYTHONPATH."""
    return ServerForks(path)


def pytest_sessionfinish() -> None:
    server_forks.cache_clear()


class Running:
    """The browser of this process: started for the first test that needs one, and again when it has failed."""

    def __init__(self, profiles: pytest.TempPathFactory) -> None:
        self._profiles = profiles
        self._browser: Browser | None = None

    def take(self, address: str, screen: Screen) -> Browser:
        """A browser that knows nothing, in front of this server."""
        if self._browser is None:
            assert CHROMIUM is not None and DRIVER is not None
            self._browser = Browser(CHROMIUM, DRIVER, self._profiles.mktemp("profile"))
        self._browser.address = address
        try:
            self._browser.emulate(screen)
        except WebDriverException:
            self.end()
            raise
        return self._browser

    def give_back(self) -> None:
        """Forgets what the test has left in the browser; a browser that cannot even do that is ended."""
        assert self._browser is not None
        try:
            self._browser.forget()
        except WebDriverException:
            self.end()

    def end(self) -> None:
        if self._browser is not None:
            self._browser.close()
            self._browser = None


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Starting a browser takes longer than most of what is tried in it, so one serves all tests."""
    kept = Running(tmp_path_factory)
    yield kept
    kept.end()


@pytest.fixture
def browser(address: str, running: Running, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser without a past; the parameter, if any, is its screen."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    yield running.take(address, getattr(request, "param", DESK))
    running.give_back()
