"""The frame of a match's page: nothing moves the board, and what can be pressed is in sight and large enough."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.web.browser import Browser

pytestmark = pytest.mark.browser

DESK, UPRIGHT, SIDEWAYS, SMALL = (1280, 800, "en"), (390, 844, "es"), (844, 390, "en"), (320, 568, "es")
MATCHES = {
    "hex:size=3": DESK,
    "horses:size=5": UPRIGHT,
    "dominoes:pips=3,hand=3": SIDEWAYS,
    "kittens:deck=bomb2+safe3+skip1": SMALL,
}
"""A short match of each game, and the screen on which it is played."""
OBSERVE = """
window.shifts = [];
window.boxes = new Set();
const named = (node) => node?.className ?? node?.parentElement?.className ?? "gone";
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.shifts.push([each.value, each.sources.map(({ node }) => named(node))]);
}).observe({ type: "layout-shift", buffered: true });
const look = () => {
  for (const each of document.querySelectorAll(".board, .board svg")) {
    const box = each.getBoundingClientRect();
    window.boxes.add([box.x, box.y + scrollY, box.width, box.height].map(Math.round).join(" "));
  }
};
look();
new ResizeObserver(look).observe(document.body);  // a look at every frame would make the browser draw each of them
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
OBSERVED = "return [window.shifts, [...window.boxes]]"
TARGETS = """
const seen = [...document.querySelectorAll("button, a, summary, label.switch, input[type=range]")].filter(
  (each) => each.checkVisibility() && !each.closest(".skip, p"));
return seen.map((each) => [each, each.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 43.5)
  .map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${Math.round(box.width)}x${Math.round(box.height)}`);
"""
OUT_OF_SIGHT = """
const main = ".prompt, .dock, .dock > .controls > *, .pop-up summary, .player";
return [...document.querySelectorAll(main)].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
}).map((each) => each.outerHTML.slice(0, 80));
"""


def test_a_whole_match_is_played_by_clicks_and_nothing_moves_the_board(browser: Browser) -> None:
    for game, (width, height, language) in MATCHES.items():
        browser.emulate((width, height, language))
        browser.begin(game)
        browser.driver.execute_script(OBSERVE)
        browser.until(lambda: browser.all(".spot.legal, .words .button"))
        browser.click('[data-do="hint"]')
        browser.until(lambda: browser.all(".status .hint"))
        browser.click(".rules summary")
        browser.click(".rules summary")
        browser.type("zz")
        browser.until(lambda: browser.all(".q-notification"))
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        if (width, height, language) == DESK:
            browser.button("Ask every agent")
            browser.until(lambda: browser.all(".opinions"))
            browser.stop_analysis()
        browser.click('[data-do="resign"]')
        browser.click('[data-do="cancel"]')
        browser.play_by_clicks()
        browser.until(lambda: browser.all('.dock [href^="/review"]'))
        assert browser.text(".result")
        browser.until(lambda: any(name in browser.text(".thought") for name in ("Random", "Azar")))
        assert browser.complaints() == [], game
        assert browser.hosts() == {browser.address}
        shifts, boxes = browser.driver.execute_script(OBSERVED)
        assert shifts == [], (game, shifts)
        assert len(boxes) == 1, (game, boxes)


@pytest.mark.parametrize("browser", [UPRIGHT], indirect=True)
def test_on_a_phone_all_buttons_are_in_sight_and_large_enough(browser: Browser) -> None:
    """A spot of a board that is smaller asks for a second tap: see test_touch."""
    for game in ("hex", "horses", "dominoes", "kittens"):
        browser.emulate(UPRIGHT)
        browser.begin(game)
        browser.until(lambda: browser.all(".spot.legal, .words .button"))
        for screen in (UPRIGHT, SMALL, SIDEWAYS):
            if screen != UPRIGHT:  # on which it began
                browser.emulate(screen)
                browser.driver.refresh()  # as a page does by itself, a moment later, when its board must be drawn anew
            browser.until(lambda: browser.connected() and browser.all(".dock .control"))
            assert browser.driver.execute_script(OUT_OF_SIGHT) == [], (game, screen)
            assert browser.driver.execute_script(TARGETS) == [], (game, screen)
            assert not browser.wider_than_screen(), (game, screen)


def test_the_field_for_an_action_opens_when_one_types(browser: Browser) -> None:
    browser.begin("hex:size=5")
    browser.until(lambda: browser.all(".spot.legal"))
    field = browser.all(".typed input")[0]
    assert not field.is_displayed()
    browser.driver.switch_to.active_element.send_keys("c3")
    browser.until(field.is_displayed)
    assert field.get_attribute("value") == "c3", "the first key is typed too, and presses no button"
    field.send_keys(Keys.ESCAPE)
    browser.until(lambda: not field.is_displayed())
    assert browser.count == 0
    browser.driver.execute_script("document.querySelector('[data-type]').focus()")
    assert "Type a move" in browser.text("[data-type]")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(field.is_displayed)
    browser.type("c3")
    browser.until(lambda: browser.count == 2)


def test_what_the_agent_thought_comes_after_what_one_may_do(browser: Browser) -> None:
    browser.begin("hex:size=3")
    parts = [".prompt", ".board", ".controls", ".moves", ".analysis", ".thought"]
    order = browser.driver.execute_script(
        "const [parts] = arguments, all = [...document.querySelectorAll(parts.join())];"
        "return all.map((each) => parts.find((part) => each.matches(part)));",
        parts,
    )
    assert order == parts
