"""Motion and sound on boards, and clicks that come too early."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from tests.web.browser import Browser

pytestmark = pytest.mark.browser

RECORD = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  window.animated.push([this.dataset.piece ?? "", frames.flatMap(Object.keys)]);
  return animate.call(this, frames, timing);
};
window.contexts = 0;
const construct = (kind) => { window.contexts++; return new kind(); };
window.AudioContext = new Proxy(window.AudioContext, { construct });
"""
LONG = "60s"
CHEAP = {"transform", "opacity", "offset"}
"""What a browser can animate without laying anything out."""
GAMES = {"hex:size=3": "stone", "horses:size=5": "knight", "dominoes:pips=3,hand=3": "tile", "kittens": ""}
"""What the first action of each game moves; in Kittens a card, or the panel of a bomb."""


def record(browser: Browser, calm: bool) -> None:
    features = [{"name": "prefers-reduced-motion", "value": "reduce" if calm else ""}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.driver.execute_script(RECORD)


def animated(browser: Browser) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = browser.driver.execute_script("return window.animated")
    return found


def test_pieces_move_cheaply_and_not_at_all_where_the_system_asks_for_that(browser: Browser) -> None:
    for calm in (False, True):
        for game, piece in GAMES.items():
            browser.begin(game)
            record(browser, calm)
            browser.until(lambda: browser.all(".spot.legal"))
            before = browser.count
            browser.click(".spot.legal")
            browser.until(lambda: browser.count > before)  # noqa: B023 - used at once
            if not calm:
                browser.until(lambda: any(key and key.startswith(piece) for key, _ in animated(browser)))  # noqa: B023
            moved = animated(browser)
            assert not calm or not any(key for key, _ in moved), (game, moved)
            assert {name for _, names in moved for name in names} <= CHEAP, game
            assert browser.complaints() == [], game
            if calm:
                break
    record(browser, calm=False)


def test_a_move_chosen_while_the_agent_thinks_is_played_after_it(browser: Browser) -> None:
    browser.begin("hex:size=11", "person|astar:depth=9", limit=LONG)
    browser.click('.spot[data-action="60"]')
    browser.until(lambda: browser.count == 1 and browser.all("svg.waiting"))
    browser.click('.spot[data-action="3"]')
    browser.until(lambda: browser.text(".tapped").startswith("d1: played as soon as it is your turn"))
    browser.click('.spot[data-action="3"]')
    browser.until(lambda: not browser.all(".planned"))
    browser.click('.spot[data-action="5"]')
    browser.click('[data-do="play_now"]')
    browser.until(lambda: browser.count >= 3)
    assert browser.text(".moves [data-ply='3']") == "f1"
    browser.until(lambda: browser.all("svg.waiting"))
    browser.click('.spot[data-action="60"]')  # where a stone lies
    browser.click('[data-do="play_now"]')
    browser.until(lambda: "not possible any more" in browser.text(".tapped"))
    assert browser.count == 4


def test_a_click_during_a_redraw_is_not_lost(browser: Browser) -> None:
    browser.begin("hex:size=5", "person|person")
    browser.until(lambda: browser.all(".spot.legal"))
    ActionChains(browser.driver).click_and_hold(browser.all('.spot[data-action="12"]')[0]).perform()
    browser.driver.execute_script("const it = document.querySelector('.board'); it.innerHTML = it.innerHTML")
    ActionChains(browser.driver).release().perform()
    browser.until(lambda: browser.count == 1 and "c3" in browser.text(".moves"))


def test_there_is_no_sound_until_it_is_asked_for_and_then_it_stays(browser: Browser) -> None:
    browser.begin("hex:size=5")
    record(browser, calm=False)
    contexts = "return window.contexts"
    browser.click(".spot.legal", 12)
    browser.until(lambda: browser.count == 2)
    assert browser.driver.execute_script(contexts) == 0
    browser.click(".sound button")
    assert browser.driver.execute_script(contexts) == 1, "one hears what one has asked for"
    browser.driver.refresh()
    browser.until(lambda: browser.connected() and browser.all('.sound [aria-pressed="true"]'))
    browser.until(lambda: browser.all(".spot.legal"))
    record(browser, calm=False)
    browser.click(".spot.legal", 3)
    browser.until(lambda: browser.count == 4 and browser.driver.execute_script(contexts) == 1)
    browser.click(".sound button")
    assert browser.driver.execute_script("return localStorage.getItem('ludoteca.sound')") == "off"
