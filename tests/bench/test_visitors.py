"""The visitors of the load bench find their way: what they click is there, and what they wait for comes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

from bench.web import players, spectators
from bench.web.load import play_tournament
from bench.web.players import Visitor
from bench.web.spectators import PARTS, Part, Spectator, part_of
from tests.web.conftest import served

FOREVER = 1e12
PATIENCE = 120.0  # seconds; a busy machine is slow, but it gets there


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    state = tmp_path_factory.mktemp("state")
    play_tournament(str(state))
    with served(state) as listening:
        yield listening


@pytest.mark.parametrize("part", PARTS)
def test_everybody_gets_an_answer(address: str, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (players, spectators):
        monkeypatch.setattr(module, "PATIENCE", PATIENCE)

    async def visit() -> Visitor:
        here = Visitor(address, 1, 0.05, FOREVER) if part == "play" else Spectator(address, 1, 0.05, FOREVER, part=part)
        task = asyncio.create_task(here.visit())
        async with asyncio.timeout(PATIENCE):
            while not here.clicks and not task.done():
                await asyncio.sleep(0.01)
        here.until = 0.0
        await task
        return here

    visitor = asyncio.run(visit())
    assert visitor.trouble == "" and visitor.clicks


def test_of_ten_visitors_seven_play() -> None:
    assert Counter(map(part_of, range(200))) == {"play": 140, "watch": 20, "replay": 20, "edit": 20}
