"""The owner's side of the fork server: start it, and fork, suspend, resume and end processes."""

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
from ludoteca.errors import ForkServerKilled, WorkerError
from ludoteca.messages import say
from ludoteca.players.processes.fork_server import CONTINUE, CPU_SECONDS, EXIT_STATUS, FORK, INTEGER, SUSPEND
from ludoteca.players.processes.linux import ChildrenOfMainThread, children, cpu_seconds
from ludoteca.players.processes.wire import MAX_PAYLOAD, SIZE, Wire
from ludoteca.players.sandbox.visible_files import VisibleFiles, python_paths

COMMAND = "from ludoteca.players.processes import fork_server; fork_server.main({fd})"
START_TIMEOUT = 120.0
"""Seconds in which Python must start, or a process must be forked."""
SANDBOX_ENVIRONMENT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")
"""The only environment variables that the fork server of sandboxes gets: a sandbox can find them in its memory."""
EXIT_TIMEOUT = 2.0
"""Seconds in which a process must end after it has closed its wire."""


class ForkServer:
    """A fork server (see `fork_server`). `fork` and `close` are safe from any thread.

    It imports from the `sys.path` and the environment that this process has when it is started.
    """

    def __init__(self, *, prints: int | None = None, nice: int = 0, sandbox: bool = False) -> None:
        """prints: the file descriptor for what agents print, or None. nice: the niceness of all its processes.

        sandbox: every process that it forks is a sandbox; possible only where `refusal` is empty.
        """
        self.sandbox = sandbox
        self.pids: set[int] = set()
        """The forked processes that are not closed, as far as their pids are known."""
        self._lock = threading.Lock()
        self._closed = False
        self._control, theirs = socket.socketpair()
        # One thread per agent is fair to all agents and saves address space. An agent may still ask for more.
        one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
        ours = dict(os.environ)
        environment = {name: ours[name] for name in SANDBOX_ENVIRONMENT if name in ours} | one_thread
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", COMMAND.format(fd=theirs.fileno())], pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if prints is None else prints,
                    start_new_session=True, env=environment if sandbox else one_thread | ours,
                )  # fmt: skip
            except OSError as error:
                self._control.close()
                raise WorkerError(say("the fork server does not start")) from error
        shown = prints is not None
        self._children = ChildrenOfMainThread(self._process.pid)
        setup = json.dumps({
            "path": path_of_children(), "prints": shown, "nice": nice, "sandbox": python_paths() if sandbox else None,
        }).encode()  # fmt: skip
        self._control.settimeout(START_TIMEOUT)
        try:
            self._control.sendall(SIZE.pack(len(setup)) + setup)
            ready = json.loads(_receive(self._control, SIZE.unpack(_receive(self._control, SIZE.size))[0]))
        except OSError as error:
            self.close()
            if isinstance(error, TimeoutError) or self._process.returncode != -signal.SIGKILL:
                raise WorkerError(say("the fork server does not start")) from None
            raise self.killed() from None
        self.limits_memory: bool = ready["limits_memory"]
        """Whether this system can limit the memory of forked processes."""
        self.refusal: str = ready["refusal"]
        """Why no sandbox can be made here; empty where one can."""
        self.own_peak_memory: int = ready["peak_memory"]
        """KiB that the fork server itself has held at most: Python and our core."""
        self.peak_memory = 0
        """KiB that one of the forked processes that have ended held at most."""

    @property
    def is_running(self) -> bool:
        """Whether it can fork."""
        return not self._closed and self._process.poll() is None

    def fork(
        self, memory: int | None, game: str = "", files: VisibleFiles | None = None, core: int | None = None
    ) -> ForkedProcess:
        """A new process with a memory limit in MiB. Raises ForkServerKilled.

        game: built in the fork server, so that later processes have it. files: the agent's files that a sandbox
        sees. core: the core on which it runs.
        """
        wanted = json.dumps({"game": game, "core": core, "files": asdict(files or VisibleFiles())}).encode()
        wire, their_wire = socket.socketpair()
        monitor, their_monitor = socket.socketpair()
        with their_wire, their_monitor:
            try:
                with self._lock:
                    socket.send_fds(
                        self._control,
                        [FORK.pack(-1 if memory is None else memory, len(wanted)), wanted],
                        [their_wire.fileno(), their_monitor.fileno()],
                    )
            except OSError:
                wire.close()
                monitor.close()
                raise self.killed() from None
        return ForkedProcess(self, wire, monitor)

    def killed(self) -> ForkServerKilled:
        """The error after its death."""
        return ForkServerKilled(say("the process that forks the agents' processes has died"), sandbox=self.sandbox)

    def has_orphans(self) -> bool:
        """Whether it may have children that it did not fork: processes that an agent has started and left behind."""
        return not self._children.read() <= self.pids

    def close(self) -> None:
        """Ends it and every process that it has forked."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._control.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._children.close()


class ForkedProcess:
    """One forked process. One thread uses it; `kill` is safe from any other."""

    def __init__(self, server: ForkServer, wire: socket.socket, monitor: socket.socket) -> None:
        self._server, self._socket, self._monitor = server, wire, monitor
        wire.setblocking(False)  # a process that does not read must not block us
        monitor.settimeout(START_TIMEOUT)
        self.wire = Wire(wire.fileno(), MAX_PAYLOAD)
        self._lock = threading.RLock()  # for the monitor
        self._pid: int | None = None
        self._killed = self._closed = self._suspended = False
        self._cpu = 0.0  # when it was suspended
        self._descendants_cpu = -1.0  # when they were suspended; negative when there are none
        self.cpu_while_suspended = 0.0
        """CPU seconds that it and its descendants have used while they were suspended."""

    @property
    def pid(self) -> int:
        """Its pid, which is not reused before it is killed. Raises ForkServerKilled."""
        if self._pid is None:
            with self._lock:
                if self._pid is None:  # another thread may have asked meanwhile, and it is sent only once
                    self._pid = int(INTEGER.unpack(self._reply())[0])
                    self._server.pids.add(self._pid)
        return self._pid

    def suspend(self) -> None:
        """Stops all its threads and everything that it has started, until `resume`. Raises ForkServerKilled."""
        pid = self.pid
        with self._lock:
            if self._killed:
                return
            self._suspended = True
            _signal_group(pid, signal.SIGSTOP)
            # A process in a sandbox cannot start others. What another one has started may have left its group.
            if not self._server.sandbox and (self._descendants_cpu >= 0 or children(pid) or self._server.has_orphans()):
                (self._descendants_cpu,) = CPU_SECONDS.unpack(self._ask(SUSPEND))
            self._cpu = cpu_seconds(pid)

    def resume(self) -> None:
        """Lets it run again after `suspend`. Raises ForkServerKilled."""
        pid = self.pid
        with self._lock:
            if self._killed or not self._suspended:
                return
            self._suspended = False
            self.cpu_while_suspended += max(0.0, cpu_seconds(pid) - self._cpu)
            if self._descendants_cpu >= 0:
                (now,) = CPU_SECONDS.unpack(self._ask(CONTINUE))
                self.cpu_while_suspended += max(0.0, now - self._descendants_cpu)
            _signal_group(pid, signal.SIGCONT)

    def exit_status(self) -> tuple[int | None, str]:
        """Its exit status, negative for a signal, and the end of its standard error. Raises ForkServerKilled.

        For a process that has closed its wire: waits `EXIT_TIMEOUT` for its end. The status is None when it still runs.
        """
        deadline = time.monotonic() + EXIT_TIMEOUT
        while True:
            reply = self._ask(EXIT_STATUS)
            if reply:
                return INTEGER.unpack_from(reply)[0], reply[INTEGER.size :].decode(errors="replace")
            if time.monotonic() > deadline:
                return None, ""
            time.sleep(0.002)

    def kill(self) -> None:
        """Kills it at once, which also closes its wire. Safe from any thread, and to call twice."""
        with self._lock:
            self._killed = True
            with contextlib.suppress(OSError):
                self._monitor.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Kills it and everything that it has started, and waits until they have ended. Safe to call twice."""
        with self._lock:
            self.kill()
            if self._closed:
                return
            self._closed = True
            data = b""
            with contextlib.suppress(OSError):
                while more := self._monitor.recv(1 << 16):
                    data += more
            if self._pid is None:
                data = data[SIZE.size + INTEGER.size :]
            if len(data) >= INTEGER.size:  # the last reply is its peak memory
                self._server.peak_memory = max(self._server.peak_memory, INTEGER.unpack(data[-INTEGER.size :])[0])
            if self._pid is not None:
                self._server.pids.discard(self._pid)
            self._monitor.close()
            self._socket.close()

    def _ask(self, request: bytes) -> bytes:
        """The fork server's reply about this process. Raises ForkServerKilled."""
        assert self.pid  # it is sent before any reply
        with self._lock:
            with contextlib.suppress(OSError):
                self._monitor.send(request)
            return self._reply()

    def _reply(self) -> bytes:
        try:
            (length,) = SIZE.unpack(_receive(self._monitor, SIZE.size))
            return _receive(self._monitor, length)
        except OSError:
            raise self._server.killed() from None


def _receive(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = source.recv(count - len(data))
        if not more:
            raise OSError("the other end was closed")
        data += more
    return data


def _signal_group(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, number)
