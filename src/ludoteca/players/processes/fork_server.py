"""The fork server: a process with everything imported, which forks one process for each player.

It has imported Python's library, NumPy, our core, our games and our agents. It never holds a seed, a view or other
people's code, and so neither does a process that it forks, until it is sent them. It uses two kinds of sockets::

    control          in: length, JSON {"path", "prints", "nice", "sandbox"}; then for each process that is wanted its
                     memory limit in MiB and JSON {"game", "core", "files"}, with two sockets: wire, monitor
                     out: length, JSON {"limits_memory", "peak_memory", "refusal"} when it is ready
    monitor          one per process. out: first its pid, then a reply to each request: length, reply
                     in: "?"   its exit status and the end of its standard error; empty while it runs; the status
                               SETUP_FAILED and the reason when its sandbox could not be set up
                     in: "s"   suspend the processes that it has started; reply: the CPU seconds of those
                     in: "c"   continue those; reply: their CPU seconds before
                     closed: kill it and everything that it has started, reply with its peak memory in KiB, and close

The fork server ends when the control socket is closed, and every process that it forked ends with it. "sandbox" is
null, or the paths of Python and its packages; then it forks only sandboxes (see `sandbox.confinement`). They see these
paths and the agent's "files" (see `sandbox.visible_files`), and run on "core". "refusal"
says why no sandbox can be made here; it is empty where one can.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import struct
from dataclasses import dataclass

from ludoteca import games
from ludoteca.players.processes import agent_loop
from ludoteca.players.processes.linux import (
    adopt_orphans,
    children,
    cpu_seconds,
    descendants,
    die_with_parent,
    hide_memory,
    send_signal,
)
from ludoteca.players.processes.memory import address_space, can_limit_memory, limit_memory
from ludoteca.players.processes.preload import freeze, preload
from ludoteca.players.processes.wire import SIZE
from ludoteca.players.sandbox.launch import SETUP_FAILED, Launcher, explain_refusal
from ludoteca.players.sandbox.streams import OutputRelay, close_all_but, open_streams
from ludoteca.players.sandbox.syscalls import die_first, start_session
from ludoteca.players.sandbox.visible_files import VisibleFiles

FORK = struct.Struct("<iI")
"""The memory limit of a process in MiB, -1 for none; and the length of the JSON that follows."""
INTEGER = struct.Struct("<i")
"""A pid, an exit status (negative for a signal), or KiB of memory."""
CPU_SECONDS = struct.Struct("<d")
"""-1 when the process has started no other."""
EXIT_STATUS, SUSPEND, CONTINUE = b"?", b"s", b"c"
MAX_STDERR = 4096
"""Bytes of a process's standard error that are kept."""


@dataclass(eq=False)
class _Process:
    """A forked process with the file descriptors that belong to it."""

    pid: int
    monitor: socket.socket
    stderr: int
    """The reading end of its standard error."""
    setup_error: int = -1
    """For a sandbox: where it writes why it could not be set up, before any agent's code runs."""
    output: OutputRelay | None = None
    """What it prints, where that is wanted."""


