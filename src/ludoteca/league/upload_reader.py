"""The upload reader: a process with everything imported, which forks one process for each upload.

Python needs half a second of the processor to start and import, which fifty uploads at once would pay fifty times. ::

    control    in: one byte with a socket, for each upload
    socket     in: length, setup (JSON), then the upload until its end; out: the answer (JSON), nothing where the
               process was killed

The reader never holds an upload itself. It ends when the control socket is closed, so with the process that started it.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable

from ludoteca.agents.registry import path_of_children
from ludoteca.players.processes.linux import give_way

CPU_SECONDS, WALL_SECONDS = 5, 120
"""What reading an upload may take: processor seconds, and seconds on a busy machine."""
NICENESS = 3
"""Many uploads at once must not make the page slow."""


class UploadReader:
    """The reader of this process, started when it is first asked. Safe from any thread.

    module, function: what reads an upload. It takes the setup and the upload, and returns the answer.
    """

    def __init__(self, module: str, function: str) -> None:
        self._module, self._function = module, function
        self._lock = threading.Lock()
        self._running: tuple[socket.socket, subprocess.Popen[bytes]] | None = None
        """The control socket and the process."""

    def ask(self, setup: bytes, data: bytes) -> bytes:
        """The answer to an upload; empty if the process that read it was killed."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._send(theirs)
            try:
                ours.sendall(len(setup).to_bytes(4) + setup + data)
                ours.shutdown(socket.SHUT_WR)
                return _all(ours)
            except OSError:  # it was killed before it had read everything
                return b""

    def close(self) -> None:
        """End the reader; uploads that it has begun to read are still read."""
        with self._lock:
            self._end()

    def _send(self, theirs: socket.socket) -> None:
        """Hand a socket to the reader; start another one if it was killed."""
        with self._lock:
            for _ in range(2):
                if self._running is None:
                    self._running = _started(self._module, self._function)
                try:
                    socket.send_fds(self._running[0], [b"u"], [theirs.fileno()])
                    return
                except OSError:
                    self._end()

    def _end(self) -> None:
        if self._running is not None:
            control, process = self._running
            self._running = None
            control.close()
            process.wait()


def _started(module: str, function: str) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    ours, theirs = socket.socketpair()
    with theirs:
        code = (
            f"import sys; sys.path[:] = {path_of_children()!r}\n"
            f"from {__name__} import serve\nfrom {module} import {function} as read\nserve(read)"
        )
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code], stdin=theirs.fileno(), stdout=subprocess.DEVNULL,
            start_new_session=True,  # so that it can give way to the page
        )  # fmt: skip
    return ours, process


def _all(connection: socket.socket) -> bytes:
    """Everything that comes until the other side is done."""
    pieces = []
    while piece := connection.recv(1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


def serve(read: Callable[[bytes, bytes], bytes]) -> None:
    """Fork a process for each upload, until the control socket, which is our standard input, is closed."""
    give_way(NICENESS)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=0)
    while True:
        message, fds, *_ = socket.recv_fds(control, 1, 1)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            _answer(read, control, socket.socket(fileno=fds[0]))
        os.close(fds[0])


def _answer(read: Callable[[bytes, bytes], bytes], control: socket.socket, connection: socket.socket) -> None:
    """Read one upload, answer, and end this process."""
    try:
        control.close()
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        signal.alarm(WALL_SECONDS)
        given = _all(connection)
        if not given:  # the one who asked has ended
            return
        size = int.from_bytes(given[:4])
        connection.sendall(read(given[4 : 4 + size], given[4 + size :]))
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)  # the interpreter's own end would take longer than the work
