"""The strongest player of Kittens: what a seat can know, exactly, and a search on it."""

from __future__ import annotations

from typing import Annotated

from ludoteca import _core
from ludoteca.agents.kittens.model import replies
from ludoteca.agents.thinking import Searcher, Thought
from ludoteca.games.described import expect
from ludoteca.messages import joined, say
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, within

__all__ = ["KittensEngine"]

WORLDS = 1000
"""Worlds that it plays through where nothing limits it."""


class KittensEngine(Searcher):
    """Weighs all that the other may hold."""

    games = frozenset({"kittens"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: Annotated[
            int, Label(say("level"), say("1 to 8: for people, each stronger than the one before; 0: full strength"))
        ] = 0,
        memory: Annotated[int, Label(say("memory"), say("megabytes that its tables may take"))] = 256,
        threads: Annotated[int, Label(say("threads"), say("threads that search at the same time"))] = 1,
    ) -> None:
        self._level = within("engine", "level", level, 0, 8)
        self._seed = seed % 2**64
        self._memory = within("engine", "memory", memory, 1, 1 << 20)

    def _thought(self, view: View, limit: Limit) -> Thought:
        table = expect(view, _core.KittensView)
        if _core.kittens_can_reply(table):
            search = _core.kittens_reply(table, replies("v2", self._memory), True, limit.nodes, limit.seconds)
        else:
            search = _core.kittens_rollouts(table, WORLDS, self._seed, limit.nodes, limit.seconds)
        return Thought(search, lambda found: self._decision(table, found))

    def _decision(self, table: _core.KittensView, found: _core.Choice) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to search"), nodes=found.nodes)
        return Decision(
            found.action,
            value=found.value,
            scores=dict(found.scores),
            line=found.line,
            note="",
            nodes=found.nodes,
            depth=found.depth,
        )
