"""Agents that hang or fail, and the buttons against them, in a real browser in front of a server with one place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser import DESK, Browser
from tests.web.conftest import CHROMIUM, DRIVER, Running

pytestmark = pytest.mark.browser


@pytest.fixture
def narrow_browser(narrow: str, running: Running) -> Iterator[Browser]:
    """A browser in front of the server with rough agents."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    yield running.take(narrow, DESK)
    running.give_back()


@pytest.mark.parametrize("agent", ["hangs-in-python", "hangs-in-c", "hangs-suspended"])
def test_play_now_plays_the_thought_that_is_shown(narrow_browser: Browser, agent: str) -> None:
    browser = narrow_browser
    browser.begin("hex:size=4", f"{agent}|person", "30s")
    browser.until(lambda: "my only thought" in browser.text(".thought").lower())
    browser.button("Play now")
    browser.until(lambda: browser.count == 1 and "Your turn" in browser.text(".status"))
    assert "b1" in browser.text(".moves") and not browser.all(".trouble")


def test_who_has_no_thought_yet_plays_when_it_has_and_who_fails_can_be_replaced(narrow_browser: Browser) -> None:
    browser = narrow_browser
    browser.begin("hex:size=4", "waits|person", "30s")
    browser.button("Play now")
    browser.until(lambda: "has not thought of anything yet; it plays as soon as it has" in browser.text(".status"))
    assert browser.count == 0 and not browser.all(".trouble") and not browser.all('[data-do="play_now"]')
    browser.begin("hex:size=4", "quits|person")
    browser.until(lambda: "quits: SystemExit: 3" in browser.text(".trouble"))
    browser.button("Try again")
    browser.until(lambda: "quits: SystemExit: 3" in browser.text(".trouble"))
    browser.click('.status a[href^="/new/hex"]')
    browser.until(lambda: "/new/hex?game=" in browser.driver.current_url and browser.all(".setup"))
