"""A tournament in progress in a real browser: boards that move, results that come in, and a replay in the end."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from ludoteca.play.store import Store
from ludoteca.reports.ladder import ladder_matches, ladders
from ludoteca.web.tables.runs import LISTED
from tests.web.browser import DESK, PHONE, Browser
from tests.web.paced_agent import GATE, Paced

pytestmark = pytest.mark.browser

OWN_SERVER = True

PACED = f"{Paced.__module__}.Paced"
WORDS = ["tournament", "hex:size=3", "random", "astar", PACED, "--matches", "22", "--limit", "600s", "--workers", "1"]
SEEDS = itertools.count(1)  # with the same seed the same tournament would be continued
MATCHES = 3 * 22  # for each pair of three agents: more than a page lists, so that there are two
assert LISTED < MATCHES < 2 * LISTED


@dataclass(frozen=True)
class Tournament:
    """A tournament that somebody plays in a terminal, and the gate of its paced agent."""

    process: subprocess.Popen[bytes]
    gate: int

    def allow(self, actions: int) -> None:
        """The paced agent may act so many times more."""
        os.write(self.gate, b"." * actions)


@pytest.fixture
def tournament(state: Path, tmp_path: Path) -> Iterator[Tournament]:
    """A tournament on the store that the server looks at. It waits as soon as its paced agent is to move."""
    os.mkfifo(tmp_path / "gate")
    gate = os.open(tmp_path / "gate", os.O_RDWR)
    process = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", *WORDS, "--seed", str(next(SEEDS))],
        stdout=subprocess.DEVNULL, start_new_session=True, cwd=Path(__file__).parents[3],
        env=os.environ | {"XDG_STATE_HOME": str(state), GATE: str(tmp_path / "gate")},
    )  # fmt: skip
    yield Tournament(process, gate)
    process.kill()
    process.wait()
    os.close(gate)


def newest_run(browser: Browser) -> str:
    """Opens the run that is in progress, which is listed first; its address."""
    browser.open("/watch")
    browser.until(lambda: browser.all(".runs .pulse"))
    run = str(browser.all(".runs a")[0].get_property("href")).removeprefix(browser.address)
    browser.click(".runs a")
    browser.until(lambda: "in progress" in browser.text(".run-state") and browser.connected())
    return run


def picture(browser: Browser, selector: str) -> str:
    found = browser.all(selector)
    return str(found[0].get_attribute("innerHTML")) if found else ""


def live_match_opened(browser: Browser, run: str) -> bool:
    """Opens the match on the first running board, unless it ends while we do."""
    browser.open(run)
    browser.until(lambda: browser.all(".live[href]:not(.over)"))
    browser.open(str(browser.all(".live[href]")[0].get_property("href")).removeprefix(browser.address))
    return "is thinking" in browser.text(".status")


def test_a_tournament_is_watched_to_its_end(browser: Browser, state: Path, tournament: Tournament) -> None:
    run = newest_run(browser)
    browser.driver.execute_script("window.sameDocument = true")

    browser.until(lambda: picture(browser, ".live .small-board"))
    first = picture(browser, ".live .small-board")

    def board_changed() -> bool:
        tournament.allow(1)  # the next match may begin with the same picture
        return picture(browser, ".live .small-board") not in ("", first)

    browser.until(board_changed)
    early = browser.text(".run-state")
    assert f"of {MATCHES} matches · in progress" in early
    tournament.allow(10)  # more than one match of it
    browser.until(lambda: browser.text(".run-state") != early)
    ranking = browser.text("table.ratings")
    assert all(f". {agent}\t" in ranking for agent in ("Random", "A-Star", PACED))
    tournament.allow(20)
    browser.until(lambda: browser.text("table.ratings") != ranking and "%" in browser.text("table.cross"))
    assert browser.driver.execute_script("return window.sameDocument") is True, "the page was loaded anew"

    # One of the matches, while it is being played and after its end.
    browser.until(lambda: live_match_opened(browser, run))
    seen = browser.count
    browser.driver.execute_script("window.sameDocument = true")
    tournament.allow(2000)  # more than there are
    browser.until(lambda: "wins" in browser.text(".status"))
    assert browser.count > seen and browser.driver.execute_script("return window.sameDocument") is True

    browser.open(run)
    browser.until(lambda: f"{MATCHES} of {MATCHES} matches · complete" in browser.text(".run-state"))
    browser.until(lambda: not any(card.is_displayed() for card in browser.all(".live")))
    assert tournament.process.wait(timeout=60) == 0
    browser.until(lambda: browser.all(f".stored a[href='{run}/{MATCHES - 1}']"))
    browser.click('button[aria-label="Older"]')
    browser.until(lambda: browser.all(f".stored a[href='{run}/{MATCHES - LISTED - 1}']"))
    with Store(state / "ludoteca" / "arena.sqlite") as store:
        records = list(store.records(int(run.rpartition("/")[2])))
    assert sorted(each.name for each in (state / "ludoteca").glob("arena.sqlite-run*")) == []

    on_page = range(MATCHES - LISTED)
    number = next(number for number in on_page if any(who.agent == "astar" for who in records[number].seats))
    browser.click(f".stored a[href='{run}/{number}']")
    browser.until(lambda: browser.count == len(records[number].actions))
    assert "s" in browser.text(".moves small")  # what an opening played has no time
    assert browser.all(".plot circle")
    start = picture(browser, ".board")
    browser.driver.execute_script("document.querySelector('.slider').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.text(".moves .here") and picture(browser, ".board") != start)
    assert browser.all(".moves .here")[0].get_attribute("data-ply") == "1"
    browser.until(lambda: browser.all(f"a[href='{run}/{number}?ply=1']"))
    next_board = picture(browser, ".board svg")
    browser.open(f"{run}/{number}?ply=1")
    browser.until(lambda: picture(browser, ".board svg") == next_board)
    assert browser.complaints() == []


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_watching_on_a_phone_in_spanish(browser: Browser, state: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "ludoteca.cli", "tournament", "kittens", "random", "v1", "v2", "--matches", "2"],
        check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_STATE_HOME": str(state)},
    )  # fmt: skip
    browser.open("/watch")
    browser.until(lambda: "todos contra todos · Gatitos" in browser.text(".runs"))
    assert not browser.wider_than_screen()
    browser.click(".runs a")
    browser.until(lambda: "6 de 6 partidas · completa" in browser.text(".run-state"))
    browser.until(lambda: browser.all("table.cross td b") and browser.all(".small-board svg"))
    assert "Clasificación" in browser.text() and not browser.wider_than_screen()
    browser.click(".stored a")
    browser.until(lambda: browser.count > 0)
    assert "robar" in browser.text(".moves") and "draw" not in browser.text()
    assert not browser.wider_than_screen()


SHIFTED = """
const [done] = arguments;
new PerformanceObserver((seen) => done(seen.getEntries().reduce((sum, each) => sum + each.value, 0)))
  .observe({ type: "layout-shift", buffered: true });
