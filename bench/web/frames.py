"""How smoothly boards move: the times between frames in a real Chromium while pieces travel.

Each game is played for some turns on the screen of a phone, against `random`. Counted are the frames of the half second
after each new picture of the board, by requestAnimationFrame. Headless Chromium shows at most 60 frames a second.

    python -m bench.web.frames --help
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from selenium import webdriver

from tools.page import Somebody, chromium, served

GAMES = ("hex:size=11", "horses", "dominoes", "kittens")
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
PATIENCE = 20.0
SMOOTH = 1000 / 60
LATE = 1.5 * SMOOTH
"""Milliseconds: a frame that took longer was missed by at least one."""
RECORD = """
window.frames_ = [];
let until = 0, last = 0;
const tick = (now) => {
  if (last && now < until) window.frames_.push(now - last);
  last = now < until ? now : 0;
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
new MutationObserver((changes) => {
  if (changes.some(({ target }) => target.classList?.contains("board"))) until = performance.now() + 500;
}).observe(document.body, { childList: true, subtree: true });
"""
READY = "return !!document.querySelector('.result, .spot.legal, .words [data-action]')"
PLAY = """
const all = document.querySelectorAll(".spot.legal, .words [data-action]");
all[Math.floor(all.length / 2)]?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
return document.querySelectorAll(".moves button").length;
"""
COUNT = "return document.querySelectorAll('.moves button').length"


def frames(driver: webdriver.Chrome, url: str, turns: int) -> list[float]:
    """The milliseconds between frames while pieces move, over so many turns of a match."""
    driver.get(url)
    _until(lambda: driver.execute_script(READY))
    driver.execute_script(RECORD)
    for _ in range(turns):
        if driver.find_elements("css selector", ".result"):
            break
        before = driver.execute_script(PLAY)
        _until(lambda: driver.execute_script(COUNT) > before)  # noqa: B023 - used at once
        time.sleep(0.7)
        _until(lambda: driver.execute_script(READY))
    return [float(each) for each in driver.execute_script("return window.frames_")]


def _until(done: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not done() and time.monotonic() < end:
        time.sleep(0.05)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.web.frames", description="How smoothly boards move.")
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument(
        "--slowdown", type=float, default=1.0, help="by how much the browser's processor is slowed down"
    )
    given = parser.parse_args()
    print("| game | frames | median | 95th percentile | longest | in time |\n|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        somebody = Somebody(address)
        with chromium(Path(folder) / "profile") as driver:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": given.slowdown})
            driver.get(address + "/learn")
            somebody.lend(driver)
            for game in GAMES:
                took = frames(driver, somebody.table(game), given.turns)
                high = quantiles(took, n=20)[-1]
                share = sum(each <= LATE for each in took) / len(took)
                print(
                    f"| {game.partition(':')[0]} | {len(took)} | {median(took):.1f} ms | {high:.1f} ms | "
                    f"{max(took):.0f} ms | {share:.0%} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
