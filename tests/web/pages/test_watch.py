"""A tournament in progress in a real browser: boards that move, results that come in, and a replay in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from ludoteca.play.store import Store
from ludoteca.web.tables.runs import LISTED
from tests.web.browser import PHONE, Browser
from tests.web.paced_agent import PACE, Paced

pytestmark = pytest.mark.browser

OWN_SERVER = True

PACED = f"{Paced.__module__}.Paced"
WORDS = ["tournament", "hex:size=5", "random", "astar", PACED, "--matches", "40", "--limit", "60s", "--workers", "1"]
MATCHES = 2 * LISTED  # two pages of them: 40 for each pair of three agents


@pytest.fixture
def pace(tmp_path: Path) -> Callable[[float], None]:
    """Says how many seconds the paced agent thinks about each action from now on."""

    def change(seconds: float) -> None:
        (tmp_path / "new").write_text(str(seconds))
        (tmp_path / "new").replace(tmp_path / "pace")

    return change


@pytest.fixture
def tournament(state: Path, tmp_path: Path, pace: Callable[[float], None]) -> Iterator[subprocess.Popen[bytes]]:
    """Somebody plays a tournament in a terminal, on the store that the server looks at."""
    pace(0.1)
    process = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", *WORDS],
        stdout=subprocess.DEVNULL, start_new_session=True, cwd=Path(__file__).parents[3],
        env=os.environ | {"XDG_STATE_HOME": str(state), PACE: str(tmp_path / "pace")},
    )  # fmt: skip
    yield process
    process.kill()
    process.wait()


def picture(browser: Browser, selector: str) -> str:
    found = browser.all(selector)
    return str(found[0].get_attribute("innerHTML")) if found else ""


def live_match_opened(browser: Browser) -> bool:
    """Opens the match on the first running board, unless it ends while we do."""
    browser.open("/watch/2")
    browser.until(lambda: browser.all(".live[href]:not(.over)"))
    browser.open(str(browser.all(".live[href]")[0].get_property("href")).removeprefix(browser.address))
    return "is thinking" in browser.text(".status")


def test_a_tournament_is_watched_to_its_end(
    browser: Browser, state: Path, tournament: subprocess.Popen[bytes], pace: Callable[[float], None]
) -> None:
    browser.open("/watch")
    browser.until(lambda: browser.all(".matches a[href='/watch/2']"))
    browser.click(".matches a[href='/watch/2']")
    browser.until(lambda: browser.all(".run-state p") and browser.connected())
    browser.driver.execute_script("window.sameDocument = true")

    browser.until(lambda: picture(browser, ".live .small-board"))
    first = picture(browser, ".live .small-board")
    browser.until(lambda: picture(browser, ".live .small-board") not in ("", first))
    early = browser.text(".run-state")
    assert f"of {MATCHES} matches · in progress" in early
    browser.until(lambda: browser.text(".run-state") != early)
    ranking = browser.text("table.ratings")
    assert all(f". {agent} " in ranking for agent in ("random", "astar", PACED))
    browser.until(lambda: browser.text("table.ratings") != ranking and "%" in browser.text("table.cross"))
    assert browser.driver.execute_script("return window.sameDocument") is True, "the page was loaded anew"

    # One of the matches, while it is being played and after its end.
    pace(2.0)
    browser.until(lambda: live_match_opened(browser))
    seen = browser.count
    browser.driver.execute_script("window.sameDocument = true")
    pace(0.0)
    browser.until(lambda: "wins" in browser.text(".status"))
    assert browser.count > seen and browser.driver.execute_script("return window.sameDocument") is True

    browser.open("/watch/2")
    browser.until(lambda: f"{MATCHES} of {MATCHES} matches · complete" in browser.text(".run-state"))
    browser.until(lambda: not any(card.is_displayed() for card in browser.all(".live")))
    assert tournament.wait(timeout=60) == 0
    browser.until(lambda: browser.all(f".stored a[href='/watch/2/{MATCHES - 1}']"))
    browser.click('button[aria-label="Older"]')
    browser.until(lambda: browser.all(f".stored a[href='/watch/2/{MATCHES - LISTED - 1}']"))
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        records = list(store.records(2))
    assert sorted(each.name for each in (state / "ludoteca").glob("arena.sqlite-run*")) == []

    on_page = range(MATCHES - 2 * LISTED, MATCHES - LISTED)
    number = next(number for number in on_page if any(who.agent == "astar" for who in records[number].seats))
    browser.click(f".stored a[href='/watch/2/{number}']")
    browser.until(lambda: browser.count == len(records[number].actions))
    assert "s" in browser.text(".moves small")  # what an opening played has no time
    assert browser.all(".plot circle")
    start = picture(browser, ".board")
    browser.driver.execute_script("document.querySelector('.slider').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.text(".moves .here") and picture(browser, ".board") != start)
    assert browser.all(".moves .here")[0].get_attribute("data-ply") == "1"
    browser.until(lambda: browser.all(f"a[href='/watch/2/{number}?ply=1']"))
    moved = picture(browser, ".board svg")
    browser.open(f"/watch/2/{number}?ply=1")
    browser.until(lambda: picture(browser, ".board svg") == moved)
    assert browser.complaints() == []


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_watching_on_a_phone_in_spanish(browser: Browser, state: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "ludoteca.cli", "tournament", "kittens", "random", "v1", "v2", "--matches", "2"],
        check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_STATE_HOME": str(state)},
    )  # fmt: skip
    browser.open("/watch")
    browser.until(lambda: "todos contra todos · kittens" in browser.text(".matches"))
    assert not browser.wider_than_screen()
    browser.click(".matches a")
    browser.until(lambda: "6 de 6 partidas · completa" in browser.text(".run-state"))
    browser.until(lambda: browser.all("table.cross td b") and browser.all(".small-board svg"))
    assert "Clasificación" in browser.text() and not browser.wider_than_screen()
    browser.click(".stored a")
    browser.until(lambda: browser.count > 0)
    assert "robar" in browser.text(".moves") and "draw" not in browser.text()
    assert not browser.wider_than_screen()


def test_a_run_that_was_killed_is_called_interrupted(browser: Browser, state: Path, tmp_path: Path) -> None:
    (tmp_path / "pace").write_text("0.1")
    process = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", *WORDS, "--seed", "2"],
        stdout=subprocess.DEVNULL, start_new_session=True, cwd=Path(__file__).parents[3],
        env=os.environ | {"XDG_STATE_HOME": str(state), PACE: str(tmp_path / "pace")},
    )  # fmt: skip
    try:
        browser.open("/watch")
        browser.until(lambda: browser.all(".matches .pulse"))
        browser.click(".matches a")  # the newest
        browser.until(lambda: "in progress" in browser.text(".run-state"))
        os.killpg(process.pid, signal.SIGKILL)
        browser.until(lambda: "interrupted" in browser.text(".run-state"))
    finally:
        process.kill()
        process.wait()