setTimeout(() => done(0), 300);  // without any shift nothing is observed
"""


DOCUMENT = "fetch(location.href).then((answer) => answer.text()).then(arguments[0])"


@pytest.mark.parametrize("browser", [DESK, PHONE], indirect=True)
def test_a_fresh_install_shows_a_match_at_once_and_nothing_moves(browser: Browser) -> None:
    browser.open("/watch")
    assert "&lt;svg" in browser.driver.execute_async_script(DOCUMENT)  # not only once the connection is open
    browser.until(lambda: browser.all(".show .board svg") and len(browser.all(".show .player b")) == 2)
    first = picture(browser, ".show-actions")
    browser.until(lambda: picture(browser, ".show-actions") != first and browser.all(".show-actions li"))
    assert all(each.text for each in browser.all(".show .player b"))
    assert browser.driver.execute_async_script(SHIFTED) == 0
    assert not browser.wider_than_screen() and browser.complaints() == []


def test_two_agents_play_after_one_click_on_the_start_page(browser: Browser) -> None:
    browser.open("/")
    browser.click(".two-agents .button")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.connected())
    browser.until(lambda: browser.count > 0)
    browser.open("/")
    browser.driver.execute_script(
        "const game = document.querySelector('[data-games]'); game.value = 'horses';"
        "game.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    browser.click(".two-agents .button")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.all(".board.horses"))
    browser.until(lambda: browser.count > 0)


def test_a_shipped_ladder_is_a_tournament_with_replays(browser: Browser) -> None:
    browser.open("/watch")
    browser.click("a[href='/watch/hex']")
    browser.until(lambda: len(browser.all("a.game .small-board svg")) == 4)
    assert browser.driver.execute_async_script(SHIFTED) == 0
    records, rated = ladder_matches("hex"), ladders("hex")[0].matches
    assert str(rated) in browser.text(".soft") and browser.number(".stored a") == len(records)
    browser.click(".stored a")
    browser.until(lambda: browser.count == len(records[0].actions))
    browser.open(f"/watch/hex/1?ply={len(records[1].actions)}")
    browser.until(lambda: "wins" in browser.text(".status"))
    assert browser.complaints() == []


def test_a_run_that_was_killed_is_called_interrupted(browser: Browser, tournament: Tournament) -> None:
    newest_run(browser)
    os.killpg(tournament.process.pid, signal.SIGKILL)
    browser.until(lambda: "interrupted" in browser.text(".run-state"))
