"""A match is gone through in a real browser: by itself, by keys anywhere, by named buttons; and taken home."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.protocols import Decision
from tests.web.browser import Browser

pytestmark = pytest.mark.browser

REPLAY = "/replay?game=hex:size=3&seed=1&actions=4.0.3&ply="


def ply(browser: Browser) -> str:
    """The number of actions before the position that is shown, as the list of actions has it."""
    found = browser.all(".moves .here")
    return str(found[0].get_attribute("data-ply")) if found else "0"


def test_arrows_work_anywhere_and_the_address_goes_along(browser: Browser) -> None:
    browser.open(REPLAY + "1")
    browser.until(lambda: ply(browser) == "1")
    body = browser.all("body")[0]
    body.send_keys(Keys.ARROW_RIGHT)
    browser.until(lambda: ply(browser) == "2" and browser.driver.current_url.endswith("ply=2"))
    browser.click(".moves [data-ply='3']")  # which has the focus now
    browser.until(lambda: ply(browser) == "3")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    browser.until(lambda: ply(browser) == "2")
    browser.driver.execute_script("document.querySelector('.slider').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)  # one step, not two
    browser.until(lambda: ply(browser) == "1" and browser.driver.current_url.endswith("ply=1"))
    browser.driver.refresh()
    browser.until(lambda: ply(browser) == "1")
    assert browser.complaints() == []


def test_it_plays_by_itself_until_the_end_or_a_click(browser: Browser) -> None:
    browser.open(REPLAY + "0")
    browser.driver.execute_script(
        "let it = document.querySelector('.speed'); it.value = '4';"
        "it.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    browser.until(lambda: browser.all(".speed option[value='4'][selected]"))
    browser.click("[aria-label='Autoplay']")
    browser.until(lambda: browser.all("[aria-label='Pause']"))
    browser.until(lambda: ply(browser) == "3" and browser.all("[aria-label='Autoplay']"))
    browser.all("body")[0].send_keys("p")  # from the end it begins anew
    browser.until(lambda: browser.all("[aria-label='Pause']"))
    browser.click("[aria-label='To the end']")
    browser.until(lambda: ply(browser) == "3" and browser.all("[aria-label='Autoplay']"))


def test_every_button_has_a_name_and_says_its_key(browser: Browser) -> None:
    browser.open(REPLAY + "1")
    names = [each.get_attribute("aria-label") for each in browser.all(".controls button")]
    assert names == ["To the start", "Back one move", "Autoplay", "Forward one move", "To the end"]
    titles = [each.get_attribute("title") for each in browser.all(".controls button")]
    assert titles[1:4] == ["Back one move (←)", "Autoplay (p)", "Forward one move (→)"]


def test_the_link_is_copied(browser: Browser) -> None:
    browser.open(REPLAY + "2")
    browser.driver.execute_script(
        "window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    )
    browser.click("a[data-copy]")
    browser.until(lambda: browser.text("a[data-copy]") == "Copied")
    assert browser.driver.execute_script("return window.copied") == browser.address + REPLAY + "2"
    browser.until(lambda: browser.text("a[data-copy]") == "Copy link")
    files = ["Download JSON", "Download SGF", "Download TXT"]
    pictures = ["This position as a picture", "The match as an animated picture"]
    assert [each.text for each in browser.all("a[download]")] == [*files, *pictures]


def test_thoughts_stand_at_each_action_as_the_record_has_them(browser: Browser, tmp_path: Path) -> None:
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity("ana")), Who()))
    match.answer(Decision(4, value=0.25, line=(4, 0), note="the middle first"), 0.5)
    match.play(0)
    match.answer(Decision(3, value=0.75, line=(3, 1, 5), note="now the left"), 0.5)
    file = tmp_path / "match.json"
    file.write_text(match.record().to_json())
    browser.open("/watch")
    browser.upload(file)
    browser.until(lambda: "The middle first." in browser.text(".thought"))
    assert "Red is ahead." in browser.text(".thought")
    assert "0.25" not in browser.text(".thought"), "a value is one click further"
    browser.click(".thought summary")
    browser.until(lambda: "+0.25" in browser.text(".thought"))
    assert "Now the left." not in browser.text(".thought")
    browser.click(".moves [data-ply='2']")
    browser.until(lambda: "Now the left." in browser.text(".thought") and "a2 b1 c2" in browser.text(".thought"))
    assert "a person" in browser.text(".thought") and "The middle first." not in browser.text(".thought")


def test_a_file_of_another_kind_is_not_called_too_large(browser: Browser, tmp_path: Path) -> None:
    picture, large = tmp_path / "board.png", tmp_path / "large.json"
    picture.write_bytes(b"\x89PNG")
    large.write_bytes(b" " * 2_000_001)
    browser.open("/watch")
    browser.upload(picture)
    browser.until(lambda: "board.png cannot be replayed" in browser.text(".q-notification"))
    assert "too large" not in browser.text(".q-notification")
    browser.upload(large)
    browser.until(lambda: "too large" in browser.text(".q-notification"))


def test_a_match_that_was_played_twice_says_so(browser: Browser, tmp_path: Path) -> None:
    record = Match(games.game("hex:size=3"), 1, [4, 0], seats=(Who(Identity("ana")), Who(Identity("ben")))).record()
    file = tmp_path / "match.json"
    file.write_text(replace(record, before=record).to_json())
    browser.open("/watch")
    browser.upload(file)
    browser.until(lambda: "This match was replayed" in browser.text(".replay"))