class _ForkServer:
    def __init__(self, control: socket.socket, prints: bool, python: list[str] | None) -> None:
        self._control = control
        self._pid = os.getpid()
        self._processes: dict[int, _Process] = {}  # by the fd of the monitor
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._limits_memory = can_limit_memory()
        self._address_space = address_space() if self._limits_memory else 0  # a forked process begins with the same
        self._launcher = None if python is None else Launcher(python)
        self._prints = prints
        self._printing: dict[int, _Process] = {}  # by the fd of its output

    def serve(self) -> None:
        """Forks until the owner closes the control socket."""
        ready = {
            "limits_memory": self._limits_memory,
            "peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            "refusal": self._launcher.self_test() if self._launcher else "",
        }
        data = json.dumps(ready).encode()
        self._control.sendall(SIZE.pack(len(data)) + data)
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._control.fileno():
                    if not self._fork():
                        return
                elif fd in self._processes:
                    self._reply(self._processes[fd])
                elif fd in self._printing:
                    self._relay_output(self._printing[fd])

    def _fork(self) -> bool:
        """Forks one process; False when the control socket is closed."""
        message, fds, _, _ = socket.recv_fds(self._control, FORK.size, 2)
        if not message:
            return False
        wire, monitor = fds
        memory, length = FORK.unpack(message)
        wanted = json.loads(self._control.recv(length, socket.MSG_WAITALL))
        if games.is_ours(wanted["game"].partition(":")[0]):
            agent_loop.cached_game(wanted["game"])  # built once for all later processes
        stderr, stderr_write = os.pipe()
        os.set_blocking(stderr, False)
        os.set_blocking(stderr_write, False)  # a process that writes too much loses it instead of waiting
        process = _Process(0, socket.socket(fileno=monitor), stderr)
        process.output = OutputRelay.to(1) if self._prints else None
        if self._launcher is None:
            process.pid = os.fork()
            if process.pid == 0:
                self._become_child(wire, stderr_write, process.output)
                self._limit_memory(memory)
                agent_loop.run(wire, enter_folder=True)
            if process.output is not None:
                os.close(process.output.write_fd)
        else:

            def run() -> None:
                self._limit_memory(memory)
                agent_loop.run(wire, explain_refusal)

            process.pid, process.setup_error = self._launcher.launch(
                run, [wire], stderr_write, process.output, VisibleFiles(**wanted["files"]), wanted["core"]
            )
        if process.output is not None:
            self._printing[process.output.fd] = process
            self._poll.register(process.output.fd, select.POLLIN)
        os.close(wire)
        os.close(stderr_write)
        self._processes[monitor] = process
        self._poll.register(monitor, select.POLLIN)
        self._send(process, INTEGER.pack(process.pid))
        return True

    def _become_child(self, wire: int, stderr: int, output: OutputRelay | None) -> None:
        """Prepares a forked process before any of an agent's code runs: it keeps its wire and nothing of ours."""
        start_session()
        die_first()
        die_with_parent(self._pid)
        close_all_but([wire, stderr, *([] if output is None else [output.write_fd])])
        open_streams(stderr, output)

    def _limit_memory(self, memory: int) -> None:
        if memory >= 0 and self._limits_memory:
            limit_memory(memory, self._address_space)

    def _relay_output(self, process: _Process) -> None:
        assert process.output is not None
        if not process.output.relay():
            self._poll.unregister(process.output.fd)
            del self._printing[process.output.fd]
            process.output.close()
            process.output = None

    def _reply(self, process: _Process) -> None:
        try:
            request = process.monitor.recv(1)
        except OSError:
            request = b""
        if request == EXIT_STATUS:
            self._send(process, _exit_status(process))
        elif request == SUSPEND:
            self._send(process, _cpu_of(self._suspend_descendants(process)))
        elif request == CONTINUE:
            suspended = descendants(process.pid)
            self._send(process, _cpu_of(suspended))
            for pid in suspended:
                send_signal(pid, signal.SIGCONT)
        else:
            self._end(process)

    def _send(self, process: _Process, reply: bytes) -> None:
        with contextlib.suppress(OSError):  # a closed socket is noticed when it is read
            process.monitor.send(SIZE.pack(len(reply)) + reply)

    def _suspend_descendants(self, process: _Process) -> set[int]:
        """Suspends everything that a process has started, until there is none left that still runs; their pids."""
        suspended: set[int] = set()
        while True:
            self._kill_orphans()
            new = descendants(process.pid) - suspended
            if not new:
                return suspended
            for pid in new:
                send_signal(pid, signal.SIGSTOP)
            suspended |= new

    def _kill_orphans(self) -> None:
        """Kills processes whose parent has ended: the kernel has made them our children (see `adopt_orphans`).

        Their own children become ours when they end, so this repeats until there are none.
        """
        while orphans := children(self._pid) - {each.pid for each in self._processes.values()}:
            for pid in orphans:
                send_signal(pid, signal.SIGKILL)
            for pid in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _end(self, process: _Process) -> None:
        """Kills a process and everything that it has started."""
        for kill in (os.kill, os.killpg):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(process.pid, signal.SIGKILL)
        peak = 0
        with contextlib.suppress(ChildProcessError):
            peak = os.wait4(process.pid, 0)[2].ru_maxrss
        fd = process.monitor.fileno()
        self._poll.unregister(fd)
        del self._processes[fd]
        if self._launcher is None:  # what a sandbox started ends with its pid namespace
            self._kill_orphans()
        if process.setup_error >= 0:
            os.close(process.setup_error)
        while process.output is not None:  # no writer is left, so this ends
            self._relay_output(process)
        os.close(process.stderr)
        self._send(process, INTEGER.pack(peak))
        process.monitor.close()

    def close(self) -> None:
        """Ends all forked processes."""
        for process in list(self._processes.values()):
            self._end(process)


def _waited(pid: int) -> int | None:
    """The exit status of a process, negative for a signal; None while it runs.

    Where the system allows it, the process is not reaped, so that its pid is not used again before we end it.
    """
    if hasattr(os, "waitid"):
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None if ended is None else ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    reaped, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if reaped else None


def _exit_status(process: _Process) -> bytes:
    status = _waited(process.pid)
    if status is None:
        return b""
    if process.setup_error >= 0 and (reason := _read_all(process.setup_error)):
        return INTEGER.pack(SETUP_FAILED) + reason
    return INTEGER.pack(status) + _read_all(process.stderr)


def _read_all(fd: int) -> bytes:
    """The last `MAX_STDERR` bytes that were written there."""
    written = b""
    with contextlib.suppress(OSError):
        while more := os.read(fd, 1 << 16):
            written = (written + more)[-MAX_STDERR:]
    return written


def _cpu_of(pids: set[int]) -> bytes:
    return CPU_SECONDS.pack(sum(map(cpu_seconds, pids)) if pids else -1.0)


def main(fd: int) -> None:
    """Serves the owner at the other end of this control socket."""
    control = socket.socket(fileno=fd)
    with control.makefile("rb") as received:
        header = received.read(SIZE.size)
        if len(header) < SIZE.size:
            return  # the owner has ended
        setup = json.loads(received.read(SIZE.unpack(header)[0]))
    preload(setup["path"])
    adopt_orphans()
    hide_memory()
    freeze()
    os.nice(setup["nice"])
    server = _ForkServer(control, setup["prints"], setup["sandbox"])
    try:
        with contextlib.suppress(ConnectionError):  # the owner was killed
            server.serve()
    finally:
        server.close()
