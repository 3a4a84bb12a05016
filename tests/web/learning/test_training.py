"""Trainings on the page: a curve that grows while it is watched, a comparison, and names that lead nowhere else."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunWriter
from tests.web.browser import PHONE, Browser

RUNS = "runs"
"""What the server shows: the folder of this name where it was started."""


def about(**settings: object) -> dict[str, object]:
    return {
        "training": "dqn", "command": "ludoteca train dqn --folder /home/ana/secret/run", "unit": "matches",
        "total": 1_000, "settings": {"game": "kittens", "seed": 1} | settings,
    }  # fmt: skip


def curve(count: int, share: int) -> list[Point]:
    result = Result.of(share, 0, 100 - share)
    return [Point(100 * n, 60.0 * n, {"loss": 1 / n}, 1 - n / 10, {"v2": result}) for n in range(1, count + 1)]


@pytest.fixture(scope="module")
def runs(state: Path) -> Path:
    """Trainings in the server's folder: two that are over, one under way, one damaged, and a link out of it."""
    folder = state / RUNS
    for name, share, width in (("first", 60, 128), ("second", 90, 256)):
        with RunWriter(folder / name, about(width=width), [], resumed=False) as writer:
            writer.append(curve(10, share))
            writer.finish({})
    (folder / "damaged").mkdir()
    (folder / "damaged" / "run.json").write_text("[" * 90_000)
    (state / "outside").mkdir()
    (state / "outside" / "run.json").write_text(json.dumps(about(secret="hush")))
    (folder / "link").symlink_to(state / "outside")
    return folder


def fetch(address: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address + path, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_visitor_reads_no_other_folder(address: str, state: Path, runs: Path) -> None:
    for name in (
        "../outside",
        "link",
        "first/../../outside",
        str(state / "outside"),
        "first\0",
        "\ud800x",
        "",
        "." * 5000,
    ):
        query = urllib.parse.urlencode({"run": name}, errors="surrogatepass")
        status, text = fetch(address, f"/training?{query}")
        assert status == 404 and "hush" not in text, name
    status, text = fetch(address, "/training?" + "&".join(f"run={n}" for n in range(7)))
    assert status == 400 and "Choose at most 6 trainings." in text
    assert fetch(address, "/training?run=first")[0] == 200
    assert "/training" in fetch(address, "/learn")[1]


@pytest.mark.browser
def test_a_curve_grows_while_it_is_watched(browser: Browser, runs: Path) -> None:
    with RunWriter(runs / "live", about(), [], resumed=False) as writer:
        writer.append(curve(2, 50))
        browser.open("/training?run=live")
        browser.until(lambda: "200 of 1,000 matches · being trained now" in browser.text(".run-state"))
        browser.click(".training details summary")
        writer.append([*curve(2, 50), *curve(5, 77)[2:]])
        browser.until(lambda: "500 of 1,000 matches" in browser.text(".run-state"))
        browser.until(lambda: "77.0%" in browser.text("details table"))  # and it is still open
        assert len(browser.all(".chart")) == 3
        labels = [each.get_attribute("aria-label") or "" for each in browser.all(".chart svg[role=img]")]
        assert labels[0].endswith("v2: 50% → 77% (500 matches)")
        assert "secret" not in browser.driver.page_source and "ludoteca train dqn --folder run" in browser.text("body")
    browser.until(lambda: "500 of 1,000 matches · stopped" in browser.text(".run-state"))
    assert "--resume" not in browser.text(".run-state"), "there is no checkpoint yet"
    (runs / "live" / "checkpoint").touch()
    browser.until(lambda: "stopped; --resume continues it" in browser.text(".run-state"))


@pytest.mark.browser
@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_two_are_ticked_and_compared(browser: Browser, runs: Path) -> None:
    browser.open("/training")
    browser.until(lambda: "1 000 de 1 000 partidas" in browser.text(".match").replace("\xa0", " "))
    assert "run.json no es lo que escribe un entrenamiento" in browser.text("form")
    for name in ("first", "second"):
        browser.click(f"input[value={name}]")
    browser.click("form .button")
    browser.until(lambda: len(browser.all(".chart")) == 3)
    assert "60,0%" in browser.text(".training table") and "90,0%" in browser.text(".training table")
    assert [each.text for each in browser.all("td.differs")] == ["128", "256"]
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.driver.execute_script(wide) <= 0
    browser.open("/training?run=first&run=damaged")
    browser.until(lambda: "run.json no es lo que escribe un entrenamiento" in browser.text(".run-state"))
    browser.until(lambda: browser.all(".chart"))
