"""Where players come from: one pool of processes for a page or for an arena."""

from __future__ import annotations

import math
import os
import threading
import time
import warnings
from collections.abc import Collection
from typing import Literal, Self, TypeAlias
from weakref import WeakSet

from ludoteca import agents as registry
from ludoteca.agents.identity import Identity, identity_of, state_of
from ludoteca.errors import InvalidAgent, WorkerError
from ludoteca.messages import say
from ludoteca.players.child import Child
from ludoteca.players.forks import Fork, Template
from ludoteca.players.inside import Inside
from ludoteca.players.player import Player
from ludoteca.players.shared import Shared, Workers
from ludoteca.protocols import AgentFactory, Game

__all__ = ["MEMORY", "Pool", "Where"]

MEMORY = 2048
"""MiB that an agent in a process of its own may take by default, beyond what Python and our core take."""
SHARED = 2048
"""MiB that all processes of shared agents may hold together between their decisions."""

RECHECK = 1.0
"""Seconds after which it is looked at again whether an agent's files have been changed."""

Where: TypeAlias = Literal["auto", "inside", "shared", "child"]


class Pool:
    """Makes players. Safe from any thread; close it, or use it as a context manager, to end all of them.

    Our own agents play where `ours` says: inside this process, in a few processes that they share, or each in a child
    like all others. Agents whose names are in `trust` play inside, too: that is for the operator to say. Each process
    may take `memory` MiB beyond what Python and our core take; None for as many as it likes. At most `slots` shared
    agents decide at once, by default one less than there are cores. What agents in other processes print is lost
    unless `prints` lets it through. `nice`, from 0 to 19, says how far these processes let others go first.
    """

    def __init__(
        self,
        *,
        memory: int | None = MEMORY,
        trust: Collection[str] = frozenset(),
        ours: Literal["inside", "shared", "child"] = "inside",
        slots: int | None = None,
        prints: bool = False,
        nice: int = 0,
    ) -> None:
        self._memory, self._trust, self._ours = memory, frozenset(trust), ours
        self._prints, self._nice = prints, nice
        self._template: Template | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._factories: dict[str, AgentFactory] = {}
        self._chosen: dict[tuple[str, Where], Where] = {}
        self._children: WeakSet[Child] = WeakSet()
        self._states: dict[Identity, tuple[object, float]] = {}
        slots = slots or max(1, (os.cpu_count() or 2) - 1)
        self._workers = Workers(self._fork, slots, SHARED * 2**20 // slots)
        self.warning = ""
        """What whoever reads the results should know, such as that memory was not limited; mostly empty."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def slots(self) -> int:
        """How many shared agents decide at once at most."""
        return self._workers.slots

    def is_trusted(self, spec: str) -> bool:
        """Whether the operator trusts this agent: by its name, or as it is written. Raises InvalidAgent."""
        return spec in self._trust or registry.name_of(spec) in self._trust

    def player(self, game: Game, identity: Identity | str, where: Where = "auto") -> Player:
        """An agent for a seat of one match; `prepare` comes next. Raises InvalidAgent, InvalidOption and WorkerError.

        An agent that is not ours never shares a process, and never plays inside unless it is trusted. One that has
        been changed, so that its digest is another, is refused.
        """
        if isinstance(identity, str):
            identity = Identity.parse(identity)
        agent = identity.spec
        chosen = self._chosen.get((agent, where))
        if chosen is None:
            chosen = self._chosen[agent, where] = self._choose(agent, where)
        self._check(identity)
        if chosen == "inside":
            if agent not in self._factories:
                self._factories[agent] = registry.agent(agent)
            return Inside(game, self._factories[agent])
        if chosen == "shared":
            return Shared(game, agent, self._workers)
        child = Child(game, agent, self._fork(game.spec))
        with self._lock:
            self._children.add(child)
        return child

    def _choose(self, agent: str, where: Where) -> Where:
        """Where an agent plays that is wished for there."""
        ours, trusted = registry.is_ours(agent), self.is_trusted(agent)
        if ours and registry.starts_program(agent):
            return "child"  # so that it stands still between its turns, and ends with the match
        if where == "auto":
            return self._ours if ours else "inside" if trusted else "child"
        if where == "inside" and not (ours or trusted):
            name = registry.short_name(agent)
            raise InvalidAgent(say("{agent} is not ours and not trusted: it cannot play inside", agent=name))
        return "child" if where == "shared" and not ours else where

    def _check(self, identity: Identity) -> None:
        """Raises InvalidAgent for an agent that is not what it was. Looks at its files, but only so often."""
        if not identity.digest:
            return
        state, checked = self._states.get(identity, (None, -math.inf))
        now = time.monotonic()
        if checked + RECHECK > now:
            return
        with self._lock:
            current = state_of(identity)
            if current != state:
                identity_of(str(identity))
            # Our own code, and what is trusted, was loaded when we started.
            loaded = self._chosen.get((identity.spec, "auto")) in ("inside", "shared")
            self._states[identity] = current, math.inf if loaded else now

    def _fork(self, game: str = "") -> Fork:
        with self._lock:
            if self._closed:
                raise WorkerError(say("the pool of players has been closed"))
            if self._template is None or not self._template.usable:
                if self._template is not None:
                    self._template.close()
                self._template = Template(prints=self._prints, nice=self._nice)
                if self._memory is not None and not self._template.limits_memory and not self.warning:
                    self.warning = say(
                        "this system does not tell how much memory a process takes, so it is not limited"
                    )
                    warnings.warn(self.warning, RuntimeWarning, stacklevel=3)
            return self._template.fork(self._memory, game)

    def close(self) -> None:
        """Ends all players and their processes."""
        with self._lock:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.close()
        self._workers.close()
        if self._template is not None:
            self._template.close()
