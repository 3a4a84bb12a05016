"""The visitors of the load bench find their way: what they click is there, and what they wait for comes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

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
def test_every_visitor_gets_an_answer(address: str, part: Part) -> None:
    class LastClick(list[tuple[float, float]]):
        def append(self, click: tuple[float, float]) -> None:
            super().append(click)
            visitor.until = 0.0

    if part == "play":
        visitor = Visitor(address, 1, 0.05, FOREVER, patience=PATIENCE)
    else:
        visitor = Spectator(address, 1, 0.05, FOREVER, patience=PATIENCE, part=part)
    visitor.clicks = LastClick()
    asyncio.run(visitor.visit())
    assert visitor.trouble == "" and visitor.clicks


def test_of_ten_visitors_seven_play() -> None:
    assert Counter(map(part_of, range(200))) == {"play": 140, "watch": 20, "replay": 20, "edit": 20}
