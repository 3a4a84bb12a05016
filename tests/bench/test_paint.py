"""What a first visit transfers, by Chromium's own network log."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bench.web.paint import MOST_BYTES, loaded, transferred
from tests.web.conftest import served
from tools.page import Somebody, chromium


def test_the_bytes_of_a_log_are_counted_once_and_only_those_of_the_page() -> None:
    def sent(number: str, url: str) -> dict[str, Any]:
        return {"method": "Network.requestWillBeSent", "params": {"requestId": number, "request": {"url": url}}}

    def done(number: str, size: int) -> dict[str, Any]:
        return {"method": "Network.loadingFinished", "params": {"requestId": number, "encodedDataLength": size}}

    def frame(number: str, text: str) -> dict[str, Any]:
        found = {"requestId": number, "response": {"payloadData": text}}
        return {"method": "Network.webSocketFrameReceived", "params": found}

    wire: dict[str, Any] = {
        "method": "Network.webSocketCreated",
        "params": {"requestId": "3", "url": "ws://here:1/socket"},
    }
    events: list[dict[str, Any]] = [
        sent("1", "http://here:1/"), done("1", 100), sent("2", "chrome://resources/x.js"), done("2", 5_000),
        wire, frame("3", "é!"), frame("3", "!"), {"method": "Page.loadEventFired", "params": {}},
    ]  # fmt: skip
    assert transferred(events, "here:1") == {"http://here:1/": 100, "ws://here:1/socket": 4}


@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs chromium and chromedriver")
def test_the_page_of_a_game_transfers_less_than_its_limit(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        somebody = Somebody(address)
        table = somebody.table("dominoes")
        with chromium(tmp_path / "profile", "--window-size=1280,900", logs=("performance",)) as driver:
            somebody.lend(driver)
            load = loaded(driver, table)
    assert 100_000 < load.bytes < MOST_BYTES, load.parts
    assert any("/_nicegui_ws/" in part for part in load.parts)
