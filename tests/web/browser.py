"""What a person does with the page, by name, so that the tests read like one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    JavascriptException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

NOT_YET = (StaleElementReferenceException, ElementClickInterceptedException, ElementNotInteractableException)
"""Something is being drawn anew, or a message lies over it: it will be there in a moment."""
SCRIPT_LOST = (JavascriptException, TimeoutException)
"""What happens to a script when another page is loaded in that moment."""
PATIENCE = 60.0  # seconds; a busy machine is slow, but it gets there
BLANK = "/static/boards.css"
"""A page of our server that shows a little text and runs nothing."""
Screen = tuple[int, int, str]
"""Width and height in pixels, and the language that the browser prefers."""
DESK, PHONE = (1280, 900, "en"), (390, 844, "es")

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-default-apps", "--disable-breakpad", "--disable-field-trial-config", "--disable-back-forward-cache",
)  # fmt: skip
UNUSED = ("MediaRouter", "OptimizationHints", "PaintHolding", "RenderDocument", "Translate")
"""What Chromium would do at each page besides showing it."""

NEXT_CHANGE = """
const [seen, done] = arguments;
if (!window.changes) {
  window.changes = new EventTarget();
  window.changes.count = 0;
  new MutationObserver(() => { window.changes.count++; window.changes.dispatchEvent(new Event("change")); })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}
const answer = () => done(window.changes.count);
if (window.changes.count !== seen) answer();
else {
  const later = setTimeout(answer, 250);  // not everything that tests wait for is in the document
  window.changes.addEventListener("change", () => { clearTimeout(later); setTimeout(answer, 30); }, { once: true });
}
"""
"""Waits until the document is another than when it had seen so many changes, and says how many it has seen now."""
SHOWN_TEXT = """
const shown = [...document.querySelectorAll(arguments[0])].filter(each => each.checkVisibility());
return shown.map(each => each.innerText ?? each.textContent).join("\\n");
"""
SUBMIT = """
const [fields, done] = arguments;
fetch("/learn").then(() => {  // which makes us a visitor whom the server knows
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "/table" });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { name, value }));
  }
  document.body.append(form);
  setTimeout(() => form.submit());
  done();
});
"""


class Browser:
    """Chromium without a window, in front of our server. One serves all tests: its screen and language are emulated."""

    address = ""
    """Where our server listens."""

    def __init__(self, binary: str, driver: str, profile: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (
            *FLAGS, f"--disable-features={','.join(UNUSED)}", f"--user-data-dir={profile}",
            f"--window-size={DESK[0]},{DESK[1]}",
        ):  # fmt: skip
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self._name = self.driver.execute_cdp_cmd("Browser.getVersion", {})["userAgent"]

    def close(self) -> None:
        self.driver.quit()

    def emulate(self, screen: Screen) -> None:
        """Shows pages on a screen of this size, to somebody who reads this language."""
        width, height, language = screen
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        reader = {"userAgent": self._name, "acceptLanguage": language}
        self.driver.execute_cdp_cmd("Emulation.setUserAgentOverride", reader)

    def forget(self) -> None:
        """Leaves the page and loses all that a server can find again; only the files it has loaded stay."""
        first, *others = self.driver.window_handles
        for each in others:
            self.driver.switch_to.window(each)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.driver.get(self.address + BLANK)
        self.driver.execute_cdp_cmd("Page.resetNavigationHistory", {})
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        self.driver.get_log("browser")  # type: ignore[no-untyped-call]

    def open(self, path: str) -> None:
        self.driver.get(self.address + path)
        self.until(lambda: self.connected() and self.all(".top"))

    def connected(self) -> bool:
        found: bool = self.driver.execute_script("return !!window.socket && window.socket.connected")
        return found

    def until(self, done: Callable[[], object]) -> None:
        """Waits until something is so: looks whenever the document has changed."""
        end, seen = time.monotonic() + PATIENCE, -1
        while True:
            try:
                if done():
                    return
            except NOT_YET:
                pass
            assert time.monotonic() < end, f"never happened; the page says: {self.text()[:1500]}"
            try:
                seen = self.driver.execute_async_script(NEXT_CHANGE, seen)
            except SCRIPT_LOST:
                seen = -1

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def number(self, selector: str) -> int:
        """How many elements a selector finds."""
        found: int = self.driver.execute_script("return document.querySelectorAll(arguments[0]).length", selector)
        return found

    def text(self, selector: str = "body") -> str:
        """What can be read in all that a selector finds."""
        found: str = self.driver.execute_script(SHOWN_TEXT, selector)
        return found

    def click(self, selector: str, which: int = 0) -> None:
        """Clicks, even when the element is being drawn anew just now."""

        def clicked() -> bool:
            found = self.all(selector)
            if not found:
                return False
            found[which].click()
            return True

        self.until(clicked)

    def button(self, text: str) -> None:
        """Presses the button that says so, as soon as it is there and can be pressed."""
        path = f"//button[contains(normalize-space(.), '{text}')]"

        def pressed() -> bool:
            for each in self.driver.find_elements(By.XPATH, path):
                if each.is_displayed() and each.is_enabled():
                    each.click()
                    return True
            return False

        self.until(pressed)

    def stop_analysis(self) -> None:
        """Ends what agents think about the position, if they still do: they would go on after the page is left."""

        def stopped() -> bool:
            found = self.all('.analysis [data-do="stop"]')
            for each in found:
                each.click()
            return not found

        self.until(stopped)

    def begin(self, game: str, seats: str = "person|random", limit: str = "1s", start: str = "") -> None:
        """Begins a match at once, without the page where it is set up: `test_start_browser` goes by that page."""
        if self.driver.current_url != self.address + BLANK:  # where `forget` has left it
            self.driver.get(self.address + BLANK)
        self.driver.execute_async_script(SUBMIT, {"game": game, "seats": seats, "limit": limit, "start": start})
        self.until(lambda: "/table/" in self.driver.current_url and self.connected() and self.all(".moves"))

    @property
    def count(self) -> int:
        """How many actions the page lists."""
        return self.number(".moves button") - 1

    def play_by_clicks(self, most: int = 400) -> None:
        """Clicks a legal spot, or a word where there is no spot, until the match is over."""
        for turn in range(most):
            self.until(lambda: self.all(".result, .spot.legal, .words .button"))
            if self.all(".result"):
                return
            before = self.count
            spots = self.all(".spot.legal")
            if spots:
                self.driver.execute_script(
                    "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", spots[turn % len(spots)]
                )
            else:
                self.all(".words .button")[0].click()
            self.until(lambda: self.count > before or self.all(".result"))  # noqa: B023 - used at once
        raise AssertionError("the match never ended")

    def upload(self, path: Path) -> None:
        """Chooses a file as soon as the page has a place for it."""
        self.until(lambda: self.all("input[type=file]"))
        self.all("input[type=file]")[0].send_keys(str(path))

    def type(self, text: str) -> None:
        """Types an action anywhere on the page: its field opens by itself."""
        self.driver.switch_to.active_element.send_keys(text, Keys.ENTER)

    def complaints(self) -> list[str]:
        """What the browser's console has to say against the page."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def hosts(self) -> set[str]:
        """From where anything was loaded."""
        names: list[str] = self.driver.execute_script(
            "return performance.getEntriesByType('resource').map(each => new URL(each.name).origin)"
        )
        return set(names)

    def wider_than_screen(self) -> bool:
        wide: bool = self.driver.execute_script(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"
        )
        return wide
