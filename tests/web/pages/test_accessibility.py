"""The page without a mouse and without eyes: whole matches by keyboard, and what a screen reader says."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.web.browser import Browser

pytestmark = pytest.mark.browser

MATCHES = {
    "hex:size=3": "",
    "horses:size=5": "",
    "dominoes": "line: 6-6 6-4; 0: 5-5 4-1 6-1; 1: 3-3 3-2; turn: 0",
    "kittens:deck=bomb2+safe3+skip1": "",
}
"""The games, and where they start: in Dominoes Blue can only draw, and Red has a choice."""


def tree(browser: Browser) -> list[dict[str, Any]]:
    """What Chromium tells a screen reader: role, name and state of everything that is not left out."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    found = []
    for node in nodes:
        if not node.get("ignored"):
            states = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            name = node.get("name", {}).get("value", "")
            found.append({"role": node["role"]["value"], "name": name, **states})
    return found


def press(browser: Browser, key: str) -> None:
    ActionChains(browser.driver).send_keys(key).perform()


def focused(browser: Browser) -> str:
    """What has the focus: a spot or a word that can be played, any other spot, nothing at all, or something else."""
    found: str = browser.driver.execute_script(
        "const at = document.activeElement;"
        "return at === document.body ? 'nothing' : at.matches('.spot.legal, .words [data-action]') ? 'playable' "
        ": at.matches('.spot') ? 'spot' : 'else'"
    )
    return found


def reach_an_action(browser: Browser) -> None:
    """With the keys alone: to the next legal spot, or on to a word."""
    for _ in range(60):
        at = focused(browser)
        if at == "playable":
            return
        press(browser, Keys.PAGE_DOWN if at == "spot" and browser.all(".spot.legal") else Keys.TAB)
    raise AssertionError("no action was reached by keyboard")


@pytest.mark.parametrize("game", MATCHES)
def test_a_whole_match_by_keyboard_alone(browser: Browser, game: str) -> None:
    browser.begin(game, start=MATCHES[game])
    for _ in range(60):
        browser.until(lambda: browser.all(".result, .spot.legal, .words [data-action]"))
        if browser.all(".result"):
            break
        reach_an_action(browser)
        before = browser.count
        press(browser, Keys.ENTER)
        browser.until(lambda: browser.count > before or browser.all(".result"))  # noqa: B023 - used at once
        browser.until(lambda: focused(browser) != "nothing")
    assert browser.text(".result")
    said = [node for node in tree(browser) if node["role"] == "status"]
    assert any(node.get("live") == "polite" for node in said), "how it ended is read out"
    assert browser.complaints() == []


def test_the_tree_has_every_cell_with_its_state(browser: Browser) -> None:
    browser.begin("hex:size=3")
    browser.until(lambda: browser.all(".spot.legal"))
    browser.type("b2")
    browser.until(lambda: browser.count == 2 and browser.all(".spot.legal"))
    answer = browser.all(".moves button")[2].text
    cells = {node["name"]: node for node in tree(browser) if node["role"] == "button" and ", " in node["name"]}
    assert len(cells) == 9
    assert cells["b2, red stone"].get("disabled") and cells[f"{answer}, blue stone"].get("disabled")
    empty = [name for name, node in cells.items() if name.endswith(", empty") and not node.get("disabled")]
    assert len(empty) == 7
    assert any(node["name"] == "Hex board" for node in tree(browser))


def test_hidden_hands_are_not_in_the_tree(browser: Browser) -> None:
    browser.begin("dominoes", "person|person")
    assert not [node for node in tree(browser) if "fits" in node["name"] or node["name"].endswith(" end")]
    browser.button("Show my hand")
    browser.until(lambda: browser.all(".spot.legal"))
    tiles = [node["name"] for node in tree(browser) if node["role"] == "button" and node["name"][1:2] == "-"]
    assert 7 <= len({name[:3] for name in tiles}) <= 7


def test_focus_is_seen(browser: Browser) -> None:
    browser.begin("hex:size=3")
    browser.until(lambda: browser.all(".spot.legal"))
    reach_an_action(browser)
    width = browser.driver.execute_script("return getComputedStyle(document.activeElement).strokeWidth")
    assert float(width.removesuffix("px")) >= 3


def test_text_grows_with_the_browsers_setting(browser: Browser) -> None:
    browser.open("/")
    sizes = (
        "return ['body', 'h2', '.button', 'nav a'].map(each => parseFloat(getComputedStyle("
        "document.querySelector(each)).fontSize))"
    )
    before = browser.driver.execute_script(sizes)
    browser.driver.execute_script("document.documentElement.style.fontSize = '32px'")
    after = browser.driver.execute_script(sizes)
    assert after == [2 * size for size in before]
    assert not browser.wider_than_screen()
