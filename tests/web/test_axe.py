"""axe-core finds nothing serious on any page, in both languages, lights and on screens of either width.

axe-core is under the MPL-2.0 and not part of this project: ``npm install --no-save axe-core`` in the project's folder
puts it where these tests look for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser import Browser

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: npm install --no-save axe-core"),
]

PAGES = ["/", "/new/hex", "/watch", "/edit", "/edit/horses", "/edit/dominoes", "/edit/kittens", "/learn", "/learn/hex",
         "/replay?game=hex:size=3&seed=1&actions=4.0.3", "/nowhere"]  # fmt: skip
TABLES = ["/new/hex?seats=person|random", "/new/dominoes?seats=person|random", "/new/kittens?seats=person|random"]
DESK, PHONE = (1400, 900), (390, 844)


@pytest.mark.parametrize(
    ("browser", "theme"),
    [((*DESK, "en"), "light"), ((*PHONE, "en"), "dark"), ((*PHONE, "es"), "light"), ((*DESK, "es"), "dark")],
    indirect=["browser"],
)
def test_nothing_serious_is_found(browser: Browser, theme: str) -> None:
    browser.open("/")
    browser.driver.add_cookie({"name": "theme", "value": theme, "path": "/"})
    found = []
    for path in PAGES:
        browser.driver.get(browser.address + path)
        browser.until(lambda: browser.all(".top"))
        found += [f"{path}: {wrong}" for wrong in serious(browser)]
    for path in TABLES:
        browser.begin(path)
        browser.until(lambda: browser.all(".spot.legal") or browser.all(".words button"))
        found += [f"{path}: {wrong}" for wrong in serious(browser)]
    assert not found, "\n".join(found)


def serious(browser: Browser) -> list[str]:
    """What axe-core finds that is serious or worse: the rule, and where."""
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
