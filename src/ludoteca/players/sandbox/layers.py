"""Which layers of the sandbox hold on this machine: each is tried by itself, then all of them together.

The trials run in a process of their own, ``python -m ludoteca.players.sandbox.layers``, whose children they lock up.
"""

from __future__ import annotations

import errno
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
from ludoteca.players.sandbox import confinement as enter
from ludoteca.players.sandbox import landlock, seccomp
from ludoteca.players.sandbox import syscalls as calls
from ludoteca.players.sandbox import visible_files as sight
from ludoteca.players.sandbox.root import build

__all__ = ["Layer", "examine"]

TRYING = 120.0
"""Seconds in which all of it must have been tried."""
_SPACES = say(
    "user namespaces must be allowed: sysctl user.max_user_namespaces=15000, on Debian also "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; a container needs "
    "--cap-add SYS_ADMIN and --security-opt seccomp=unconfined, or a privileged one"
)


@dataclass(frozen=True)
class Layer:
    """One layer of the sandbox, and whether it holds here."""

    name: str
    keeps_out: str
    """What it is for."""
    remedy: str
    """What to install or to set where it does not hold."""
    required: bool = True
    """Whether strangers' code is refused without it, where it is said to be untrusted."""
    reason: str = ""
    """Why it does not hold; empty where it does."""

    @property
    def holds(self) -> bool:
        """Whether it was tried, and held."""
        return not self.reason


_LAYERS = {
    "user": Layer(say("own user"), say("your rights and root's"), _SPACES),
    "pid": Layer(say("own processes"), say("seeing and stopping other processes"), _SPACES),
    "net": Layer(say("own network"), say("every network, this machine's own included"), _SPACES),
    "mount": Layer(
        say("own files"),
        say("all files but Python's and its own, and writing outside of a scratch folder"),
        joined([say("Linux 5.12 or later; a folder /tmp"), _SPACES], "; "),  # Ubuntu refuses only the mounts
    ),
    "ipc": Layer(say("own shared memory"), say("messages to other processes"), _SPACES),
    "seccomp": Layer(
        say("system calls (seccomp)"),
        say("new processes and programs, other cores, sockets, ptrace, mounts, keys, io_uring, BPF"),
        say("a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64"),
    ),
    "limits": Layer(
        say("limits"),
        say("too much memory, too many threads, large files, core files"),
        say("Linux 5.14 or later; another limit of this session may be in the way: ulimit -a"),
    ),
    "landlock": Layer(
        say("Landlock"),
        say("the same as own files and network, a second time"),
        say("Linux 5.13 or later with landlock among the kernel's lsm="),
        required=False,
    ),
    "all": Layer(say("all together"), say("whatever else was tried"), ""),
}


def examine() -> list[Layer]:
    """All layers, each tried in a process of its own. Raises WorkerError when nothing could be tried at all."""
    path = os.pathsep.join(registry.path_of_children())
    quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    command = [sys.executable, "-P", "-m", "ludoteca.players.sandbox.layers"]
    try:
        tried = subprocess.run(
            command, env=dict(os.environ) | quiet, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
            timeout=TRYING,
        )  # fmt: skip
        reasons = json.loads(tried.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise WorkerError(say("the layers of the sandbox could not be tried: {error}", error=error)) from error
    return [
        Layer(each.name, each.keeps_out, each.remedy, each.required, reasons[name]) for name, each in _LAYERS.items()
    ]


def _try_in(spaces: list[str], attempt: Callable[[], None]) -> str:
    """Why an attempt fails in a process with these namespaces of its own; empty where it does not."""
    names = spaces if os.geteuid() == 0 or not spaces else ["user", *spaces]
    out, into = os.pipe()
    try:
        number = calls.clone(sum(calls.NAMESPACES[each] for each in names)) if names else os.fork()
    except OSError as error:
        os.close(out)
        os.close(into)
        return f"{', '.join(names)}: {error.strerror}"
    if number == 0:
        try:
            attempt()
        except BaseException as error:
            os.write(into, f"{type(error).__name__}: {error}".encode()[:500])
        finally:
            os._exit(0)
    os.close(into)
    with open(out, "rb") as said:
        reason = said.read().decode(errors="replace")
    _, status = os.waitpid(number, 0)
    return reason or ("" if status == 0 else f"it ended with {status}")


def _refuses(what: str, attempt: Callable[[], object]) -> None:
    """Raises RuntimeError where an attempt is not refused."""
    try:
        attempt()
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EACCES, errno.EROFS, errno.EFBIG, errno.EINVAL, errno.ENOENT):
            return
        raise
    raise RuntimeError(f"{what} is possible")


def _be_another() -> None:
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        user, group = enter.own_user()
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    else:
        enter.map_user(user, group)
    calls.drop_capabilities()
    _refuses("to be root", lambda: os.setuid(0))


def _see_nobody() -> None:
    if os.getpid() != 1:
        raise RuntimeError(f"it is process {os.getpid()}")
    os.kill(os.getpid(), 0)


def _see_no_network() -> None:
    with open("/proc/self/net/dev", encoding="ascii") as devices:
        names = {line.partition(":")[0].strip() for line in devices if ":" in line}
    if names - {"lo", "sit0", "tunl0", "ip6tnl0"}:
        raise RuntimeError(f"it sees {', '.join(sorted(names))}")


def _see_few_files() -> None:
    user, group = os.geteuid(), os.getegid()
    if user != 0:
        enter.map_user(user, group)
    build(sight.of_python(), user, group)
    _refuses("to see /etc/passwd", lambda: os.stat("/etc/passwd"))
    _refuses("to write", lambda: os.mkdir("/mine"))
    os.mkdir("mine")


def _call_little() -> None:
    calls.no_new_privileges()
    seccomp.install()
    _refuses("a socket", socket.socket)
    _refuses("a process", lambda: os.fork() or os._exit(0))
    _refuses("another core", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
    _refuses("a program", lambda: os.execv("/bin/true", ["true"]))
    thread = threading.Thread(target=_nothing)
    thread.start()
    thread.join()


def _take_little() -> None:
    _be_another()
    enter.limit()
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
        for _ in range(2 * enter.THREADS):
            threading.Thread(target=enough.wait, daemon=True).start()
    except RuntimeError:
        return
    finally:
        enough.set()
    raise RuntimeError("threads are not limited")


def _write_nowhere() -> None:
    calls.no_new_privileges()
    if landlock.fence([]) == 0:
        raise RuntimeError("the kernel has none")
    _refuses("to write", lambda: os.mkdir("/tmp/of-a-sandbox"))


def _nothing() -> None:
    pass


def main() -> None:
    """Tries everything and prints the reasons as JSON."""
    from ludoteca.players.sandbox.launch import Cells

    root = os.geteuid() == 0
    reasons = {
        "user": _try_in([] if root else ["uts"], _be_another),
        "pid": _try_in(["pid"], _see_nobody),
        "net": _try_in(["net"], _see_no_network),
        "mount": _try_in(["pid", "mount"], _see_few_files),
        "ipc": _try_in(["ipc", "uts"], _nothing),
        "seccomp": _try_in([], _call_little),
        "limits": _try_in([] if root else ["uts"], _take_little),
        "landlock": _try_in([], _write_nowhere),
        "all": Cells().try_one(),
    }
    print(json.dumps(reasons))


if __name__ == "__main__":
    main()
