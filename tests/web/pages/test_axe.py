"""axe-core finds nothing serious on any page, in both languages and lights, on a phone, a tablet and a desk.

axe-core is under the MPL-2.0 and not part of this project: ``npm install --no-save axe-core`` in the project's folder
puts it where these tests look for it. Two combinations run with all other tests; ``make accessibility`` runs them all.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca.catalogues import languages
from ludoteca.learn.run_folder import RunWriter
from tests.web.browser import Browser
from tests.web.learning.test_training import about, curve

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: npm install --no-save axe-core"),
]

OWN_SERVER = True
MATCH = "game=hex:size=3&seed=1&actions=4.0.3.1.5"
PAGES = ["/", "/new/hex", "/watch", "/watch/{run}", "/watch/{run}/0", "/edit", "/edit/horses", "/edit/dominoes",
         "/edit/kittens", "/advise", "/advise/kittens", "/learn", "/learn/hex", "/guide/dominoes", "/guide/hex?step=6",
         "/solved", "/puzzles", "/puzzle/kittens/1", "/docs/agents/astar",
         f"/replay?{MATCH}", f"/review?{MATCH}&seats=person|random", "/training", "/training?run=first",
         "/training?run=first&run=second", "/train", "/nowhere"]  # fmt: skip
TABLES = [("hex", "person|random"), ("dominoes", "person|random"), ("kittens", "person|friend")]
DESK, TABLET, PHONE = (1400, 900), (820, 1180), (390, 844)
ALL = [
    ((*size, language), theme)
    for (size, theme), other in zip(
        itertools.product((DESK, TABLET, PHONE), ("light", "dark")), itertools.cycle(languages()[1:]), strict=False
    )
    for language in ("en", other)
]
"""Every size and theme in English and, in turn, in another language."""
FEW = [((*DESK, "en"), "light"), ((*PHONE, languages()[-1]), "dark")]
CHOSEN = ALL if os.environ.get("LUDOTECA_AXE") == "all" else FEW


@pytest.fixture(scope="module")
def run(state: Path) -> str:
    """The number of a tournament, as something to watch; the server's own run has another."""
    words = ["tournament", "hex:size=3", "random", "astar", "--matches", "2", "--workers", "1"]
    store = state / "ludoteca" / "arena.sqlite"
    played = subprocess.run(
        [sys.executable, "-m", "ludoteca.cli", *words, "--store", str(store)],
        check=True, capture_output=True, text=True, env=os.environ | {"XDG_STATE_HOME": str(state)},
    )  # fmt: skip
    for name, share in (("first", 40), ("second", 60)):
        with RunWriter(state / "runs" / name, about(width=share), [], resumed=False) as writer:
            writer.append(curve(10, share))
    number = re.search(r"Saved as run (\d+)", played.stdout)
    assert number is not None, played.stdout
    return number[1]


@pytest.mark.parametrize(("browser", "theme"), CHOSEN, indirect=["browser"], ids=str)
def test_nothing_serious_is_found(browser: Browser, theme: str, run: str) -> None:
    browser.open("/")
    browser.driver.add_cookie({"name": "theme", "value": theme, "path": "/"})
    found = []
    for path in (each.format(run=run) for each in PAGES):
        browser.driver.get(browser.address + path)
        browser.until(lambda: browser.all(".top"))
        if path.startswith("/watch"):
            browser.until(lambda: browser.all(".match, .stored a, .moves button"))
        if "?run=" in path:
            browser.until(lambda: browser.all(".chart"))
        found += [f"{path}: {wrong}" for wrong in serious(browser)]
    for game, seats in TABLES:
        browser.begin(game, seats)
        browser.until(lambda: browser.all(".spot.legal, .words button, .invitation"))
        found += [f"a table of {game}: {wrong}" for wrong in serious(browser)]
    looking_on = browser.all('.invitation input[value*="/look/"]')[0].get_attribute("value")
    assert looking_on is not None
    browser.driver.get(looking_on)
    browser.until(lambda: browser.all(".spectated"))
    found += [f"the spectators' page: {wrong}" for wrong in serious(browser)]
    assert not found, "\n".join(found)


def test_something_serious_would_be_found(browser: Browser) -> None:
    """A picture without a name, and a text that is unreadable."""
    browser.open("/nowhere")
    browser.driver.execute_script(
        "document.querySelector('.content').insertAdjacentHTML('beforeend', "
        '\'<img src="/icon.svg"><p style="color:#ccc;background:#fff">words that are too pale</p>\')'
    )
    assert {each.partition(":")[0] for each in serious(browser)} == {"image-alt", "color-contrast"}


def serious(browser: Browser) -> list[str]:
    """What axe-core finds that is serious or worse: the rule, and where."""
    browser.driver.set_script_timeout(120)
    browser.driver.execute_script(AXE.read_text(encoding="utf-8"))
    results = browser.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run({resultTypes: ['violations']}).then(found => done(found.violations), error => done(String(error)))"
    )
    assert isinstance(results, list), results
    return [
        f"{each['id']}: {'; '.join(str(node['target']) for node in each['nodes'][:4])}"
        for each in results
        if each["impact"] in ("serious", "critical")
    ]
