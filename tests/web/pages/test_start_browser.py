"""Starting a match as a stranger does, in a real browser."""

from __future__ import annotations

import pytest
from selenium.webdriver.support.ui import Select

from tests.web.browser import PHONE, Browser

pytestmark = pytest.mark.browser


def test_one_click_begins_a_match_against_somebody_in_the_middle(browser: Browser) -> None:
    browser.open("/")
    assert "against Engine, level" in browser.text(".at-once")
    browser.click('.at-once [aria-label="Play Hex"]')
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".spot.legal"))
    assert "Engine, level" in browser.text(".players")
    assert "engine:" not in browser.text(), "people read words, not a spec"
    browser.open("/")
    browser.until(lambda: "Hex against Engine, level" in browser.text(".matches"))
    assert "your turn" in browser.text(".matches")
    drawn = "return [...document.images].every(each => each.complete && each.naturalWidth > 0)"
    browser.until(lambda: browser.driver.execute_script(drawn))
    assert browser.complaints() == []


def test_the_form_shows_the_options_of_the_chosen_agent(browser: Browser) -> None:
    browser.open("/new/hex?game=hex:size=5&seats=astar:depth=2|person&limit=0.5s")
    boxes = '[data-boxes="opponent"] [data-agent]:not([hidden])'
    assert browser.all(".advanced[open]") and [each.get_attribute("data-agent") for each in browser.all(boxes)] == [
        "astar"
    ]
    browser.click(".begin")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.count == 1)
    browser.until(
        lambda: "A-Star, 2 moves ahead" in browser.text(".players") and "Your turn" in browser.text(".status")
    )
    browser.open("/new/hex")
    assert not browser.all(".advanced[open]")
    Select(browser.all("[name=opponent]")[0]).select_by_value("beam")
    browser.click(".advanced summary")
    browser.until(lambda: [each.get_attribute("data-agent") for each in browser.all(boxes)] == ["beam"])
    Select(browser.all("[name=side]")[0]).select_by_visible_text("blue: connect top and bottom")
    browser.click(".begin")
    browser.until(lambda: "/table/" in browser.driver.current_url and "Beam" in browser.text(".players .seat0"))


def test_the_side_follows_the_opponent_until_it_is_chosen(browser: Browser) -> None:
    def side() -> str:
        return str(browser.all("[name=side]")[0].get_attribute("value"))

    def choose(name: str, value: str) -> None:
        Select(browser.all(f'[name="{name}"]')[0]).select_by_value(value)

    browser.open("/new/kittens")
    browser.click(".advanced summary")
    choose("opponent", "dqn")
    assert side() == "0", "its network for the clean rules knows both seats"
    choose("game.rules", "original")
    browser.until(lambda: side() == "1")
    choose("opponent", "v2")
    browser.until(lambda: side() == "0")
    choose("side", "chance")
    choose("opponent", "dqn")
    assert side() == "chance", "a person's choice stays"
    browser.open("/new/kittens?game=kittens:rules=original&opponent=dqn")
    assert side() == "1"
    browser.click(".begin")
    browser.until(lambda: "/table/" in browser.driver.current_url and "Q network" in browser.text(".players .seat0"))


def test_a_fault_stands_at_its_field(browser: Browser) -> None:
    browser.open("/new/hex")
    browser.click(".advanced summary")
    browser.until(lambda: browser.all('[name="game.size"]')[0].is_displayed())
    browser.all('[name="game.size"]')[0].send_keys("99")
    browser.click(".advanced summary")
    browser.click(".begin")
    browser.until(lambda: "must be a whole number from 1 to 19" in browser.text("small.fault"))
    field = browser.driver.switch_to.active_element
    assert field.get_attribute("name") == "game.size" and field.get_attribute("aria-invalid") == "true"
    field.clear()
    field.send_keys("5")
    browser.click(".begin")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".moves"))


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_an_invitation_on_a_phone_in_spanish(browser: Browser) -> None:
    browser.open("/new/dominoes?opponent=friend")
    browser.click(".begin")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.connected())
    assert "Invita a alguien" in browser.text(".invitation") and "nadie todavía" in browser.text(".players")
    assert not browser.wider_than_screen()
    link = browser.all(".link input")[0].get_attribute("value")
    assert link and link.startswith(f"{browser.address}/join/")
    browser.click("[data-copy]")
    browser.until(lambda: "Copiado" in browser.text(".invitation"))
    browser.open(link.removeprefix(browser.address))
    assert "Esta invitación es tuya" in browser.text()
    browser.click(".invited .button")
    browser.until(lambda: browser.all(".invitation"))
