"""The strongest player of Kittens: what a seat can know, exactly, and a search on it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.kittens.equilibrium import solved
from ludoteca.agents.kittens.policies import models, replies
from ludoteca.agents.search_agent import Searcher, Thought
from ludoteca.games.core_game import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import within

__all__ = ["KittensEngine"]

WORLDS: Final = 1000
"""Worlds that it plays through where nothing limits it."""
MOST_WORLDS: Final = 100_000
"""The same where something does."""
LEVELS: Final = (0.0, 0.9, 0.7, 0.55, 0.42, 0.3, 0.2, 0.1, 0.05)
"""By level: any action is good enough whose value, in units of returns, is so close to the best one's."""
LEVEL_WORLDS: Final = 64
PATIENT: Final = 5.0
"""Seconds for a decision from which on a small game is solved before it is played."""


class KittensEngine(Searcher):
    """Weighs every world that the other's play leaves possible.

    In ``rules=original`` seat 0 plays the best reply to `v2`, the opponent that those rules come with. A game so small
    that its equilibrium can be computed is played by that. All else is decided by playouts in sampled worlds.
    """

    games = frozenset({"kittens"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: int = 0,
        memory: int = 256,
        threads: int = 1,
    ) -> None:
        self._level = within("engine", "level", level, 0, 8)
        self._memory = within("engine", "memory", memory, 1, 65536)
        self._threads = within("engine", "threads", threads, 1, 64)
        self._seed = seed % 2**63
        self._own: _core.KittensResponseTables | None = None
        if seat == 0 and not self._level and "rules=original" in game.spec:
            replies("v2", self._memory)  # what v2 does everywhere takes a moment, which is not on the clock here
        else:
            models()

    def __getstate__(self) -> dict[str, object]:
        """Its tables are not written down: they can be filled again."""
        return self.__dict__ | {"_own": None}

    def _thought(self, view: View, limit: Limit) -> Thought | Decision:
        table = expect(view, _core.KittensView)
        if self._level:
            return self._playouts(table, LEVEL_WORLDS, limit)
        if _core.kittens_can_best_respond(table):
            search = _core.kittens_best_response(table, self._replies(limit), limit.nodes, limit.seconds)
            return Thought(search, _reply)
        if limit.nodes is None and (limit.seconds is None or limit.seconds >= PATIENT):
            decision = self._equilibrium(table)
            if decision is not None:
                return decision
        return self._playouts(table, WORLDS if limit == Limit() else MOST_WORLDS, limit)

    def _replies(self, limit: Limit) -> _core.KittensResponseTables:
        """What is shared by all agents here; where nodes are counted, what they have searched shall not matter."""
        if limit.nodes is None:
            return replies("v2", self._memory)
        self._own = self._own or replies.__wrapped__("v2", self._memory)
        return self._own

    def _playouts(self, table: _core.KittensView, worlds: int, limit: Limit) -> Thought:
        seed = random.Random(self._seed + len(table.log)).getrandbits(64)
        search = _core.kittens_rollouts(
            table, models(), worlds, self._threads, self._memory, seed, limit.nodes, limit.seconds
        )
        return Thought(search, lambda found: self._weakened(_playouts(table, found), seed))

    def _weakened(self, decision: Decision, seed: int) -> Decision:
        """At a level for people: any of the actions that are good enough for it."""
        if not self._level or decision.value is None:
            return decision
        least = decision.value - LEVELS[self._level]
        close = [action for action, score in decision.scores.items() if score >= least]
        action = random.Random(seed).choice(close)
        return replace(decision, action=action, value=decision.scores[action], line=(action,))

    def _equilibrium(self, table: _core.KittensView) -> Decision | None:
        """One of the actions that an equilibrium mixes, by chance; None where none is known."""
        small = solved(table.game)
        number = small.number(table) if small else None
        if small is None or number is None:
            return None
        legal, chances = table.legal(), small.chances(number)
        action = random.Random(self._seed + len(table.log)).choices(legal, chances)[0]
        note = say("by the equilibrium of this small game")
        return Decision(action, scores=dict(zip(legal, chances, strict=True)), note=note, nodes=len(small))


def _reply(found: _core.Choice) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no time to search: around bombs that it knows of"), nodes=found.nodes)
    note = say("the best reply to v2, over all that it may hold")
    return _decision(found, note)


def _playouts(table: _core.KittensView, found: _core.Choice) -> Decision:
    if not found.depth:
        return Decision(found.action, note=say("no time to search: what looks sensible"), nodes=found.nodes)
    count = say_count("{count} playout", "{count} playouts", found.nodes)
    risk = say("bomb risk {risk:.0%}", risk=table.bomb_chance(0))
    return _decision(found, joined([count, risk], "; "))


def _decision(found: _core.Choice, note: str) -> Decision:
    return Decision(
        found.action,
        value=found.value,
        scores=dict(found.scores),
        line=found.line,
        note=note,
        nodes=found.nodes,
        depth=found.depth,
    )
