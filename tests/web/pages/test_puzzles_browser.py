"""Puzzles in a real browser: a wrong answer is refuted, the right one counts, and the days in a row are remembered."""

from __future__ import annotations

import datetime

import pytest

from ludoteca.games import game as game_of
from ludoteca.reports.puzzles.puzzle import Puzzle, daily, puzzle
from tests.web.browser import PHONE, Browser

pytestmark = pytest.mark.browser


def answer(browser: Browser, asked: Puzzle, name: str) -> None:
    number = int(name) if asked.kind == "hold" else game_of(asked.game).parse_action(name)
    place = ".words" if browser.all(f'.words [data-action="{number}"]') else ".board"
    browser.click(f'{place} [data-action="{number}"]')


def test_a_wrong_answer_is_refuted_and_the_right_one_counts(browser: Browser) -> None:
    asked = puzzle("hex", 1)
    wrong, (reply, _) = next((action, reply) for action, reply in asked.replies.items() if reply[0])
    browser.open("/puzzle/hex/1")
    browser.until(lambda: browser.connected() and browser.all(".board .spot.legal"))
    answer(browser, asked, wrong)
    browser.until(lambda: f"answers {reply}." in browser.text(".status"))
    assert not browser.all(".board .spot.legal")
    browser.click('[data-do="again"]')
    browser.until(lambda: browser.all(".board .spot.legal"))
    answer(browser, asked, asked.answer)
    browser.until(lambda: f"Well done: {asked.answer} it is." in browser.text(".status"))
    assert "It wins whatever the other does" in browser.text(".status")
    browser.button("Play it to the end")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".spot.legal"))
    assert browser.count == len(asked.actions)
    browser.open("/puzzles")
    browser.until(lambda: browser.all('[data-puzzle="hex/1"].solved'))
    assert browser.complaints() == []


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_the_puzzle_of_the_day_begins_a_row_of_days(browser: Browser) -> None:
    browser.open("/puzzles")
    browser.until(lambda: browser.connected() and "Resuelve uno cada día" in browser.text("[data-streak]"))
    day = browser.all("[data-streak]")[0].get_attribute("data-streak")
    assert day is not None
    game, number = daily(datetime.date.fromisoformat(day))
    asked = puzzle(game, number)
    answer(browser, asked, asked.answer)
    browser.until(lambda: browser.text("[data-streak]") == "1 día seguido")
    browser.open("/puzzles")
    browser.until(lambda: browser.text("[data-streak]") == "1 día seguido")
    assert not browser.wider_than_screen()
    assert browser.complaints() == []
