"""Fingers on a phone: a tap that may have missed asks again, and tiles are dragged."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser import Browser

PHONE = (390, 844, "en")
pytestmark = [pytest.mark.browser, pytest.mark.parametrize("browser", [PHONE], indirect=True)]
PREVIEWED = """
const stones = [...document.querySelectorAll(".board .preview")], chosen = document.querySelector(".spot.chosen");
const [stone, cell] = [stones[0], chosen].map((each) => each.getBoundingClientRect());
const aside = stone.left + stone.right - cell.left - cell.right;
const below = stone.top + stone.bottom - cell.top - cell.bottom;
const red = getComputedStyle(document.querySelector(".board .f-seat0")).fill;
return stones.length === 1 && Math.hypot(aside, below) < 1 && getComputedStyle(stones[0]).fill === red;
"""
BOTH_ENDS = "line: 6-5 5-4; 0: 6-4 1-1; 1: 3-3 2-2; turn: 0"
"""Red's 6-4 fits either end."""


class Finger:
    """Touches what a browser shows, as a phone's screen does."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        screen = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 2, "mobile": True}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def tap(self, selector: str) -> None:
        self._touch("touchStart", self.middle(selector))
        self._touch("touchEnd")

    def drag(self, selector: str, to: str) -> None:
        start, end = self.middle(selector), self.middle(to)
        self._touch("touchStart", start)
        for step in range(1, 6):
            self._touch("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))
        self._touch("touchEnd")

    def middle(self, selector: str) -> tuple[float, ...]:
        """The middle of something in the window, having scrolled there, once the page has been laid out."""
        x, y = self.browser.driver.execute_async_script(
            "const [selector, done] = arguments; document.querySelector('.board').scrollIntoView();"
            "const found = () => { const box = document.querySelector(selector).getBoundingClientRect();"
            "done([box.x + box.width / 2, box.y + box.height / 2]); };"
            "document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(found)));",
            selector,
        )
        return float(x), float(y)

    def _touch(self, kind: str, point: tuple[float, ...] = ()) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_tap_on_a_small_cell_asks_again(browser: Browser) -> None:
    finger = Finger(browser)
    browser.begin("hex:size=11")
    browser.until(lambda: browser.all(".spot.legal"))
    assert browser.all(".spot")[60].rect["width"] > 38, "the board stands upright, and its cells are large"
    browser.driver.execute_script("document.querySelector('.spot[data-action=\"60\"]').focus()")
    walk = [(Keys.ARROW_DOWN, "71"), (Keys.ARROW_RIGHT, "72"), (Keys.ARROW_LEFT, "71"), (Keys.ARROW_UP, "60")]
    for key, cell in walk:
        browser.driver.switch_to.active_element.send_keys(key)
        assert browser.driver.switch_to.active_element.get_attribute("data-action") == cell
    finger.tap('.spot[data-action="60"]')
    browser.until(lambda: "Tap again to play there" in browser.text(".tapped"))
    assert browser.text(".tapped").startswith("f6") and browser.count == 0
    finger.tap('.spot[data-action="61"]')
    browser.until(lambda: browser.text(".tapped").startswith("g6"))
    chosen = [each.get_attribute("data-action") for each in browser.all(".spot.chosen")]
    assert chosen == ["61"] and browser.count == 0, "another cell is another question"
    assert browser.driver.execute_script(PREVIEWED), "one stone, in that cell and in the colour of who is on turn"
    finger.tap('.spot[data-action="61"]')
    browser.until(lambda: browser.count >= 1)
    assert "g6" in browser.text(".moves") and "f6" not in browser.all(".moves button")[1].text


def test_a_tap_on_a_large_cell_plays_at_once(browser: Browser) -> None:
    finger = Finger(browser)
    browser.begin("hex:size=4")
    browser.until(lambda: browser.all(".spot.legal"))
    finger.tap('.spot[data-action="10"]')
    browser.until(lambda: browser.count >= 1)
    assert "c3" in browser.text(".moves")


def test_a_visitor_may_want_to_be_asked_before_every_move(browser: Browser) -> None:
    finger = Finger(browser)
    browser.begin("hex:size=4")
    browser.until(lambda: browser.all(".spot.legal"))
    browser.click(".settings summary")
    browser.click('.settings [data-setting="confirm"]')
    browser.click(".settings summary")
    finger.tap('.spot[data-action="10"]')
    browser.until(lambda: "Tap again to play there" in browser.text(".tapped"))
    assert browser.count == 0
    finger.tap('.spot[data-action="10"]')
    browser.until(lambda: browser.count >= 1)


@pytest.mark.parametrize(("end", "expected"), [(0, "6-4 ←"), (1, "6-4 →")])
def test_a_tile_is_dragged_to_the_end_where_it_is_dropped(browser: Browser, end: int, expected: str) -> None:
    finger = Finger(browser)
    browser.open(f"/replay?game=dominoes&seed=1&actions=&start={quote(BOTH_ENDS)}")
    browser.button("Play on from here")
    browser.until(
        lambda: "/table/" in browser.driver.current_url and browser.connected() and browser.all(".spot.legal")
    )
    tile = browser.driver.execute_script("return document.querySelector('.spot.legal').dataset.action")
    finger.drag(f'.spot[data-action="{tile}"]', f'[data-end="{end}"]')
    browser.until(lambda: browser.count >= 1 and browser.text(".moves [data-ply='1']") == expected)
