"""A student of a league with a browser, on a phone: signs in, hands in, follows the check, and watches a match.

It is here, and not with the tests of the league, to use the same browser as the other pages.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.league.database import Database
from ludoteca.messages import say
from tests.league.pages.conftest import LeagueServer, league
from tests.league.pages.test_students import PLAYER, played
from tests.web.browser import PHONE, Browser
from tests.web.conftest import CHROMIUM, DRIVER, Running
from tests.web.pages.test_axe import AXE, serious

__all__ = ["league"]
pytestmark = pytest.mark.browser


def test_a_student_hands_in_follows_the_check_and_watches(
    league: LeagueServer,
    running: Running,
    tmp_path: Path,
) -> None:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver, as Debian's package chromium-driver brings them")
    browser = running.take(league.address, PHONE)
    (tmp_path / "ana.py").write_bytes(PLAYER)
    browser.driver.get(f"{league.address}/league/enter/{league.code('ana')}")
    browser.button("Entrar")
    browser.until(lambda: browser.all("input[type=file]"))
    browser.all("input[type=file]")[0].send_keys(str(tmp_path / "ana.py"))
    browser.until(lambda: "ana.py" in browser.text(".drop"))
    browser.button("Entregar")
    browser.until(lambda: "Comprobando" in browser.text())
    with Database(league.folder) as database:
        version = database.versions()[-1]
        database.note_finding(version, Finding(say("Loads"), FindingVerdict.good, say("It runs, and it answers.")))
        browser.until(lambda: "Carga" in browser.text(".findings"))  # without a reload
        ana, _, places = played(league, database)
        database.refuse(version, say("it is too slow"))
        browser.until(lambda: "no ha pasado" in browser.text())
    assert _fits(browser)
    browser.driver.get(f"{league.address}/league")
    browser.until(lambda: browser.all("tr.own"))
    assert _fits(browser)
    for theme in ("light", "dark") if AXE.exists() else ():
        browser.driver.add_cookie({"name": "theme", "value": theme, "path": "/"})
        for path in ("/league", "/league/me", f"/league/version/{version.id}", f"/league/version/{ana.id}"):
            browser.driver.get(league.address + path)
            assert not serious(browser), (theme, path)
    browser.open(f"/league/match/{places[0]}")
    browser.until(lambda: browser.all(".board svg") and browser.all(".controls .control"))
    assert f"/league/version/{ana.id}" in browser.driver.page_source
    running.give_back()


def _fits(browser: Browser) -> bool:
    """Whether nothing is wider than the screen."""
    found: bool = browser.driver.execute_script(
        "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    return found
