"""An agent that thinks for long: what it thinks is seen meanwhile, unless it would give a hand away."""

from __future__ import annotations

import asyncio

from tests.web.tabs import Table, visitor

LONG = "60s"


def thought(table: Table) -> str:
    """The card in which the agent's thought stands."""
    return next(
        str(each["props"]["innerHTML"])
        for each in table.tab.elements.values()
        if 'class="thought"' in str(each.get("props", {}).get("innerHTML"))
    )


def test_thoughts_are_shown_while_it_thinks_and_it_plays_the_best_of_them_when_it_is_hurried(address: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana:
            table = await ana("hex:size=11", "astar:depth=9|person", LONG)
            await table.until(lambda: "A-Star, 9 moves ahead</b> →" in thought(table))
            assert "is thinking" in table.text("status") and table.count == 0
            assert "Play now" in table.text("status") and 'class="progress"' in table._html("status")
            await table.tab.tell("play", '"do"', '"play_now"')
            await table.until(lambda: table.count == 1 and "Your turn" in table.text("status"))
            assert "Play now" not in table.text("status") and "progress" not in table._html("status")

    asyncio.run(visit())


def test_nothing_is_shown_of_a_hidden_hand(address: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana:
            table = await ana("dominoes:start=seat,pips=9", "tumbafichas:depth=64|person", LONG)
            seen: list[str] = []
            heard = table.tab.heard

            def note(name: str, content: dict[str, object]) -> None:
                seen.append(str(content))
                heard(name, content)

            table.tab.heard = note
            await table.until(lambda: "is thinking" in table.text("status"))
            await table.tab.tell("play", '"do"', '"play_now"')  # as soon as it has a thought, which pages could show
            await table.until(lambda: table.count == 1)
            shown = "".join(seen) + thought(table)
            assert "Shown after the match" in shown and "→ <code>" not in shown

    asyncio.run(visit())


def test_a_closed_tab_stops_the_thinking(address: str) -> None:
    async def visit() -> None:
        async with visitor(address) as ana, visitor(address) as bea:
            for _ in range(3):  # more than there are places
                table = await ana("hex:size=11", "astar:depth=9|person", LONG)
                await table.tab.close()
            other = await bea("hex:size=3", "random|person")
            await other.until(lambda: other.count == 1)

    asyncio.run(visit())
