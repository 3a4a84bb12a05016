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


def correct(browser: Browser, command: str) -> None:
    """Presses a button in the list of entries, scrolled to where the buttons at the bottom do not lie over it."""
    selector = f'[data-do="{command}"]'
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
    browser.until(lambda: browser.number(".words .button") == 2)
    tops = browser.driver.execute_script(TOPS)
    browser.click(".words .button")  # I begin
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
    correct(browser, "change:2")  # it was the 6-3
    browser.until(lambda: "3" in browser.text(".ask") and browser.all(".entries .here"))
    tile(browser, (6, 3))
    browser.until(lambda: "6-3" in browser.text(".entries") and not browser.all(".entries .here"))
    correct(browser, "remove:0")
    browser.until(lambda: browser.all(".entries .unfit"))
    browser.driver.back()
    browser.until(lambda: browser.number(".entries li") == 3 and browser.connected() and not browser.all(".unfit"))
    browser.click('[data-do="undo"]')
    browser.until(lambda: browser.number(".entries li") == 2)
    assert browser.complaints() == []
