"""Servers that are forked from a process which has imported what they import.

To import NiceGUI and our pages takes a second and a half, the rest of a start a third of a second, and the tests start
twenty servers. The process of `ServerForks` runs nothing before it forks, and sees nothing of pytest.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
MODULES = ("ludoteca.web.command", "ludoteca.web.server", "ludoteca.league.pages.server", "pydantic.type_adapter")


class ForkedServer:
    """``ludoteca`` with some arguments, as `subprocess.Popen` has it."""

    def __init__(self, pid: int, stdout: IO[bytes]) -> None:
        self.pid, self.stdout = pid, stdout
        self._end = os.pidfd_open(pid)

    def __enter__(self) -> ForkedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        os.close(self._end)

    def terminate(self) -> None:
        """Asks it to end."""
        signal.pidfd_send_signal(self._end, signal.SIGTERM)

    def wait(self, timeout: float) -> None:
        """Waits for its end. Raises TimeoutExpired."""
        if not select.select([self._end], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("a forked server", timeout)


class ServerForks:
    """The process that forks servers; path: their PYTHONPATH. It ends when the last reference to it goes."""

    def __init__(self, path: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        self._control, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.web.server_forks", str(theirs.fileno())]
            fds = [theirs.fileno()]
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment | {"PYTHONPATH": path}, pass_fds=fds)

    def __del__(self) -> None:
        self._control.close()
        self._process.wait()

    def start(self, arguments: list[str], environment: dict[str, str], folder: Path, log: int) -> ForkedServer:
        """A server with these arguments of the command line, in this folder; what it prints can be read."""
        reading, writing = os.pipe()
        request = json.dumps([arguments, environment, str(folder)]).encode()
        socket.send_fds(self._control, [len(request).to_bytes(4)], [writing, log])
        self._control.sendall(request)
        os.close(writing)
        return ForkedServer(int.from_bytes(self._control.recv(4)), os.fdopen(reading, "rb"))


def _run(request: bytes, output: int, log: int) -> None:
    arguments, environment, folder = json.loads(request)
    os.dup2(output, 1)
    os.dup2(log, 2)
    os.close(output)
    os.close(log)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv = ["ludoteca", *arguments]
    sys.modules["__main__"] = cli = import_module("ludoteca.cli")  # as ``python -m ludoteca.cli`` has it
    cli.main()


def _serve(control: socket.socket) -> None:
    for module in MODULES:
        import_module(module)
    running: set[int] = set()
    while (received := socket.recv_fds(control, 4, 2))[0]:
        head, fds, *_ = received
        running -= {pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]}
        request = control.recv(int.from_bytes(head), socket.MSG_WAITALL)
        if (pid := os.fork()) == 0:
            control.close()
            _run(request, *fds)
            return
        running.add(pid)
        for each in fds:
            os.close(each)
        control.sendall(pid.to_bytes(4))
    for pid in running:
        os.waitpid(pid, 0)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
