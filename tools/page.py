"""A server on a free port and a headless Chromium, for tools and benches that look at the page."""

from __future__ import annotations

import http.cookiejar
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PATIENCE = 60.0  # seconds


@contextmanager
def served(state: Path) -> Iterator[str]:
    """A server that keeps its matches under `state`; within, its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", "serve", "--port", str(port)],
        stdout=subprocess.DEVNULL, env=os.environ | {"XDG_STATE_HOME": str(state)}, cwd=state,
    )  # fmt: skip
    try:
        wait_for_page(f"http://127.0.0.1:{port}/learn", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=30)


def wait_for_page(address: str, server: subprocess.Popen[bytes]) -> None:
    """Returns once the server answers at this address."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=10).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise SystemExit(f"the server did not start at {address}")


@contextmanager
def chromium(profile: Path, *flags: str, logs: tuple[str, ...] = ()) -> Iterator[webdriver.Chrome]:
    """A browser that makes no requests of its own; logs: the logs to keep, such as `performance`."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        raise SystemExit("this needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}",
        *flags,
    ):  # fmt: skip
        options.add_argument(flag)
    if logs:
        options.set_capability("goog:loggingPrefs", dict.fromkeys(logs, "ALL"))
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


class Somebody:
    """A visitor by plain HTTP, whose cookie a browser can then use to open a table at once."""

    def __init__(self, address: str) -> None:
        self.address, self.jar = address, http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self._opener.open(address + "/learn").close()

    def table(self, game: str, seats: str = "person|random", **more: str) -> str:
        """The address of a new table; `more` are other fields of the form, such as seed and actions."""
        form = urllib.parse.urlencode({"game": game, "seats": seats, **more}).encode()
        with self._opener.open(self.address + "/table", form) as answer:
            return str(answer.url)

    def lend(self, driver: webdriver.Chrome) -> None:
        """Lets a browser be this visitor."""
        for cookie in self.jar:
            driver.execute_cdp_cmd(
                "Network.setCookie", {"name": cookie.name, "value": cookie.value, "url": self.address}
            )
