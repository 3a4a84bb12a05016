"""Checks which layers of the sandbox work on this machine: each alone, then all together.

The checks run in a separate process, ``python -m ludoteca.players.sandbox.layers``, and its children.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ludoteca.agents import registry
from ludoteca.errors import WorkerError
from ludoteca.messages import joined, say
from ludoteca.players.sandbox import confinement, landlock, seccomp, syscalls
from ludoteca.players.sandbox.launch import Launcher
from ludoteca.players.sandbox.root import build_root
from ludoteca.players.sandbox.visible_files import python_paths

_SETSIG = 10
TIMEOUT = 120.0
"""Seconds for all checks."""
_NAMESPACES_REMEDY = say(
    "user namespaces must be allowed: sysctl user.max_user_namespaces=15000, on Debian also "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; Docker needs "
    "--security-opt seccomp=unconfined, on Ubuntu also --security-opt apparmor=unconfined, and where root is the user "
    "in the container also --cap-add SYS_ADMIN"
)


@dataclass(frozen=True)
class Layer:
    """One layer of the sandbox, and whether it works here."""

    name: str
    prevents: str
    """What it prevents."""
    remedy: str
    """What to install or set where it does not work."""
    required: bool = True
    """Whether ``--untrusted`` refuses to play without it."""
    reason: str = ""
    """Why it does not work; empty where it does."""

    @property
    def works(self) -> bool:
        """Whether its check passed."""
        return not self.reason


_LAYERS = {
    "user": Layer(say("own user"), say("using your rights or root's"), _NAMESPACES_REMEDY),
    "pid": Layer(say("own processes"), say("seeing and stopping other processes"), _NAMESPACES_REMEDY),
    "net": Layer(say("own network"), say("using any network, even within this machine"), _NAMESPACES_REMEDY),
    "mount": Layer(
        say("own files"),
        say(
            "reading files other than Python's and its own and the machine's counters, and writing outside of a "
            "scratch folder"
        ),
        joined([say("Linux 5.12 or later; a folder /tmp"), _NAMESPACES_REMEDY], "; "),  # Ubuntu refuses only the mounts
    ),
    "ipc": Layer(say("own shared memory"), say("sending messages to other processes"), _NAMESPACES_REMEDY),
    "seccomp": Layer(
        say("system calls (seccomp)"),
        say(
            "starting processes and programs, other cores, sockets, ptrace, mounts, keys, io_uring, BPF, and marks "
            "that the next match finds: locks, times, signals of files"
        ),
        say("a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64"),
    ),
    "limits": Layer(
        say("limits"),
        say("using too much memory, too many threads, large files, core files"),
        say("Linux 5.14 or later; a lower limit of this session may interfere: ulimit -a"),
    ),
    "landlock": Layer(
        say("Landlock"),
        say("the same as own files and own network, a second time"),
        say("Linux 5.13 or later with landlock among the kernel's lsm="),
        required=False,
    ),
    "all": Layer(say("all together"), say("everything above at once"), ""),
}


def check_layers() -> list[Layer]:
    """Checks all layers, each in its own process. Raises WorkerError when the checks cannot run."""
    path = os.pathsep.join(registry.path_of_children())
    variables = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    command = [sys.executable, "-P", "-m", "ludoteca.players.sandbox.layers"]
    try:
        done = subprocess.run(
            command, env=dict(os.environ) | variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
            timeout=TIMEOUT,
        )  # fmt: skip
        reasons = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise WorkerError("the layers of the sandbox could not be checked: {error}", error=error) from error
    return [
        Layer(each.name, each.prevents, each.remedy, each.required, reasons[name]) for name, each in _LAYERS.items()
    ]


def _check_in(namespaces: list[str], check: Callable[[], None]) -> str:
    """Why a check fails in a process with these new namespaces; empty where it passes."""
    names = namespaces if os.geteuid() == 0 or not namespaces else ["user", *namespaces]
    read_fd, write_fd = os.pipe()
    try:
        pid = syscalls.clone(sum(syscalls.NAMESPACES[each] for each in names)) if names else os.fork()
    except OSError as error:
        os.close(read_fd)
        os.close(write_fd)
        return f"{', '.join(names)}: {error.strerror}"
    if pid == 0:
        try:
            check()
        except BaseException as error:
            os.write(write_fd, f"{type(error).__name__}: {error}".encode()[:500])
        finally:
            os._exit(0)
    os.close(write_fd)
    with open(read_fd, "rb") as file:
        reason = file.read().decode(errors="replace")
    _, status = os.waitpid(pid, 0)
    return reason or ("" if status == 0 else f"it ended with {status}")


def _refuses(what: str, attempt: Callable[[], object]) -> None:
    """Raises RuntimeError when an attempt is not refused."""
    try:
        attempt()
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EACCES, errno.EROFS, errno.EFBIG, errno.EINVAL, errno.ENOENT):
            return
        raise
    raise RuntimeError(f"{what} is possible")


def _check_user() -> None:
    if os.geteuid() == 0:
        user, group = confinement.unused_user()
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    else:
        confinement.map_user()
    syscalls.drop_capabilities()
    _refuses("to be root", lambda: os.setuid(0))


def _check_processes() -> None:
    if os.getpid() != 1:
        raise RuntimeError(f"it is process {os.getpid()}")
    os.kill(os.getpid(), 0)


def _check_network() -> None:
    with open("/proc/self/net/dev", encoding="ascii") as devices:
        names = {line.partition(":")[0].strip() for line in devices if ":" in line}
    if names - {"lo", "sit0", "tunl0", "ip6tnl0"}:
        raise RuntimeError(f"it sees {', '.join(sorted(names))}")


def _check_files() -> None:
    user, group = (0, 0) if os.geteuid() == 0 else confinement.map_user()
    build_root(python_paths(), user, group)
    _refuses("to see /etc/passwd", lambda: os.stat("/etc/passwd"))
    _refuses("to see how much memory is free", lambda: os.stat("/proc/meminfo"))
    _refuses("to write", lambda: os.mkdir("/mine"))
    os.mkdir("mine")


def _check_seccomp() -> None:
    syscalls.no_new_privileges()
    seccomp.install()
    _refuses("a socket", socket.socket)
    _refuses("a process", lambda: os.fork() or os._exit(0))
    _refuses("another core", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
    _refuses("a program", lambda: os.execv("/bin/true", ["true"]))
    _refuses("a file's signal", lambda: fcntl.fcntl(0, _SETSIG, 0))
    thread = threading.Thread(target=_nothing)
    thread.start()
    thread.join()


def _check_limits() -> None:
    _check_user()
    confinement.set_limits()
    taken = 1 << 34
    resource.setrlimit(resource.RLIMIT_AS, (taken, taken))
    try:
        bytearray(taken)
    except MemoryError:
        pass
    else:
        raise RuntimeError("memory is not limited")
    enough = threading.Event()
    try:
        for _ in range(2 * confinement.MAX_THREADS):
            threading.Thread(target=enough.wait, daemon=True).start()
    except RuntimeError:
        return
    finally:
        enough.set()
    raise RuntimeError("threads are not limited")


def _check_landlock() -> None:
    syscalls.no_new_privileges()
    if landlock.restrict([]) == 0:
        raise RuntimeError("the kernel has none")
    _refuses("to write", lambda: os.mkdir("/tmp/of-a-sandbox"))


def _nothing() -> None:
    pass


def main() -> None:
    """Runs all checks and prints the reasons as JSON."""
    root = os.geteuid() == 0
    reasons = {
        "user": _check_in([] if root else ["uts"], _check_user),
        "pid": _check_in(["pid"], _check_processes),
        "net": _check_in(["net"], _check_network),
        "mount": _check_in(["pid", "mount"], _check_files),
        "ipc": _check_in(["ipc", "uts"], _nothing),
        "seccomp": _check_in([], _check_seccomp),
        "limits": _check_in([] if root else ["uts"], _check_limits),
        "landlock": _check_in([], _check_landlock),
        "all": Launcher(python_paths()).self_test(),
    }
    print(json.dumps(reasons))


if __name__ == "__main__":
    main()
