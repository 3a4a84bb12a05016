"""How soon a page is painted and how much it transfers, in a real Chromium with nothing in its cache.

Each page is loaded by a browser that has never been here. Counted are the bytes that came over the wire by Chromium's
own network log, headers, fonts and websocket included, until nothing more has come for a second; the time runs from the
request to the first paint that shows any content.

    python -m bench.web.paint --help
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from selenium import webdriver

from tools.page import Somebody, chromium, served

TABLES = {"hex": "hex:size=11", "horses": "horses", "dominoes": "dominoes", "kittens": "kittens"}
REPLAY = "/replay?game=hex:size=11&seed=1&actions=60.49.72.48&ply=2"
OTHERS = {
    "home": "/", "replay": REPLAY, "watch": "/watch", "edit": "/edit/hex", "learn": "/learn/hex", "guide": "/guide/hex",
}  # fmt: skip
QUIET = 1.0
"""Seconds without a byte after which a page counts as loaded."""
PATIENCE = 60.0
MOST_BYTES, MOST_SECONDS = 600_000, 1.0
"""What a page of a game may cost."""


@dataclass
class Load:
    """What one load of a page cost."""

    bytes: int
    """Over the wire, compressed as they came."""
    paint: float
    """Seconds until the first content was painted."""
    parts: dict[str, int] = field(default_factory=dict)
    """The bytes by address."""


def transferred(events: Iterable[dict[str, Any]], host: str) -> dict[str, int]:
    """The bytes by address in a network log of Chromium; the frames of a websocket count as they are.

    What came from elsewhere than `host` is the browser's own affair, such as the page of a new tab.
    """
    names: dict[str, str] = {}
    found: dict[str, int] = {}
    for event in events:
        details, number = event["params"], event["params"].get("requestId", "")
        if event["method"] == "Network.requestWillBeSent":
            names[number] = details["request"]["url"]
        elif event["method"] == "Network.webSocketCreated":
            names[number] = details["url"]
        elif event["method"] == "Network.loadingFinished":
            name = names.get(number, "?")
            found[name] = found.get(name, 0) + int(details["encodedDataLength"])
        elif event["method"] == "Network.webSocketFrameReceived":
            name = names.get(number, "?")
            found[name] = found.get(name, 0) + len(details["response"]["payloadData"].encode())
    return {name: size for name, size in found.items() if urllib.parse.urlsplit(name).netloc == host}


def loaded(driver: webdriver.Chrome, url: str) -> Load:
    """Loads a page in a browser that logs its network, and waits until it is quiet."""
    driver.get(url)
    events: list[dict[str, Any]] = []
    end, silent_since = time.monotonic() + PATIENCE, time.monotonic()
    while time.monotonic() < min(end, silent_since + QUIET):
        logged = [json.loads(each["message"])["message"] for each in driver.get_log("performance")]  # type: ignore[no-untyped-call]
        logged = [each for each in logged if each["method"].startswith("Network.")]
        events += logged
        if logged:
            silent_since = time.monotonic()
        time.sleep(0.1)
    paint = driver.execute_script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    if paint is None:
        raise SystemExit(f"{url} was never painted")
    parts = transferred(events, urllib.parse.urlsplit(url).netloc)
    return Load(sum(parts.values()), paint / 1000, parts)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.web.paint", description="What a first visit costs.")
    parser.add_argument("--runs", type=int, default=3, help="how often each page is loaded; the median counts")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--parts", action="store_true", help="list what was transferred, the largest first")
    parser.add_argument("--pages", nargs="+", choices=[*TABLES, *OTHERS], default=[*TABLES, *OTHERS])
    given = parser.parse_args()
    print("| page | kB transferred | first paint | |\n|---|---:|---:|---|")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        somebody = Somebody(address)
        urls = {name: somebody.table(game) for name, game in TABLES.items()}
        urls |= {name: address + path for name, path in OTHERS.items()}
        for name in given.pages:
            loads = []
            for run in range(given.runs):
                profile = Path(folder) / f"{name}-{run}"
                with chromium(profile, f"--window-size={given.width},900", logs=("performance",)) as driver:
                    somebody.lend(driver)
                    loads.append(loaded(driver, urls[name]))
            size, paint = median(each.bytes for each in loads), median(each.paint for each in loads)
            verdict = "" if size <= MOST_BYTES and paint <= MOST_SECONDS else "over"
            print(f"| {name} | {size / 1000:.0f} | {paint:.2f} s | {verdict} |", flush=True)
            if given.parts:
                for part, cost in sorted(loads[-1].parts.items(), key=lambda each: -each[1]):
                    print(f"    {cost:8,}  {part.removeprefix(address)[:100]}")


if __name__ == "__main__":
    main()
