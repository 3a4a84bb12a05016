"""The pool: makes the players of a page or of an arena, and owns their processes."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Literal, Self, TypeAlias
from weakref import WeakSet

from ludoteca import agents as registry
from ludoteca.agents.digests import check_unchanged, state_of
from ludoteca.agents.identity import Identity
from ludoteca.errors import ForkServerKilled, InvalidAgent, SandboxError, WorkerError
from ludoteca.messages import say
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.inside import Inside
from ludoteca.players.player import Player
from ludoteca.players.processes.child import Child, Sandbox
from ludoteca.players.processes.fork_client import ForkedProcess, ForkServer
from ludoteca.players.processes.memory import MEMORY
from ludoteca.players.processes.process_player import BUILD_TIMEOUT
from ludoteca.players.processes.shared import Shared, SharedProcesses
from ludoteca.players.sandbox.cores import Cores
from ludoteca.players.sandbox.visible_files import VisibleFiles
from ludoteca.protocols import AgentFactory, Game, Seat, View

SHARED_MEMORY = 2048
"""MiB that all processes of shared agents together may hold between decisions."""

STARTS = 10
"""How often a fork server is started that is killed meanwhile."""
BUILD_TRIES = 3
"""How often an agent is built when the fork server is killed meanwhile."""
RECHECK = 1.0
"""Seconds between two checks whether an agent's files have changed."""

Where: TypeAlias = Literal["auto", "inside", "shared", "child", "sandbox"]


class Unprotected(RuntimeWarning):
    """Agents are less confined than they should be; the message says how."""


