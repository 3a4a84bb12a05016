"""The guided first match in a real browser: tried, left, found again, and played to its end."""

from __future__ import annotations

import pytest

from tests.web.browser import Browser

pytestmark = pytest.mark.browser


def test_a_guide_is_tried_left_found_again_and_ends_in_a_match(browser: Browser) -> None:
    browser.open("/guide/hex")
    browser.click('.spot[data-action="0"]')
    browser.until(lambda: "the third cell of the third row" in browser.text(".feedback"))
    browser.click('.spot[data-action="12"]')
    browser.until(lambda: "A stone stays where it is" in browser.text(".feedback"))
    browser.until(lambda: browser.all("[data-piece='stone1-1']"))
    browser.click('[data-do="next"]')
    browser.until(lambda: "Step 2 of 5" in browser.text(".task"))
    browser.click('.spot[data-action="9"]')
    browser.click('[data-do="next"]')
    browser.until(lambda: "Step 3 of 5" in browser.text(".task"))
    browser.open("/")
    browser.until(lambda: "First match: step 3 of 5" in browser.text('a[data-guide="hex"]'))
    assert browser.text('a[data-guide="horses"]').startswith("First match, step by step")
    browser.click('a[data-guide="hex"]')
    browser.until(lambda: browser.connected() and "Step 3 of 5" in browser.text(".task"))
    for _ in range(3):
        browser.click('[data-do="solve"]')
        browser.click('[data-do="next"]')
    browser.until(lambda: "You found 1 of 5 moves at the first try." in browser.text(".feedback"))
    browser.click('.guide-page form[action="/table"] button')
    browser.until(lambda: "/table/" in browser.driver.current_url and "Engine, level 1" in browser.text(".players"))
    assert browser.complaints() == []


def test_steps_that_do_not_exist_and_other_pages_are_no_trouble(browser: Browser) -> None:
    browser.open("/guide/kittens?step=999")
    assert "Now you know the rules" in browser.text(".task")
    browser.open("/guide/kittens?step=x")
    assert "Step 1 of 6" in browser.text(".task")
    browser.open("/guide/chess")
    assert "There is no such page" in browser.text(".message")
