"""A server of our own on a free port, and a real browser in front of it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException

from tests.web.browser import Browser

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its tables and finds what the arena has played, as XDG_STATE_HOME."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server for all modules that only visit it, and the folder where it keeps what it keeps."""
    folder = tmp_path_factory.mktemp("common")
    with served(folder) as listening:
        yield listening, folder


@pytest.fixture(scope="module")
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the server listens that serves this module's tests.

    It is the module's own where a test looks into its folder (`state`), or says `NOISY`: that it sends what no browser
    sends, which NiceGUI logs, and that is all it does with it.
    """
    noisy = getattr(request.module, "NOISY", False)
    here = [item for item in request.session.items if item.path == request.path]
    if noisy or any("state" in getattr(item, "fixturenames", ()) for item in here):
        with served(request.getfixturevalue("state"), noisy=noisy) as listening:
            yield listening
    else:
        listening, folder = request.getfixturevalue("common")
        yield listening
        found = (folder / "log").read_text()
        assert "Traceback" not in found, found


@contextmanager
def served(state: Path, *options: str, noisy: bool = False) -> Iterator[str]:
    """A server of ours with these options; within, its address. Unless it is `noisy` it may log no traceback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (state / "log").open("w+")
    # NiceGUI behaves differently under pytest; the server that is tested must be the one that is shipped.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    server = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", "serve", "--port", str(port), *options],
        stdout=log, stderr=subprocess.STDOUT, env=environment | {"XDG_STATE_HOME": str(state)}, cwd=state,
    )  # fmt: skip
    try:
        _wait(f"http://127.0.0.1:{port}/", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.seek(0)
        found = log.read()
        log.close()
    assert noisy or "Traceback" not in found, found


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 300  # seconds; a busy machine is slow, but it gets there
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(address, timeout=10).close()
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise TimeoutError(address)


Kind = tuple[int, int, str]
"""The width, height and language of a browser."""


class Running:
    """The browsers of the two kinds that were used last; a test gets the one of its kind, emptied."""

    def __init__(self) -> None:
        self.browsers: dict[Kind, Browser] = {}

    def take(self, address: str, kind: Kind, profiles: pytest.TempPathFactory) -> Browser:
        """A browser that knows nothing, in front of this server."""
        browser = self.browsers.pop(kind, None)
        if browser is None:
            while len(self.browsers) > 1:
                self.end(next(iter(self.browsers)))
            assert CHROMIUM is not None and DRIVER is not None
            browser = Browser(CHROMIUM, DRIVER, profiles.mktemp("profile"), *kind)
        self.browsers[kind] = browser  # the last, so that the other kind ends first
        browser.address = address
        return browser

    def give_back(self, kind: Kind) -> None:
        """Forgets what the test has left in its browser; a browser that cannot even do that is ended."""
        try:
            self.browsers[kind].forget()
        except WebDriverException:
            self.end(kind)

    def end(self, kind: Kind) -> None:
        """Ends the browser of this kind."""
        self.browsers.pop(kind).close()


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """Starting a browser takes longer than most of what is tried in it, so that one serves many tests."""
    kept = Running()
    yield kept
    for kind in list(kept.browsers):
        kept.end(kind)


@pytest.fixture
def browser(
    address: str, running: Running, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Browser]:
    """A browser without a past; the parameter, if any, is its width, height and language."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    kind = getattr(request, "param", (1280, 900, "en"))
    yield running.take(address, kind, tmp_path_factory)
    running.give_back(kind)
