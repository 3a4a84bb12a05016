"""An agent in a process of its own, as the referee sees it: asked with a deadline, killed when it fails."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from ludoteca.errors import WorkerError
from ludoteca.play.conditions import Conditions
from ludoteca.players.answers import LONGEST, Answer
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.wire import HEAD, LIMIT, Silence, read_within, write_all
from ludoteca.protocols import Game, Limit, Seat, View

__all__ = ["PREPARATION", "Host", "Hosts"]

PREPARATION = 30.0
"""Seconds in which an agent must be imported and built. They are not on its clock."""
STARTING = 120.0
"""Seconds in which Python itself must start; if it does not, something of ours is wrong."""
KEPT = 4
"""Processes that are kept for their agents' next matches."""
TOLD = 2000
"""Bytes of a dying process's last words that are read."""
OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "Cannot allocate memory", "out of memory", "alloc failed")


class Host:
    """One child process for one agent, reused from match to match until the agent commits a fault."""

    def __init__(self, game: Game, conditions: Conditions, agent: str) -> None:
        self.agent, self.usable = agent, True
        self._core = hasattr(game, "view_from")
        self._last_words = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        child_reads, self._requests = os.pipe()
        self._answers, child_writes = os.pipe()
        child_life, self._life = os.pipe()
        given = (child_reads, child_writes, child_life)
        # One thread per agent is fair to all of them, and spares address space; an agent may still ask for more.
        quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ludoteca.players.child_process", *map(str, given)],
            pass_fds=given, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._last_words,
            start_new_session=True, env=quiet | dict(os.environ),
        )  # fmt: skip
        for handle in given:
            os.close(handle)
        setup = {"path": sys.path, "game": conditions.game, "memory": conditions.memory}
        try:
            reply = self._ask(b"S", json.dumps(setup).encode(), STARTING)
        except Fault as fault:
            raise WorkerError(f"the process for an agent does not start: {fault.message}") from None
        if "broken" in reply:
            self.close()
            raise WorkerError(f"the process for an agent cannot play {conditions.game}: {reply['broken']}")

    def prepare(self, seat: Seat, seed: int) -> None:
        """Builds the agent for a match. Raises Fault."""
        self._last_words.truncate(0)
        request = {"agent": self.agent, "seat": seat, "seed": seed}
        self._ask(b"N", json.dumps(request).encode(), PREPARATION, doing="to be built")

    def act(self, view: View, limit: Limit, patience: float) -> Answer:
        """The agent's answer to a view. Raises Fault, of kind timeout when none comes within `patience` seconds."""
        seconds = math.nan if limit.seconds is None else limit.seconds
        head = LIMIT.pack(seconds, -1 if limit.nodes is None else limit.nodes)
        if self._core:
            reply = self._ask(b"V", head + bytes(view), patience)
        else:
            reply = self._ask(b"P", head + pickle.dumps(view), patience)
        action, value, nodes = reply.get("action"), reply.get("value"), reply.get("nodes")
        if type(action) is not int or type(value) not in (float, type(None)) or type(nodes) is not int:
            raise self._failed(Ending.illegal, f"the agent's process answered with no action: {reply}"[:200])
        return Answer(action, value if value is None or math.isfinite(value) else None, max(0, nodes))

    def _ask(self, kind: bytes, payload: bytes, patience: float, *, doing: str = "") -> dict[str, Any]:
        deadline = time.monotonic() + patience
        try:
            write_all(self._requests, HEAD.pack(kind, len(payload)) + payload)
            reply = json.loads(read_within(self._answers, deadline))
            if not isinstance(reply, dict):
                raise ValueError(f"an answer of type {type(reply).__name__}")
        except Silence:
            message = f"the agent needed more than {patience:g} seconds {doing}".rstrip()
            raise self._failed(Ending.timeout, message) from None
        except (EOFError, OSError):
            raise self._died() from None
        except (ValueError, RecursionError) as error:
            raise self._failed(Ending.crash, f"the agent's process broke the protocol: {error}"[:200]) from None
        if "fault" in reply:
            try:
                ending, message = Ending(reply["fault"]), str(reply["message"])[:LONGEST]
            except (ValueError, KeyError):
                ending, message = Ending.crash, f"the agent's process answered nonsense: {reply}"[:200]
            raise self._failed(ending, message)
        return reply

    def _failed(self, ending: Ending, message: str) -> Fault:
        self.close()
        return Fault(ending, message)

    def _died(self) -> Fault:
        """Why the process is gone, by its exit status and its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        status = self._process.poll()
        length = self._last_words.seek(0, os.SEEK_END)
        self._last_words.seek(max(0, length - TOLD))
        words = self._last_words.read(TOLD).decode(errors="replace")
        self.close()
        if any(phrase in words for phrase in OUT_OF_MEMORY):
            return Fault(Ending.memory, "the agent ran out of memory, and its process died of it")
        if status is None:
            return Fault(Ending.crash, "the agent closed the pipe to the arena")
        if status < 0:
            return Fault(Ending.crash, f"the agent's process died by {signal.Signals(-status).name}")
        return Fault(Ending.crash, f"the agent's process ended by itself, with status {status}")

    def close(self) -> None:
        """Kills the process with all that it started. Safe to call twice."""
        if not self.usable:
            return
        self.usable = False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for handle in (self._requests, self._answers, self._life):
            os.close(handle)
        self._last_words.close()


class Hosts:
    """Processes for agents, lent for a match and kept for the next; never one agent's for another."""

    def __init__(self, game: Game, conditions: Conditions) -> None:
        self._game, self._conditions = game, conditions
        self._idle: list[Host] = []

    def lend(self, agent: str) -> Host:
        """A process for this agent, used before or new."""
        for host in self._idle:
            if host.agent == agent:
                self._idle.remove(host)
                return host
        return Host(self._game, self._conditions, agent)

    def take_back(self, host: Host) -> None:
        """Keeps a usable process, and lets go of the one that was idle longest when there are too many."""
        if host.usable:
            self._idle.append(host)
        if len(self._idle) > KEPT:
            self._idle.pop(0).close()

    def close(self) -> None:
        """Ends them all."""
        while self._idle:
            self._idle.pop().close()
