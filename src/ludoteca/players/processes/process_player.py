"""What all players in subprocesses share: the agent is built from a `Build`, and built again when it was dropped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from ludoteca.players.processes.connection import Connection
from ludoteca.players.processes.wire import Build, Request, pack_view
from ludoteca.protocols import Decision, Game, Limit, Seat, View

BUILD_TIMEOUT = 30.0
"""Seconds in which an agent must be imported and built. They do not count against its clock."""


class ProcessPlayer(ABC):
    """See `Player`. It remembers the views that its agent has seen, so that the agent can be built again from them.

    Its process is sent the game, its own agent, seat, seed, views and limits, and nothing else.
    """

    def __init__(self, game: Game, agent: str, key: int) -> None:
        """key: see `Build.key`."""
        self._game, self._agent, self._key = game, agent, key
        self._build: Build | None = None

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Imports and builds the agent in its process."""
        if self._build is not None:
            self._forget()
        views = [pack_view(self._game, view) for view in seen]
        self._build = Build(self._game.spec, self._agent, seat, seed, self._key, views)
        with self._turn(self._build):
            pass

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its decision."""
        request, data = Request(limit, timeout, False, self._key), pack_view(self._game, view)
        with self._turn(self._prepared()) as (connection, thinker):
            self._prepared().seen.append(data)
            return connection.decide(request, data, self._game.num_actions, thinker=thinker, on_sent=self._on_sent)

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts, at most fifty per second, and its decision."""
        request, data = Request(limit, timeout, True, self._key), pack_view(self._game, view)
        with self._turn(self._prepared()) as (connection, thinker):
            self._prepared().seen.append(data)
            yield from connection.think(request, data, self._game.num_actions, thinker=thinker, on_sent=self._on_sent)

    @abstractmethod
    def _forget(self) -> None:
        """Makes the next turn build the agent again."""

    def _prepared(self) -> Build:
        assert self._build is not None, "prepare comes first"
        return self._build

    @abstractmethod
    def _turn(self, build: Build) -> AbstractContextManager[tuple[Connection, bool]]:
        """A process in which the agent is built, for one decision; and whether the agent is a Thinker."""

    def _on_sent(self) -> None:  # noqa: B027 - a shared process needs nothing
        """Called when a request has been sent."""
