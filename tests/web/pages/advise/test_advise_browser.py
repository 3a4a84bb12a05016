"""A round of Dominoes followed on a phone, in Spanish, from the start page to the advice."""

from __future__ import annotations

import pytest

from ludoteca.games.dominoes.tiles import tile_of
from tests.web.browser import PHONE, Browser

pytestmark = pytest.mark.browser

HAND = ((6, 6), (5, 4), (3, 1), (2, 2), (6, 1), (4, 0), (5, 0))
TOPS = """
const parts = [".ask", ".words", ".items", ".board"].map(each => document.querySelector(each));
return parts.map(each => each.getBoundingClientRect().top + scrollY);
"""
SMALL = """
const buttons = [...document.querySelectorAll(".advise button, .advise a.button")];
return buttons.filter(each => each.checkVisibility())
  .map(each => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([html]) => html);
"""


def tile(browser: Browser, pair: tuple[int, int]) -> None:
    browser.click(f'.items [data-action="{tile_of(*pair)}"]')


def correct(browser: Browser, selector: str) -> None:
    """Presses a button in the list of entries, scrolled to where the buttons at the bottom do not lie over it."""
    browser.driver.execute_script("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    browser.click(selector)


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_a_round_is_followed_corrected_and_advised(browser: Browser) -> None:
    browser.open("/")
    browser.click('a[href="/advise"]')
    browser.until(lambda: browser.all('a[href="/advise/dominoes"]') and browser.connected())
    browser.open("/advise/dominoes")
    for number, pair in enumerate(HAND):
        browser.until(lambda: f"({number}/7)" in browser.text(".ask"))  # noqa: B023 - used at once
        tile(browser, pair)
    browser.until(lambda: "Lo mejor: 6-6" in browser.text(".ask"))  # with the highest double it is clear who begins
    tops = browser.driver.execute_script(TOPS)
    browser.until(lambda: "Lo mejor: 6-6" in browser.text(".ask"))
    assert "47" in browser.text(".items") or "33" in browser.text(".items"), "the chances"
    browser.click(".words .best")
    browser.until(lambda: "robó" in browser.text(".words"))
    browser.click(".words .button")
    browser.until(lambda: browser.number(".entries li") == 2 and "%" in browser.text(".items"))
    tile(browser, (6, 2))
    browser.until(lambda: browser.number(".entries li") == 3 and browser.all(".words .best"))
    browser.until(lambda: browser.all(".items .impossible"))  # of the sixes it had none but the one that it drew
    assert browser.driver.execute_script(TOPS) == tops, "nothing has moved"
    assert not browser.driver.execute_script(SMALL) and not browser.wider_than_screen()
    browser.driver.refresh()
    browser.until(lambda: browser.number(".entries li") == 3 and browser.connected() and browser.all(".words .best"))
    correct(browser, '[data-do="change:2"]')  # it was the 6-3
    browser.until(lambda: "3" in browser.text(".ask") and browser.all(".entries .here"))
    tile(browser, (6, 3))
    browser.until(lambda: "6-3" in browser.text(".entries") and not browser.all(".entries .here"))
    correct(browser, '[data-do="remove:0"]')
    browser.until(lambda: browser.all(".entries .unfit"))
    browser.driver.back()
    browser.until(lambda: browser.number(".entries li") == 3 and browser.connected() and not browser.all(".unfit"))
    browser.click('[data-do="undo"]')
    browser.until(lambda: browser.number(".entries li") == 2)
    assert browser.complaints() == []


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_a_match_that_has_begun_is_joined_by_clicks_or_by_a_list(browser: Browser) -> None:
    browser.open("/advise/dominoes")
    browser.click('.words a[href^="/edit/dominoes"]')
    browser.until(lambda: "/edit/" in browser.driver.current_url and browser.connected())
    browser.open("/edit/dominoes?start=line: 6-6 6-4; 0: 5-5 4-1; 1: 3; turn: 0")
    browser.click('a[href^="/advise/dominoes"]')
    browser.until(lambda: "/advise/" in browser.driver.current_url and "Lo mejor" in browser.text(".ask"))
    browser.until(lambda: "lo que pasó antes" in browser.text(".belief-note").lower())
    browser.open("/advise/hex?game=hex:size=3")
    correct(browser, ".list summary")
    browser.driver.find_element("css selector", ".list textarea").send_keys("1. b2 a1\n2. c1")
    browser.click(".list button")
    browser.until(lambda: browser.number(".entries li") == 3)
    browser.until(lambda: not browser.all(".list[open]"))
    assert not browser.driver.execute_script(SMALL) and not browser.wider_than_screen()
    assert browser.complaints() == []
