"""What a person does with the page, by name, so that the tests read like one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

__all__ = ["Browser"]

NOT_YET = (StaleElementReferenceException, ElementClickInterceptedException, ElementNotInteractableException)
"""Something is being drawn anew, or a message lies over it: it will be there in a moment."""
PATIENCE = 60.0  # seconds; a busy machine is slow, but it gets there


class Browser:
    """Chromium without a window, in front of our server."""

    address = ""
    """Where our server listens."""

    def __init__(self, binary: str, driver: str, profile: Path, width: int, height: int, language: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--accept-lang={language}",
        ):  # fmt: skip
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))

    def close(self) -> None:
        self.driver.quit()

    def forget(self) -> None:
        """Closes what is open and loses all that a server can find again; only the files it has loaded stay."""
        used = self.driver.window_handles
        self.driver.switch_to.new_window("tab")  # what was emulated in the old one ends with it
        fresh = self.driver.current_window_handle
        for each in used:
            self.driver.switch_to.window(each)
            self.driver.close()
        self.driver.switch_to.window(fresh)
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        self.driver.get_log("browser")  # type: ignore[no-untyped-call]

    def open(self, path: str) -> None:
        self.driver.get(self.address + path)
        self.until(lambda: self.all(".top"))
        self.until(self.connected)

    def connected(self) -> bool:
        found: bool = self.driver.execute_script("return !!window.socket && window.socket.connected")
        return found

    def until(self, done: Callable[[], object]) -> None:
        end, pause = time.monotonic() + PATIENCE, 0.05
        while True:
            try:
                if done():
                    return
            except NOT_YET:
                pass
            assert time.monotonic() < end, f"never happened; the page says: {self.text()[:1500]}"
            time.sleep(pause)
            pause = min(1.2 * pause, 0.25)  # asking costs the page work, too

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "body") -> str:
        found = self.all(selector)
        return "\n".join(each.text for each in found)

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

    def begin(self, path: str) -> None:
        """Sets a match up and begins it."""
        self.open(path)
        self.click(".begin")
        self.until(lambda: "/table/" in self.driver.current_url and self.all(".moves") and self.connected())

    @property
    def count(self) -> int:
        """How many actions the page lists."""
        return len(self.all(".moves button")) - 1

    def play_by_clicks(self, most: int = 400) -> None:
        """Clicks a legal spot, or a word where there is no spot, until the match is over."""
        for turn in range(most):
            self.until(lambda: self.all(".result") or self.all(".spot.legal") or self.all(".words .button"))
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
        field = self.all(".typed input")[0]
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.ENTER)

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
