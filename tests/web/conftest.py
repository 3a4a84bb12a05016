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

from tests.web.browser import Browser

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its tables and finds what the arena has played, as XDG_STATE_HOME."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def address(state: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the server listens that serves this module's tests."""
    # A module that sends what no browser sends says so: NiceGUI logs it, and that is all it does with it.
    noisy = getattr(request.module, "NOISY", False)
    with served(state, noisy=noisy) as listening:
        yield listening


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
        told = log.read()
        log.close()
    assert noisy or "Traceback" not in told, told


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


@pytest.fixture
def browser(address: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser with an empty profile; the parameter, if any, is its width, height and language."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    width, height, language = getattr(request, "param", (1280, 900, "en"))
    opened = Browser(address, CHROMIUM, DRIVER, tmp_path / "profile", width, height, language)
    try:
        yield opened
    finally:
        opened.close()
