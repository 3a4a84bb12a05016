"""Turns a freshly forked process into a sandbox, before any of an agent's code is in it."""

from __future__ import annotations

import os
import resource
import secrets
from collections.abc import Sequence

from ludoteca.players.sandbox import landlock, seccomp, syscalls
from ludoteca.players.sandbox.root import SCRATCH, SCRATCH_MIB, build_root

FIRST_USER, USERS = 1_879_048_192, 1 << 28
"""Run by root, each sandbox gets one of so many uids from here on. No system assigns these."""
NOBODY = 65534
"""The uid where there are no such uids, as in many containers."""
MAX_THREADS = 64
"""Threads of a sandboxed process. It can start no process."""
CPU_SECONDS = 4 * 3600
"""CPU time in all. The clock limits each move; this ends a match that has lost its referee."""
OPEN_FILES = 256
ENVIRONMENT = ("LANG", "LC_ALL", "LC_CTYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX", "TZ")
"""The environment variables that a sandboxed process keeps."""


def fork() -> int:
    """Forks into new namespaces; returns 0 in the child, which must call `confine` next. Raises OSError.

    An ordinary user needs a user namespace for that. Root does not use one: only then is the sandbox's user a stranger
    to root's files.
    """
    spaces = dict(syscalls.NAMESPACES)
    if os.geteuid() == 0:
        del spaces["user"]
    flags = 0
    for flag in spaces.values():
        flags |= flag
    return syscalls.clone(flags)


def confine(visible: Sequence[str], core: int | None = None) -> None:
    """Takes everything from this process that it does not need to compute. Raises OSError; then it must exit.

    visible: the paths that it sees. core: the core on which all its threads run. Call this first: it reads the /proc
    of the namespace in which the process was forked.
    """
    parent = syscalls.user_before_clone
    user, group = unused_user() if parent[0] == 0 else parent
    if parent[0] != 0:
        map_user()
    if core is not None:
        os.sched_setaffinity(0, {core})
    build_root(visible, user, group)
    syscalls.drop_bounding_set()
    if parent[0] == 0:
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    syscalls.drop_capabilities()
    syscalls.no_new_privileges()
    syscalls.set_dumpable(False)
    set_limits()
    landlock.restrict([SCRATCH, "/tmp", "/dev"])
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    os.environ.clear()
    os.environ.update(environment, HOME=SCRATCH, TMPDIR=SCRATCH, PATH="/usr/bin:/bin")
    syscalls.die_with_parent()
    seccomp.install()


def unused_user() -> tuple[int, int]:
    """A uid and a gid that no other process has, drawn at random.

    The pid would be unique too, but it would tell how many threads other processes have started.
    """
    with open("/proc/self/uid_map", encoding="ascii") as known:
        ranges = [tuple(map(int, line.split())) for line in known]
    if any(first <= FIRST_USER and first + count >= FIRST_USER + USERS for first, _, count in ranges):
        uid = FIRST_USER + secrets.randbelow(USERS)
        return uid, uid
    return NOBODY, NOBODY


def map_user() -> tuple[int, int]:
    """Maps one user and group into the user namespace, and returns them: the ones that this process has outside."""
    user, group = syscalls.user_before_clone
    syscalls.set_dumpable(True)  # otherwise root owns the files below
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return user, group


def set_limits() -> None:
    """Sets all limits except the memory limit."""
    for kind, most in (
        (resource.RLIMIT_NPROC, MAX_THREADS), (resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, SCRATCH_MIB * 2**20), (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_NICE, 0), (resource.RLIMIT_RTPRIO, 0),
    ):  # fmt: skip
        _, allowed = resource.getrlimit(kind)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (most, most))
