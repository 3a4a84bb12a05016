"""Websocket messages that no browser would send: answered, ignored, and never more than that."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.tabs import Table, visitor

NOISY = True
GAME, SEATS = "hex:size=3", "person|person"
ODD_ACTIONS = ["null", "true", '"c3"', "1.5", "-1", "99999", "[4]", '{"action": 4}', "1e400", '"' + "x" * 10_000 + '"']
ODD_WORDS = [
    ('"do"', '"explode"'), ('"do"', "4"), ('"do"', '"__class__"'), ('"do"', '"pause"'), ('"do"', '"retry"'),
    ('"ply"', "99"), ('"ply"', "true"), ('"rm"', "4"), ('"play"',), ("4",), (), ("4", "4", "4"), ("{}",),
]  # fmt: skip
ODD_FRAMES = [
    "", "4", "42", "42{", "42[]", '42["event"]', '42["event", null]', '42["event", {}]', '42["event", {"id": "x"}]',
    '42["nothing", {}]', '42["handshake", {}]', '42["ack", {"next_message_id": "x"}]', '42["log", {"level": "x"}]',
    '42["javascript_response", {"request_id": "x"}]', "43", "451-[]", "9", "x" * 100_000, "\x00\ud7ff",
]  # fmt: skip


async def sensible(table: Table) -> None:
    """Plays the next cell, as a browser would, and waits until it lies there."""
    before = table.count
    await table.tab.tell("play", '"play"', str(before))
    await table.until(lambda: table.count == before + 1)


def test_odd_clicks_change_nothing_and_are_explained(address: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana:
            table = await ana(GAME, SEATS)
            for argument in ODD_ACTIONS:
                await table.tab.tell("play", '"play"', argument)
            for words in ODD_WORDS:
                await table.tab.tell("play", *words)
            await sensible(table)
            await table.until(lambda: "That is not possible here." in table.notices)
            await table.until(lambda: any("99999 is not legal now" in text for text in table.notices))
            assert table.count == 1
            assert "Traceback" not in "".join(table.notices)

    asyncio.run(visit())


@pytest.mark.parametrize("frame", ODD_FRAMES)
def test_an_odd_frame_costs_at_most_its_own_connection(address: str, frame: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana, visitor(address) as bea:
            mine, others = await ana(GAME, SEATS), await bea(GAME, SEATS)
            await mine.tab.send(frame)
            await sensible(others)
            assert mine.count == 0
            again = await ana(GAME, SEATS)
            await sensible(again)
            assert "Traceback" not in "".join(mine.notices + others.notices)

    asyncio.run(visit())


def test_no_action_is_played_on_another_page(address: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana, visitor(address) as bea:
            table, other = await ana(GAME, SEATS), await bea(GAME, SEATS)
            number = table.tab.find("play")
            listener = table.tab.elements[number]["events"][0]["listener_id"]
            click = {"id": int(number), "listener_id": listener, "args": ['"play"', "4"]}
            await other.tab.emit("event", click)  # another's listener on one's own page
            await other.tab.emit("event", click | {"id": 10**6})
            await sensible(other)
            await sensible(table)
            assert table.count == other.count == 1

    asyncio.run(visit())