class Pool:
    """Makes players. Safe from any thread. Close it, or use it as a context manager, to end all of them.

    admission: which agents run where. Our own agents run in this process. Students' files run in sandboxes; where none
    can be made, they run in plain subprocesses and `warning` says so.
    memory: MiB that each process may use beyond what Python and our core use; None for no limit.
    shared: our own agents run in a few processes that they share.
    slots: how many shared agents decide at once, by default one less than there are cores.
    at_once: how many cores the sandboxes of this pool use. By default they all share one, so that no player of a match
    has more of the machine than the other.
    prints: the file descriptor for what agents in other processes print; None: it is lost.
    nice: the niceness of the agents' processes, from 0 to 19.
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
        build_timeout: float = BUILD_TIMEOUT,
        recheck: float = RECHECK,
        fork_server: Callable[..., ForkServer] = ForkServer,
    ) -> None:
        """build_timeout, recheck: in seconds. fork_server: starts the servers that fork the agents' processes."""
        self._build_timeout, self._recheck, self._fork_server = build_timeout, recheck, fork_server
        self._admission, self._memory, self._shared = admission, memory, shared
        self._prints, self._nice = prints, nice
        self._at_once = at_once
        self._cores: Cores | None = None
        self._servers: dict[bool, ForkServer] = {}  # by whether they fork sandboxes
        self._lock = threading.Lock()
        self._closed = False
        self._factories: dict[str, AgentFactory] = {}
        self._chosen: dict[tuple[str, Where], Where] = {}
        self._children: WeakSet[Child] = WeakSet()
        self._visible_files: dict[Identity, VisibleFiles] = {}
        self._states: dict[Identity, tuple[object, float]] = {}
        slots = slots or max(1, (os.cpu_count() or 2) - 1)
        self._shared_processes = SharedProcesses(self._fork, slots, SHARED_MEMORY * 2**20 // slots)
        self.warning = ""
        """What readers of the results should know, such as that memory was not limited; usually empty."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def slots(self) -> int:
        """How many shared agents decide at once at most."""
        return self._shared_processes.slots

    def add_slots(self, count: int) -> None:
        """Allows more shared agents to decide at once. Call it before any is asked."""
        self._shared_processes.add_slots(count)

    @property
    def peak_memory(self) -> int:
        """MiB that one of the agents' processes that have ended held at most, Python and our core included."""
        return max((server.peak_memory for server in self._servers.values()), default=0) // 1024

    @property
    def own_peak_memory(self) -> int:
        """MiB of these that Python and our core use."""
        return max((server.own_peak_memory for server in self._servers.values()), default=0) // 1024

    def player(self, game: Game, identity: Identity | str, where: Where = "auto") -> Player:
        """A player for one match; call `prepare` next. Raises InvalidAgent, InvalidOption and WorkerError.

        An agent that is not ours never shares a process, and runs in this process only if it is trusted. An agent whose
        digest is no longer that of its identity is refused.
        """
        if isinstance(identity, str):
            identity = Identity(identity)
        agent = identity.spec
        chosen = self._chosen.get((agent, where))
        if chosen is None:
            chosen = self._chosen[agent, where] = self._choose(agent, where)
        self._check_unchanged(identity, game.name)
        if chosen == "inside":
            if agent not in self._factories:
                self._factories[agent] = registry.agent(agent)
            return Inside(game, self._factories[agent])
        if chosen == "shared":
            return Shared(game, agent, self._shared_processes)
        if chosen == "sandbox":
            files = self._files_of(identity)
            child: Child = Sandbox(game, agent, partial(self._fork, game.spec, files), files, self._build_timeout)
        else:
            # The program behind an agent has a limit of its own, which may be higher.
            limited = not (registry.is_ours(agent) and registry.starts_program(agent))
            child = Child(game, agent, partial(self._fork, game.spec, limited=limited), self._build_timeout)
        with self._lock:
            self._children.add(child)
        return child

    @contextmanager
    def seated(
        self, game: Game, identity: Identity | str, seat: Seat, seed: int, seen: Sequence[View] = ()
    ) -> Iterator[Player]:
        """A player, built for a seat (see `Player.prepare`) and closed at the end. Raises Fault and as `player`.

        If the fork server is killed meanwhile, another one builds the player.
        """
        for left in reversed(range(BUILD_TRIES)):
            player: Player | None = None
            try:
                player = self.player(game, identity)
                player.prepare(seat, seed, seen)
                break
            except BaseException as error:
                if player is not None:
                    player.close()
                if not (left and isinstance(error, ForkServerKilled)):
                    raise
        assert player is not None
        try:
            yield player
        finally:
            player.close()

    def _choose(self, agent: str, where: Where) -> Where:
        """Where an agent runs when the caller wants it there."""
        ours, trusted = registry.is_ours(agent), self._admission.is_trusted(agent)
        if not (ours or trusted) and where != "inside" and self._needs_sandbox(agent):
            return "sandbox"
        if ours and registry.starts_program(agent):
            return "child"  # so that its program is suspended between turns and ends with the match
        if where == "auto":
            if self._admission.isolated or not (ours or trusted):
                return "child"
            return "shared" if ours and self._shared else "inside"
        if where == "inside" and not (ours or trusted):
            name = registry.short_spec(agent)
            raise InvalidAgent("{agent} is not ours and not trusted: it cannot run in this process", agent=name)
        return "child" if where in ("shared", "sandbox") and not ours else where

    def _needs_sandbox(self, agent: str) -> bool:
        """Whether an agent that is not ours runs in a sandbox. Raises SandboxError when it must and cannot."""
        if not (self._admission.untrusted or registry.is_file(agent)):
            return False
        with self._lock:
            reason = self._server(sandbox=True).refusal
        if not reason:
            return True
        if self._admission.untrusted:
            raise SandboxError(
                "no sandbox can be made here ({reason}); ludoteca doctor says what is missing", reason=reason
            )
        self._warn(
            say(
                "no sandbox can be made here ({reason}), so files run with your rights; ludoteca doctor says what is "
                "missing",
                reason=reason,
            )
        )
        return False

    def _files_of(self, identity: Identity) -> VisibleFiles:
        if identity not in self._visible_files:
            files = VisibleFiles.of(identity.spec)
            if not identity.digest:  # they may change
                return files
            self._visible_files[identity] = files
        return self._visible_files[identity]

    def _warn(self, text: str) -> None:
        if not self.warning:
            self.warning = text
            warnings.warn(text, Unprotected, stacklevel=4)

    def _check_unchanged(self, identity: Identity, game: str) -> None:
        """Raises InvalidAgent when an agent's files have changed. Looks at them at most once in `recheck` seconds."""
        if not identity.digest:
            return
        state, checked = self._states.get(identity, (None, -math.inf))
        now = time.monotonic()
        if checked + self._recheck > now:
            return
        with self._lock:
            current = state_of(identity, game)
            if current != state:
                check_unchanged(identity, game)
            # Our own and trusted agents were loaded when we started.
            loaded = self._chosen.get((identity.spec, "auto")) in ("inside", "shared")
            self._states[identity] = current, math.inf if loaded else now

    def _fork(self, game: str = "", files: VisibleFiles | None = None, *, limited: bool = True) -> ForkedProcess:
        """A process for an agent: a sandbox when its visible files are given. limited: in its memory."""
        with self._lock:
            if files is not None and self._cores is None:
                self._cores = Cores(self._at_once)
            core = None if files is None or self._cores is None else self._cores.next()
            memory = self._memory if limited else None
            try:
                return self._server(sandbox=files is not None).fork(memory, game, files, core)
            except ForkServerKilled:  # just now
                return self._server(sandbox=files is not None).fork(memory, game, files, core)

    def _server(self, *, sandbox: bool) -> ForkServer:
        """The fork server, started when it does not run. The caller holds the lock."""
        if self._closed:
            raise WorkerError(say("the pool of players has been closed"))
        server = self._servers.get(sandbox)
        if server is None or not server.is_running:
            if server is not None:
                server.close()
            server = self._servers[sandbox] = self._start_server(sandbox=sandbox)
            if self._memory is not None and not server.limits_memory:
                self._warn(say("this system does not report the memory of a process, so memory is not limited"))
        return server

    def _start_server(self, *, sandbox: bool) -> ForkServer:
        for _ in range(STARTS - 1):
            with contextlib.suppress(ForkServerKilled):
                return self._fork_server(prints=self._prints, nice=self._nice, sandbox=sandbox)
        return self._fork_server(prints=self._prints, nice=self._nice, sandbox=sandbox)

    def close(self) -> None:
        """Ends all players and their processes."""
        with self._lock:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.close()
        self._shared_processes.close()
        for server in self._servers.values():
            server.close()
        if self._cores is not None:
            self._cores.close()
