"""A fork server whose sandboxes lack a layer, to see which layer stops which attack. Only for the tests.

`main` takes the place of `fork_server.main`: see `command`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ludoteca.players.processes import fork_server
from ludoteca.players.sandbox import confinement, landlock, launch, seccomp, syscalls
from ludoteca.players.sandbox.launch import Launcher

ROOT = Path(__file__).parents[3]


def command(layers: Sequence[str], scratch: str) -> str:
    """What Python runs as the fork server; see `fork_client.COMMAND`.

    scratch: the current folder of a sandbox that has no files of its own.
    """
    imports = f"import sys; sys.path.append({str(ROOT)!r}); from tests.players.sandbox.without import main"
    return f"{imports}; main({{fd}}, {list(layers)!r}, {scratch!r})"


def main(fd: int, layers: Sequence[str], scratch: str) -> None:
    """Serves like `fork_server.main`, and forks sandboxes without these layers."""
    setattr(Launcher, "self_test", lambda self: "")  # noqa: B010
    for layer in layers:
        OFF[layer](scratch)
    fork_server.main(fd)


def _set(owner: object, name: str, value: object) -> None:
    setattr(owner, name, value)


def _user(_: str) -> None:
    _set(confinement, "unused_user", lambda: (os.geteuid(), os.getegid()))


def _files(scratch: str) -> None:
    _set(confinement, "build_root", lambda visible, user, group: os.chdir(scratch))
    restrict = landlock.restrict
    _set(landlock, "restrict", lambda writable: restrict([each for each in writable if os.path.exists(each)]))


def _limits(_: str) -> None:
    _set(confinement, "set_limits", lambda: None)
    _set(fork_server._ForkServer, "_limit_memory", lambda self, memory: None)
    whole = Launcher.launch
    _set(Launcher, "launch", lambda self, main, fds, stderr, output, files, core: whole(
        self, main, fds, stderr, output, files, None
    ))  # fmt: skip


def _handles(_: str) -> None:
    _set(launch, "close_all_but", lambda fds: None)
    _set(launch, "open_streams", lambda stderr, output: os.dup2(stderr, 2))


OFF: dict[str, Callable[[str], None]] = {
    "user": _user,
    "pid": lambda _: _set(syscalls, "NAMESPACES", _namespaces("pid")),
    "net": lambda _: _set(syscalls, "NAMESPACES", _namespaces("net")),
    "ipc": lambda _: _set(syscalls, "NAMESPACES", _namespaces("ipc")),
    "mount": _files,
    "seccomp": lambda _: _set(seccomp, "install", lambda: None),
    "limits": _limits,
    "landlock": lambda _: _set(landlock, "restrict", lambda writable: 0),
    "handles": _handles,
}
"""How to switch off each layer, by the names of `layers`; "handles" are the file descriptors of `streams`."""


def _namespaces(missing: str) -> dict[str, int]:
    return {name: flag for name, flag in syscalls.NAMESPACES.items() if name != missing}
