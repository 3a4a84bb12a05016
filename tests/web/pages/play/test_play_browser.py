"""The page in a real browser: matches played by clicks, reloads, languages, a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.protocols import Decision
from tests.web.browser import PHONE, Browser

pytestmark = pytest.mark.browser


def test_a_reload_goes_on_and_undo_takes_back(browser: Browser) -> None:
    browser.begin("hex:size=5")
    browser.click(".spot.legal", 12)
    browser.until(lambda: browser.count == 2)
    moves = browser.text(".moves")
    browser.driver.refresh()
    browser.until(lambda: browser.count == 2 and browser.text(".moves") == moves)
    browser.button("Undo")
    browser.until(lambda: browser.count == 0)
    browser.open("/")
    browser.click(".match a")
    browser.until(lambda: browser.all(".spot.legal"))
    browser.open("/")
    browser.click("[data-delete]")
    browser.until(lambda: not browser.all(".match"))


def test_what_is_typed_is_played_or_explained(browser: Browser) -> None:
    browser.begin("hex:size=5")
    browser.type("zz")
    browser.until(lambda: "cells are a1 to e5" in browser.text(".q-notification"))
    browser.type("c3")
    browser.until(lambda: browser.count == 2)
    browser.type("c3")
    browser.until(lambda: "is not legal now" in browser.text(".q-notification"))
    browser.until(lambda: browser.all('.spot[data-action="12"]'))
    spot = browser.all('.spot[data-action="12"]')[0]
    browser.driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", spot)
    browser.until(lambda: "c3 is not legal now. Legal:" in browser.text(".q-notification"))
    assert browser.count == 2


def test_the_keyboard_is_enough(browser: Browser) -> None:
    browser.begin("hex:size=5")
    browser.until(lambda: browser.all('.spot[data-action="6"]'))
    browser.driver.execute_script("document.querySelector('.spot[data-action=\"6\"]').focus()")
    for key, cell in ((Keys.ARROW_DOWN, "11"), (Keys.ARROW_UP, "6"), (Keys.ARROW_RIGHT, "7")):
        browser.driver.switch_to.active_element.send_keys(key)
        assert browser.driver.switch_to.active_element.get_attribute("data-action") == cell
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: browser.count == 2 and "c2" in browser.text(".moves"))
    browser.until(lambda: browser.driver.switch_to.active_element.get_attribute("data-action") == "7")
    browser.driver.switch_to.active_element.send_keys("u")
    browser.until(lambda: browser.count == 0)


def test_agents_among_themselves_analysis_and_the_past(browser: Browser) -> None:
    browser.begin("horses:size=5", "minimax|random")
    browser.until(lambda: browser.count >= 3)
    browser.button("Pause")
    browser.until(lambda: "Paused" in browser.text(".status"))
    browser.click('.moves [data-ply="2"]')
    browser.until(lambda: "Minimax" in browser.text(".thought"))
    browser.button("Ask every agent")
    browser.until(lambda: "Minimax" in browser.text(".opinions") and "Random" in browser.text(".opinions"))
    browser.stop_analysis()
    browser.click(".switch input")
    browser.button("To the latest move")
    browser.until(lambda: browser.all(".plot circle"))
    assert browser.complaints() == []


def test_the_slider_and_the_switch(browser: Browser) -> None:
    browser.begin("hex:size=5", "person|astar")
    browser.click(".spot.legal", 12)
    browser.until(lambda: browser.count == 2)
    slide = "let it = document.querySelector('.slider'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))"
    browser.driver.execute_script(slide, 1)
    browser.until(
        lambda: "To the latest move" in browser.text(".side") and "earlier position" in browser.text(".status")
    )
    browser.driver.execute_script(slide, 2)
    browser.until(lambda: "Your turn" in browser.text(".status"))
    before = browser.all(".board")[0].get_attribute("innerHTML")
    browser.click(".switch input")
    browser.until(lambda: browser.all(".switch input:checked"))
    browser.until(lambda: browser.all(".board")[0].get_attribute("innerHTML") != before)
    browser.click(".switch input")
    browser.until(lambda: browser.all(".board")[0].get_attribute("innerHTML") == before)


def test_a_hint_and_giving_up(browser: Browser) -> None:
    browser.begin("horses", "person|minimax")
    assert browser.driver.title.startswith("Your turn · ")
    browser.button("Hint")
    browser.until(lambda: "Engine suggests" in browser.text(".status"))
    browser.button("Resign")
    browser.button("No, play on")
    browser.until(lambda: "Resign this match?" not in browser.text(".controls") and browser.text(".controls"))
    assert not browser.all(".result")
    browser.button("Resign")
    browser.button("Yes, resign")
    browser.until(lambda: "You resigned. Minimax, expert wins." in browser.text(".status"))
    browser.until(lambda: browser.driver.title.startswith("You resigned. Minimax, expert wins. · "))


def test_two_persons_do_not_see_each_other(browser: Browser) -> None:
    browser.begin("dominoes", "person|person")
    assert not browser.all(".board svg")
    browser.button("Show my hand")
    browser.until(lambda: browser.all(".spot.legal"))
    browser.click(".words .button")
    browser.until(lambda: "Show the hand" in browser.text(".status"))
    browser.until(lambda: not browser.all(".board svg"))


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_a_table_is_in_spanish_on_a_phone_until_another_language_is_chosen(browser: Browser) -> None:
    """That the tables of all games fit a phone, test_layout sees to."""
    browser.begin("kittens")
    browser.until(lambda: "Te toca" in browser.text(".status"))
    browser.click(".settings:not(.languages) summary")
    browser.click(".settings:not(.languages) a[lang=en]")
    browser.until(lambda: "Your turn" in browser.text(".status"))


def test_a_file_is_replayed_and_played_on(browser: Browser, tmp_path: Path) -> None:
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity("ana")), Who(Identity("bea"))))
    for action, value in zip((4, 0, 3, 1, 5), (0.5, -0.5, 0.75, -1, 1), strict=True):
        match.answer(Decision(action, value=value, scores={action: 1.0}, note="because of the middle"), 0.5)
    record = match.record()
    good, bad = tmp_path / "match.jsonl", tmp_path / "bad.jsonl"
    good.write_text(record.to_json())
    bad.write_text("{}")
    browser.open("/watch")
    browser.upload(bad)
    browser.until(lambda: "line 1 is no record" in browser.text(".q-notification"))
    browser.open("/watch")
    browser.upload(good)
    browser.until(lambda: browser.count == 5 and "ana" in browser.text(".players") and browser.all(".plot circle"))
    browser.until(lambda: "Because of the middle." in browser.text(".thought .note"))
    browser.click('.moves [data-ply="2"]')
    browser.until(lambda: "Red to play" in browser.text(".status"))
    assert "ana" in browser.text(".thought")
    browser.click('.replay form[action="/table"] button')
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.count == 2)
    assert browser.complaints() == []


def test_a_position_set_up_by_hand_is_played(browser: Browser) -> None:
    browser.open("/edit/hex?game=hex:size=3")
    browser.click('.spot[data-action="4"]')
    browser.until(lambda: browser.all('form[action="/table"]'))
    browser.click('.spot[data-action="0"]')
    browser.until(lambda: "as many, or one more" in browser.text(".thought"))
    browser.click('.spot[data-action="0"]')
    browser.click('form[action="/table"] button')
    browser.until(lambda: "/table/" in browser.driver.current_url and "b2" in browser.text(".moves"))


def test_a_shared_address_shows_the_position(browser: Browser) -> None:
    browser.open("/replay?game=hex:size=3&seed=1&actions=4.0.3&ply=2")
    browser.until(lambda: "Red to play" in browser.text(".status") and browser.count == 3)
    browser.button("Ask every agent")
    browser.until(lambda: "Random" in browser.text(".opinions"))
    browser.stop_analysis()


def test_dark_and_light(browser: Browser) -> None:
    browser.open("/")
    browser.click(".settings summary")
    browser.click('.settings a[href^="/theme/dark"]')
    browser.until(lambda: browser.all("body.body--dark"))
    browser.click(".settings summary")
    browser.click('.settings a[href^="/theme/light"]')
    browser.until(lambda: browser.all("body.body--light"))
