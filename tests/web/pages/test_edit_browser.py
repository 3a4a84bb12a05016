"""Positions of Dominoes and Kittens set up by clicks in a real browser, and played on."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from ludoteca.games.dominoes.tiles import tile_of
from ludoteca.games.kittens.cards import CARDS
from tests.web.browser import PHONE, Browser

pytestmark = pytest.mark.browser


def to(browser: Browser, target: int) -> None:
    """Chooses where the next pieces go: by its place among the targets."""
    browser.click(".targets button", target)
    browser.until(lambda: browser.all(".targets button")[target].get_attribute("aria-pressed") == "true")


def lay(browser: Browser, target: int, *tiles: tuple[int, int]) -> None:
    """Puts tiles to the left or right end of the line (0, 1) or into a hand (2, 3)."""
    to(browser, target)
    look = ("inline", "inline", "in0", "in1")[target]
    for pair in tiles:
        browser.click(f'.piece[data-action="{tile_of(*pair)}"]')
        browser.until(lambda: browser.all(f'.piece.{look}[data-action="{tile_of(*pair)}"]'))  # noqa: B023 - used at once


def deal(browser: Browser, target: int, names: str) -> None:
    """Puts cards into the deck (0) or into a hand (1, 2)."""
    to(browser, target)
    pile = (".pile.deck", ".pile.hand0", ".pile.hand1")[target]
    for name in names.split():
        before = browser.number(f"{pile} .piece")
        browser.click(f'.piece.offer[data-action="{CARDS.index(name.capitalize())}"]')
        browser.until(lambda: browser.number(f"{pile} .piece") > before)  # noqa: B023 - used at once


def play_on(browser: Browser) -> None:
    browser.click('form[action="/table"] button')
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".moves") and browser.connected())


def test_a_line_and_hands_of_dominoes_are_played(browser: Browser) -> None:
    browser.open("/edit/dominoes")
    lay(browser, 1, (6, 4), (4, 1))
    lay(browser, 0, (6, 6))
    lay(browser, 2, (1, 0), (5, 5), (3, 2))
    lay(browser, 3, (0, 0), (2, 2))
    browser.until(lambda: "line: 6-6 6-4 4-1; 0: 1-0 3-2 5-5; 1: 0-0 2-2; turn: 0" in browser.text(".outcome"))
    assert browser.all(".board.dominoes svg"), "what the person will see"
    browser.click(f'.piece[data-action="{tile_of(4, 4)}"]')
    browser.until(lambda: "1: 0-0 2-2 4-4" in browser.text(".outcome"))
    browser.click(f'.piece[data-action="{tile_of(4, 4)}"]')
    browser.until(lambda: "4-4" not in browser.text(".outcome"))
    browser.click(f'.piece[data-action="{tile_of(6, 4)}"]')
    browser.until(lambda: "Only the tiles at the ends" in browser.text(".q-notification"))
    play_on(browser)
    browser.until(lambda: "Your turn" in browser.text(".status") and browser.all(".spot.legal"))
    assert "blue (2)" in browser.text(".board") and "boneyard (20)" in browser.text(".board")
    assert [spot.get_attribute("aria-label") for spot in browser.all(".spot.legal")] == ["1-0, to the right end"]
    assert "0-0 2-2" not in browser.driver.page_source, "what was set up for the other is nowhere on the page"
    browser.click(".words .button")
    browser.until(lambda: browser.count >= 2 and "1-0" in browser.text(".moves"))
    assert "0-0" in browser.text(".moves")  # the one tile with which the agent can answer
    assert browser.complaints() == []


def test_what_is_left_open_is_drawn_and_who_is_on_turn_is_chosen(browser: Browser) -> None:
    browser.open("/edit/dominoes?game=dominoes:variant=block")
    lay(browser, 2, (6, 5))
    field = browser.all(".fields input")[1]
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("3")
    browser.until(lambda: "0: 6-5; 1: 3; turn: 0" in browser.text(".outcome"))
    browser.click(".turns button", 1)
    browser.until(lambda: "turn: 1" in browser.text(".outcome"))
    browser.driver.refresh()
    browser.until(lambda: "turn: 1" in browser.text(".outcome") and browser.connected())
    assert browser.all(".turns button")[1].get_attribute("aria-pressed") == "true"
    lay(browser, 0, (2, 2))
    lay(browser, 3, (4, 4))
    browser.until(lambda: "none can be drawn" in browser.text(".outcome"))
    assert not browser.all('form[action="/table"]') and not browser.all(".board.dominoes svg")
    lay(browser, 3, (2, 1))
    browser.click('a.button[href^="/replay"]')
    browser.until(lambda: "Blue to play" in browser.text(".status") and browser.connected())
    browser.button("Ask every agent")
    browser.until(lambda: "Tumbafichas" in browser.text(".opinions") and "2-1" in browser.text(".opinions"))
    browser.stop_analysis()


def test_options_of_the_game_are_applied(browser: Browser) -> None:
    browser.open("/edit/dominoes")
    browser.click(".options summary")
    browser.until(lambda: browser.all(".options input") and browser.all(".options input")[0].is_displayed())
    pips = browser.all(".options input")[0]
    pips.send_keys(Keys.CONTROL, "a")
    pips.send_keys("3")
    browser.button("Apply")
    browser.until(lambda: len(browser.all(".piece")) == 10 and "dominoes:pips=3" in browser.text(".outcome"))


def test_the_keyboard_sets_up_too(browser: Browser) -> None:
    browser.open("/edit/dominoes")
    browser.until(lambda: browser.all(".piece.fits"))
    browser.driver.execute_script(f"document.querySelector('.piece[data-action=\"{tile_of(6, 1)}\"]').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: "line: 6-2" in browser.text(".outcome"))
    browser.until(lambda: browser.driver.switch_to.active_element.get_attribute("data-action") == str(tile_of(6, 2)))
    browser.driver.switch_to.active_element.send_keys(Keys.SPACE)
    browser.until(lambda: "line:" not in browser.text(".outcome"))


def test_what_is_set_up_survives_a_reload_and_back_undoes_a_step(browser: Browser) -> None:
    browser.open("/edit/hex?game=hex:size=3")
    browser.click('.spot[data-action="4"]')
    browser.until(lambda: "at=0@b2" in browser.driver.current_url)
    browser.click('.brush[aria-label="blue stone"]')
    browser.click('.spot[data-action="0"]')
    browser.until(lambda: "at=1@a1/0@b2" in browser.driver.current_url)
    browser.driver.refresh()
    browser.until(lambda: browser.all('.spot[aria-label="a1, blue stone"]') and browser.connected())
    assert browser.all('.spot[aria-label="b2, red stone"]')
    browser.driver.back()
    browser.until(lambda: browser.all('.spot[aria-label="a1, empty"]') and browser.connected())
    assert browser.all('.spot[aria-label="b2, red stone"]')
    play_on(browser)
    browser.driver.back()
    browser.until(lambda: browser.all('.editing .spot[aria-label="b2, red stone"]'))
    browser.open("/edit/dominoes")
    lay(browser, 1, (6, 4))
    browser.until(lambda: "line:+6-4" in browser.driver.current_url)
    browser.click(".languages summary")
    browser.click(".languages a[lang=es]")
    browser.until(lambda: "line: 6-4" in browser.text(".outcome") and "Lo que verás" in browser.text())


def test_a_deck_and_hands_of_kittens_are_played(browser: Browser) -> None:
    browser.open("/edit/kittens")
    browser.until(lambda: "0: defuse skip attack; 1: defuse skip attack; turn: 0; owed: 1" in browser.text(".outcome"))
    assert "deck: 30 cards, 4 bombs" in browser.text(".board"), "what is left open is dealt as usual"
    deal(browser, 0, "safe skip bomb safe")
    browser.click('.pile.deck [data-action="102"]')
    browser.until(lambda: browser.all(".piece.marked"))
    browser.button("Higher")
    deal(browser, 0, "attack")
    browser.until(lambda: "deck: safe attack bomb skip safe" in browser.text(".outcome"))
    browser.button("Remove")
    browser.until(lambda: "deck: safe attack skip safe" in browser.text(".outcome"))
    deal(browser, 0, "bomb")
    deal(browser, 1, "see")
    deal(browser, 2, "shuffle")
    browser.click('.pile.hand1 [data-action="302"]')
    browser.until(lambda: "1: defuse attack shuffle" in browser.text(".outcome"))
    browser.until(lambda: "deck: safe attack bomb skip safe; 0: defuse skip attack see;" in browser.text(".outcome"))
    play_on(browser)
    browser.until(lambda: "Your turn" in browser.text(".status") and browser.all(".spot.legal"))
    assert "deck: 5 cards, 1 bomb\n" in browser.text(".board") and "Shuffle" not in browser.text(".board")
    browser.type("see")
    browser.until(lambda: browser.count == 1 and "Bomb" in browser.text(".board"))
    browser.type("draw")
    browser.until(lambda: browser.count >= 3 and "Safe" in browser.text(".board"))
    assert browser.complaints() == []


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_a_phone_in_spanish(browser: Browser, game: str) -> None:
    browser.open("/edit")
    assert browser.number(".game") == 4
    browser.open(f"/edit/{game}")
    browser.until(lambda: browser.all(".piece"))
    assert "Lo que verás" in browser.text() and "Tu mano" in browser.text(".targets")
    if game == "dominoes":
        lay(browser, 0, (5, 4), (5, 5))
        lay(browser, 2, (5, 1))
        browser.until(lambda: "rojo (1)" in browser.text(".board"))
    else:
        browser.button("Todas las que quedan")
        browser.until(lambda: "mazo: 30 cartas" in browser.text(".board"))
    assert not browser.wider_than_screen()
    play_on(browser)
    browser.until(lambda: "Te toca" in browser.text(".status"))
    assert not browser.wider_than_screen()
