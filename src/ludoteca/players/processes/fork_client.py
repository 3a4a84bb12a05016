"""Processes forked from a prepared one, as their owner sees them: talked with, halted between turns, ended for good."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict

from ludoteca.agents.registry import path_of_children
from ludoteca.errors import WorkerError
from ludoteca.messages import say
from ludoteca.players.processes.fork_server import COMPUTED, GO_ON, HALT, HOW_ENDED, NUMBER, WANTED
from ludoteca.players.processes.linux import Births, computed
from ludoteca.players.processes.wire import LONGEST, SIZE, Wire
from ludoteca.players.sandbox.visible_files import Sight

__all__ = ["Fork", "Template"]

START = "import ludoteca.players.processes.fork_server as template; template.main({handle})"
STARTING = 120.0
"""Seconds in which Python itself must start, and a process be forked; if it is not, something of ours is wrong."""
KEPT = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
)  # fmt: skip
"""All that a sandbox's template gets to know of our environment: others may be secrets."""
ENDING = 2.0
"""Seconds that a process may take to end after it has closed its wire."""


class Template:
    """The prepared process; see `template`. Forking and closing are safe from any thread.

    It imports what `sys.path` and the environment of this process lead to at the moment when it is started.
    """

    def __init__(self, *, prints: int | None = None, nice: int = 0, sandbox: bool = False) -> None:
        """prints: the file descriptor for what forked processes print; None: it is lost.

        nice: how far they let others go first.
        sandbox: all that it forks are sandboxes, where `refusal` is empty.
        """
        self.sandbox = sandbox
        self._lock = threading.Lock()
        self._closed = False
        self._control, theirs = socket.socketpair()
        # One thread per agent is fair to all of them, and spares address space; an agent may still ask for more.
        quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
        known = dict(os.environ)
        environment = {name: known[name] for name in KEPT if name in known} | quiet if sandbox else quiet | known
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", START.format(handle=theirs.fileno())], pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if prints is None else prints,
                    start_new_session=True, env=environment,
                )  # fmt: skip
            except OSError as error:
                self._control.close()
                raise WorkerError(
                    say("the process from which the agents' processes are forked does not start")
                ) from error
        setup = json.dumps(
            {"path": path_of_children(), "prints": prints is not None, "nice": nice, "sandbox": sandbox}
        ).encode()
        self._control.settimeout(STARTING)
        try:
            self._control.sendall(SIZE.pack(len(setup)) + setup)
            prepared = json.loads(_receive(self._control, SIZE.unpack(_receive(self._control, SIZE.size))[0]))
        except OSError:
            self.close()
            raise WorkerError(say("the process from which the agents' processes are forked does not start")) from None
        self.limits_memory: bool = prepared["limits_memory"]
        """Whether the memory of forked processes can be limited on this system."""
        self.refusal: str = prepared["refusal"]
        """Why no sandbox can be made here; empty where it can."""
        self.births = Births()

    @property
    def usable(self) -> bool:
        """Whether it is still there to fork."""
        return not self._closed and self._process.poll() is None

    def fork(self, memory: int | None, game: str = "", sight: Sight | None = None, core: int | None = None) -> Fork:
        """A new process that may take so many MiB, made ready for a game if it says which. Raises WorkerError.

        sight: what a sandbox gets to see of strangers' files. core: the one on which it runs.
        """
        wanted = json.dumps({"game": game, "core": core} | asdict(sight or Sight())).encode()
        wire, their_wire = socket.socketpair()
        life, their_life = socket.socketpair()
        with their_wire, their_life:
            try:
                with self._lock:
                    socket.send_fds(
                        self._control,
                        [WANTED.pack(-1 if memory is None else memory, len(wanted)), wanted],
                        [their_wire.fileno(), their_life.fileno()],
                    )
            except OSError:
                wire.close()
                life.close()
                raise WorkerError(say("the process from which the agents' processes are forked is gone")) from None
        return Fork(self, wire, life)

    def close(self) -> None:
        """Ends it, and with it whatever it has forked."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._control.close()
            if hasattr(self, "births"):
                self.births.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Fork:
    """One forked process. One thread uses it; `kill` is safe from any other."""

    def __init__(self, template: Template, wire: socket.socket, life: socket.socket) -> None:
        self._template, self._socket, self._life = template, wire, life
        wire.setblocking(False)  # one that does not read must not hold us up
        life.settimeout(STARTING)
        self.wire = Wire(wire.fileno(), LONGEST)
        self._lock = threading.RLock()  # for its life
        self._number: int | None = None
        self._killed = self._ended = False
        self._births = template.births.latest()
        self._computed = 0.0  # by itself, when it was halted
        self._others_computed = -1.0  # by those that it has started, then; less than nothing where there are none
        self.overtime = 0.0
        """CPU seconds that it has used while it was halted, with all that it has started."""

    @property
    def number(self) -> int:
        """The process's number; it stays its own until it is killed. Raises WorkerError."""
        if self._number is None:
            with self._lock:
                self._number = int(NUMBER.unpack(self._answer())[0])
        return self._number

    def halt(self) -> None:
        """Stops all its threads and all that it has started, until `go_on`. Raises WorkerError."""
        number = self.number
        with self._lock:
            if self._killed:
                return
            _send_group(number, signal.SIGSTOP)
            if self._template.sandbox:  # it has started nobody
                self._computed = computed(number)
                return
            births = self._template.births.latest()
            # Whom it has started outside of its group must be halted too; whoever was born just now may be one of them.
            if births is None or births != self._births or self._others_computed >= 0:
                self._births = births
                (self._others_computed,) = COMPUTED.unpack(self._ask(HALT))
            self._computed = computed(number)

    def go_on(self) -> None:
        """Lets it run again. Raises WorkerError."""
        number = self.number
        with self._lock:
            if self._killed:
                return
            self.overtime += max(0.0, computed(number) - self._computed)
            if self._others_computed >= 0:
                (now,) = COMPUTED.unpack(self._ask(GO_ON))
                self.overtime += max(0.0, now - self._others_computed)
            _send_group(number, signal.SIGCONT)

    def how_ended(self) -> tuple[int | None, str]:
        """Its exit status, negative for a signal, and what it wrote last to its standard error. Raises WorkerError.

        For a process that has closed its wire: waits a moment for it to end. None for one that does not.
        """
        deadline = time.monotonic() + ENDING
        while True:
            answer = self._ask(HOW_ENDED)
            if answer:
                return NUMBER.unpack_from(answer)[0], answer[NUMBER.size :].decode(errors="replace")
            if time.monotonic() > deadline:
                return None, ""
            time.sleep(0.002)

    def kill(self) -> None:
        """Kills it at once; whoever waits for it sees its wire closed. Safe from any thread, and more than once."""
        with self._lock:
            self._killed = True
            with contextlib.suppress(OSError):
                self._life.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Kills it with all that it started, and waits until they are gone. Safe to call twice."""
        with self._lock:
            self.kill()
            if self._ended:
                return
            self._ended = True
            with contextlib.suppress(OSError):
                while self._life.recv(1 << 16):
                    pass
            self._life.close()
            self._socket.close()

    def _ask(self, request: bytes) -> bytes:
        """What the template answers about this process. Raises WorkerError."""
        assert self.number  # which is told before any answer
        with self._lock:
            with contextlib.suppress(OSError):
                self._life.send(request)
            return self._answer()

    def _answer(self) -> bytes:
        try:
            (length,) = SIZE.unpack(_receive(self._life, SIZE.size))
            return _receive(self._life, length)
        except OSError:
            raise WorkerError(say("the process from which the agents' processes are forked is gone")) from None


def _receive(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = source.recv(count - len(data))
        if not more:
            raise OSError("its other end was closed")
        data += more
    return data


def _send_group(number: int, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, what)
