from __future__ import annotations

import asyncio

import pytest

from ludoteca.players.pool import Pool
from ludoteca.web.pages.setup.match_form import FormErrors
from ludoteca.web.pages.setup.page import check_agents
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest
from ludoteca.web.thinking.queue import AgentQueue


def tried(*asked: MatchRequest) -> list[dict[str, str]]:
    """By field what agents have against their options, for each match that is asked for."""

    async def try_all() -> list[dict[str, str]]:
        queue = AgentQueue(Pool(shared=True, slots=1))
        found: list[dict[str, str]] = []
        try:
            for each in asked:
                try:
                    await check_agents(queue, each)
                    found.append({})
                except FormErrors as error:
                    found.append({field: str(fault) for field, fault in error.errors.items()})
        finally:
            queue.close()
        return found

    return asyncio.run(try_all())


def test_an_agent_refuses_its_options_at_their_fields() -> None:
    game = "hex:size=3"
    first, second, both, fine, friend = tried(
        MatchRequest(game, (PERSON, "astar:depth=99")),
        MatchRequest(game, ("engine:level=3,threads=0", PERSON)),
        MatchRequest(game, ("astar:depth=0", "random")),
        MatchRequest(game, (PERSON, "astar:depth=2")),
        MatchRequest(game, (PERSON, FRIEND)),
    )
    assert first == {"opponent.astar.depth": "astar: depth=99 must be a whole number from 1 to 9"}
    assert [*second] == ["opponent.engine.threads"] and [*both] == ["me.astar.depth"]
    assert fine == friend == {}


def test_an_opponent_as_it_is_offered_is_not_tried() -> None:
    class Untouchable:
        def __getattr__(self, name: str) -> object:
            pytest.fail("nothing is to be asked")

    asyncio.run(check_agents(Untouchable(), MatchRequest("hex", (PERSON, "engine:level=3"))))  # type: ignore[arg-type]
