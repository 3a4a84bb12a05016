"""From the end of a match to its review, to the next mistake, and to another try, in a real browser."""

from __future__ import annotations

import pytest

from tests.web.browser import Browser

pytestmark = pytest.mark.browser

BLUNDERS = "/review?game=hex:size=3&seed=1&actions=0.4.3.1.6.7&seats=person|astar"
"""Blue goes down the middle while red stays at its side."""
SWAPPED = BLUNDERS.replace("person|astar", "astar|person&swaps=5")
"""The same by the same: they swapped sides after five moves."""


@pytest.mark.parametrize(
    ("review", "again"), [(BLUNDERS, "Play on against the engine"), (SWAPPED, "Try again from here")]
)
def test_a_review_leads_to_a_mistake_and_to_another_try(browser: Browser, review: str, again: str) -> None:
    browser.open(review)
    browser.until(lambda: not browser.all(".review-progress .done") and browser.all(".plot circle"))
    browser.button("Next mistake")
    browser.until(lambda: "??" in browser.text(".verdict") and "would have played" in browser.text(".verdict"))
    assert "red (you)" in browser.text(".verdict") and "sees it" in browser.text(".legend")
    turned, better, practise = (each.text for each in browser.all(".learnt li"))
    assert "you played" in turned and " was better than " in better and practise.startswith("One thing to practise: ")
    before = browser.all(".moves .here[data-ply]")[0].get_attribute("data-ply")
    browser.button(again)
    browser.until(lambda: "/table/" in browser.driver.current_url and str(browser.count) == before)
    browser.until(lambda: "Your turn" in browser.text(".status") and browser.all(".spot.legal"))
    assert browser.complaints() == []


def test_a_match_ends_well(browser: Browser) -> None:
    browser.open("/replay?game=hex:size=2&seed=1&actions=0.2")
    browser.click('form[action="/table"] button')
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".spot.legal"))
    assert "You are red: connect left and right." in browser.text(".goal")
    browser.click(".rules summary")
    browser.until(lambda: "Stones never move" in browser.text(".rules"))
    browser.click('.spot[data-action="1"]')
    browser.until(lambda: "You win!" in browser.text(".result") and browser.all(".board .chain"))
    assert "connected left and right." in browser.text(".status") and "Stones never move" in browser.text(".rules")
    browser.button("Rematch")
    browser.until(lambda: "You are blue" in browser.text(".goal"))
    assert browser.complaints() == []
