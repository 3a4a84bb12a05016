"""Networks that visitors train in the page: what one sees, plays against, keeps, and may not touch."""

from __future__ import annotations

import json
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from ludoteca.agents.kittens.dqn import WEIGHTS
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunWriter
from tests.web.browser import PHONE, Browser

KEY = "00112233445566aa"


@pytest.fixture(scope="module")
def training(state: Path) -> str:
    """A training of somebody else that is over, with a real network."""
    folder = state / "ludoteca" / "trained" / KEY
    run = {"training": "dqn", "unit": "matches", "total": 1_000}
    points = [
        Point(at, 1.0, {"loss": 0.1}, 0.5, {"v2": Result.of(at // 20 + 20, 0, 80 - at // 20)}) for at in (0, 1_000)
    ]
    with RunWriter(folder, run, [], resumed=False) as writer:
        writer.append(points)
        writer.finish({})
    shutil.copy(WEIGHTS / "kittens-clean.onnx", folder / "1000.onnx")
    about = {"game": "kittens", "owner": "0" * 32, "started": time.time()}
    (folder / "about.json").write_text(json.dumps(about))
    return f"/train/{KEY}"


class Visitor:
    """A client with a cookie of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.get("/learn")

    def get(self, path: str, **form: str) -> tuple[int, str, bytes]:
        """Status, address and body; with a form it is sent."""
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(self.address + path, data, {"Origin": self.address})
        try:
            with self.opener.open(request, timeout=120) as answer:
                return answer.status, answer.url, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, path, error.read()


def test_a_visitor_downloads_and_plays_but_changes_nothing_of_anothers(address: str, training: str) -> None:
    eve = Visitor(address)
    status, _, network = eve.get(f"{training}/network.onnx")
    assert status == 200 and network == (WEIGHTS / "kittens-clean.onnx").read_bytes()
    for command in ("stop", "delete"):
        status, _, body = eve.get(f"{training}/{command}", sure="1")
        assert status == 400 and b"only the person who started" in body
    status, url, body = eve.get(f"{training}/play", at="1000", seat="0")
    assert status == 200 and "/table/" in url and b"network trained here" in body
    for path in ("/train/0000000000000000", f"{training}/network.onnx?at=7", "/train/..%2f..%2fetc/network.onnx"):
        assert eve.get(path)[0] == 404
    assert eve.get(f"{training}/play", at="../7")[0] == 404
    assert eve.get("/train", game="chess")[0] == 400
    assert eve.get("/table", game="kittens", seats="person|trained:network=../../x")[0] == 400
    assert eve.get(training)[0] == 200


@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_its_page_tells_what_it_has_learnt(browser: Browser, training: str) -> None:
    browser.open(training)
    browser.until(lambda: "Ha terminado: 1\u00a0000 de 1\u00a0000 partidas" in browser.text(".run-state"))
    assert "gana el 70,0% de sus partidas; al principio era el 20,0%" in browser.text()
    assert browser.number(".charts figure") >= 1 and not browser.all("form[action$=stop], form[action$=delete]")
    wide = browser.driver.execute_script("return document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
    browser.button("empieza ella")
    browser.until(lambda: "/table/" in browser.driver.current_url and browser.count >= 1)  # the network has played
