"""Where players come from: one pool of processes for a page or for an arena."""

from __future__ import annotations

import math
import os
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, Self, TypeAlias
from weakref import WeakSet

from ludoteca import agents as registry
from ludoteca.agents.digests import check_unchanged, state_of
from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidAgent, SandboxError, WorkerError
from ludoteca.messages import say
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.inside import Inside
from ludoteca.players.player import Player
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.fork_client import Fork, Template
from ludoteca.players.processes.sandboxed import Sandbox
from ludoteca.players.processes.shared import Shared, Workers
from ludoteca.players.sandbox.cores import Cores
from ludoteca.players.sandbox.visible_files import Sight
from ludoteca.protocols import AgentFactory, Game, Seat, View

__all__ = ["MEMORY", "Pool", "Unprotected", "Where"]

MEMORY = 2048
"""MiB that an agent in a process of its own may take by default, beyond what Python and our core take."""
SHARED = 2048
"""MiB that all processes of shared agents may hold together between their decisions."""

RECHECK = 1.0
"""Seconds after which it is looked at again whether an agent's files have been changed."""

Where: TypeAlias = Literal["auto", "inside", "shared", "child", "sandbox"]


class Unprotected(RuntimeWarning):
    """Agents are less confined than they should be; the text says in what."""


class Pool:
    """Makes players. Safe from any thread; close it, or use it as a context manager, to end all of them.

    `admission` says which agents run where. Our own agents run in this process; with `shared` in a few processes that
    they share. Students' files run in sandboxes; where none can be made, they run in plain subprocesses and `warning`
    says so. Each process may take `memory` MiB beyond what Python
    and our core take; None for as many as it likes. At most `slots` shared agents decide at once, by default one less
    than there are cores. The sandboxes of a pool run on `at_once` cores, by default all on one: so neither player of a
    match has more of the machine than the other. What agents in other processes print goes to the file descriptor
    `prints`, or is lost without one. `nice`, from 0 to 19, says how far these processes let others go first.
    """

    def __init__(
        self,
        admission: Admission = DEFAULT,
        *,
        memory: int | None = MEMORY,
        shared: bool = False,
        slots: int | None = None,
        at_once: int = 1,
        prints: int | None = None,
        nice: int = 0,
    ) -> None:
        self._admission, self._memory, self._shared = admission, memory, shared
        self._prints, self._nice = prints, nice
        self._at_once = at_once
        self._cores: Cores | None = None
        self._templates: dict[bool, Template] = {}  # by whether they fork sandboxes
        self._lock = threading.Lock()
        self._closed = False
        self._factories: dict[str, AgentFactory] = {}
        self._chosen: dict[tuple[str, Where], Where] = {}
        self._children: WeakSet[Child] = WeakSet()
        self._sights: dict[Identity, Sight] = {}
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

    def player(self, game: Game, identity: Identity | str, where: Where = "auto") -> Player:
        """An agent for a seat of one match; `prepare` comes next. Raises InvalidAgent, InvalidOption and WorkerError.

        An agent that is not ours never shares a process, and never plays inside unless it is trusted. One that has
        been changed, so that its digest is another, is refused.
        """
        if isinstance(identity, str):
            identity = Identity(identity)
        agent = identity.spec
        chosen = self._chosen.get((agent, where))
        if chosen is None:
            chosen = self._chosen[agent, where] = self._choose(agent, where)
        self._check(identity, game.name)
        if chosen == "inside":
            if agent not in self._factories:
                self._factories[agent] = registry.agent(agent)
            return Inside(game, self._factories[agent])
        if chosen == "shared":
            return Shared(game, agent, self._workers)
        if chosen == "sandbox":
            seen = self._sight(identity)
            child: Child = Sandbox(game, agent, self._fork(game.spec, seen), seen)
        else:
            child = Child(game, agent, self._fork(game.spec))
        with self._lock:
            self._children.add(child)
        return child

    @contextmanager
    def seated(
        self, game: Game, identity: Identity | str, seat: Seat, seed: int, seen: Sequence[View] = ()
    ) -> Iterator[Player]:
        """A player, built for a seat (see `Player.prepare`) and closed at the end. Raises Fault and as `player`."""
        player = self.player(game, identity)
        try:
            player.prepare(seat, seed, seen)
            yield player
        finally:
            player.close()

    def _choose(self, agent: str, where: Where) -> Where:
        """Where an agent plays that is wished for there."""
        ours, trusted = registry.is_ours(agent), self._admission.is_trusted(agent)
        if not (ours or trusted) and where != "inside" and self._locks_up(agent):
            return "sandbox"
        if ours and registry.starts_program(agent):
            return "child"  # so that it stands still between its turns, and ends with the match
        if where == "auto":
            if self._admission.isolated or not (ours or trusted):
                return "child"
            return "shared" if ours and self._shared else "inside"
        if where == "inside" and not (ours or trusted):
            name = registry.short_spec(agent)
            raise InvalidAgent(say("{agent} is not ours and not trusted: it cannot play inside", agent=name))
        return "child" if where in ("shared", "sandbox") and not ours else where

    def _locks_up(self, agent: str) -> bool:
        """Whether a stranger's agent plays in a sandbox. Raises SandboxError where it must and cannot."""
        if not (self._admission.untrusted or registry.is_file(agent)):
            return False
        with self._lock:
            reason = self._ready_template(sandbox=True).refusal
        if not reason:
            return True
        if self._admission.untrusted:
            raise SandboxError(
                say("no sandbox can be made here ({reason}); ludoteca doctor says what is missing", reason=reason)
            )
        self._warn(
            say(
                "strangers' files run here with your rights, for no sandbox can be made ({reason}); ludoteca doctor "
                "says what is missing",
                reason=reason,
            )
        )
        return False

    def _sight(self, identity: Identity) -> Sight:
        """What an agent in a sandbox sees of strangers' files."""
        if identity not in self._sights:
            seen = Sight.of(identity.spec)
            if not identity.digest:  # it may be another tomorrow
                return seen
            self._sights[identity] = seen
        return self._sights[identity]

    def _warn(self, text: str) -> None:
        if not self.warning:
            self.warning = text
            warnings.warn(text, Unprotected, stacklevel=4)

    def _check(self, identity: Identity, game: str) -> None:
        """Raises InvalidAgent for an agent that is not what it was. Looks at its files, but only so often."""
        if not identity.digest:
            return
        state, checked = self._states.get(identity, (None, -math.inf))
        now = time.monotonic()
        if checked + RECHECK > now:
            return
        with self._lock:
            current = state_of(identity, game)
            if current != state:
                check_unchanged(identity, game)
            # Our own code, and what is trusted, was loaded when we started.
            loaded = self._chosen.get((identity.spec, "auto")) in ("inside", "shared")
            self._states[identity] = current, math.inf if loaded else now

    def _fork(self, game: str = "", sight: Sight | None = None) -> Fork:
        """A process for an agent; a sandbox where it says what that sees."""
        with self._lock:
            template = self._ready_template(sandbox=sight is not None)
            if sight is None:
                return template.fork(self._memory, game)
            if self._cores is None:
                self._cores = Cores(self._at_once)
            return template.fork(self._memory, game, sight, self._cores.next())

    def _ready_template(self, *, sandbox: bool) -> Template:
        """What forks processes, started where it is not there. To be called by whoever holds the lock."""
        if self._closed:
            raise WorkerError(say("the pool of players has been closed"))
        template = self._templates.get(sandbox)
        if template is None or not template.usable:
            if template is not None:
                template.close()
            template = self._templates[sandbox] = Template(prints=self._prints, nice=self._nice, sandbox=sandbox)
            if self._memory is not None and not template.limits_memory:
                self._warn(say("this system does not tell how much memory a process takes, so it is not limited"))
        return template

    def close(self) -> None:
        """Ends all players and their processes."""
        with self._lock:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.close()
        self._workers.close()
        for template in self._templates.values():
            template.close()
        if self._cores is not None:
            self._cores.close()
