from __future__ import annotations

import asyncio

import pytest

from ludoteca.players.pool import Pool
from ludoteca.web.pages.play.wishes import FormFaults
from ludoteca.web.pages.trial import try_out
from ludoteca.web.tables.table import FRIEND, PERSON, Asked
from ludoteca.web.thinking.queue import Thinking


def tried(*asked: Asked) -> list[dict[str, str]]:
    """By field what agents have against their options, for each match that is asked for."""

    async def try_all() -> list[dict[str, str]]:
        thinking = Thinking(Pool(shared=True, slots=1))
        found: list[dict[str, str]] = []
        try:
            for each in asked:
                try:
                    await try_out(thinking, each)
                    found.append({})
                except FormFaults as error:
                    found.append({field: str(fault) for field, fault in error.faults.items()})
        finally:
            thinking.close()
        return found

    return asyncio.run(try_all())


def test_an_agent_refuses_its_options_at_their_fields() -> None:
    game = "hex:size=3"
    first, second, both, fine, friend = tried(
        Asked(game, (PERSON, "astar:depth=99")),
        Asked(game, ("engine:level=3,threads=0", PERSON)),
        Asked(game, ("astar:depth=0", "random")),
        Asked(game, (PERSON, "astar:depth=2")),
        Asked(game, (PERSON, FRIEND)),
    )
    assert first == {"opponent.astar.depth": "astar: depth=99 must be a whole number from 1 to 9"}
    assert [*second] == ["opponent.engine.threads"] and [*both] == ["me.astar.depth"]
    assert fine == friend == {}


def test_what_nobody_changed_is_not_tried() -> None:
    class Untouchable:
        def __getattr__(self, name: str) -> object:
            pytest.fail("nothing is to be asked")

    asyncio.run(try_out(Untouchable(), Asked("hex", (PERSON, "engine:level=3"))))  # type: ignore[arg-type]
