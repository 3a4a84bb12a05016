"""How a process that has just been forked becomes a sandbox, before anything of a stranger is in it."""

from __future__ import annotations

import os
import resource
from collections.abc import Sequence

from ludoteca.players.sandbox import landlock, seccomp
from ludoteca.players.sandbox import syscalls as calls
from ludoteca.players.sandbox.root import SCRATCH, SCRATCH_MIB, build

__all__ = ["THREADS", "fork", "limit", "lock_up", "map_user", "own_user"]

FIRST_USER = 1_879_048_192
"""Root gives each sandbox a user number of its own, from here on: nobody gives these out."""
NOBODY = 65534
"""Who it is where there are no such numbers, as in many containers."""
THREADS = 64
"""Threads that a sandboxed process may have; processes it may have none."""
CPU_SECONDS = 4 * 3600
"""That it may use in all. Time is kept move by move; this is for a match that nobody watches any more."""
OPEN_FILES = 256
KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MALLOC_ARENA_MAX", "TZ")
"""What a sandboxed process gets to know of our environment."""


def fork() -> int:
    """Forks into namespaces of its own: 0 in the new process, which must be locked up next. Raises OSError.

    An ordinary user gets these by a user namespace; root has no need of one, and keeps out of it, for only so is the
    sandbox's user a stranger to all of root's files.
    """
    spaces = dict(calls.NAMESPACES)
    if os.geteuid() == 0:
        del spaces["user"]
    flags = 0
    for flag in spaces.values():
        flags |= flag
    return calls.clone(flags)


def lock_up(shown: Sequence[str], core: int | None = None) -> None:
    """Takes everything from this process but what it needs to think. Raises OSError, and then it must end.

    shown: what it gets to see. core: the one on which it and all its threads run. It reads /proc of the namespace that
    it came from, so this must come first of all.
    """
    parent = os.geteuid(), os.getegid()
    user, group = own_user() if parent[0] == 0 else parent
    if parent[0] != 0:
        map_user(user, group)
    if core is not None:
        os.sched_setaffinity(0, {core})
    build(shown, user, group)
    calls.drop_bounding_set()
    if parent[0] == 0:
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    calls.drop_capabilities()
    calls.no_new_privileges()
    calls.set_dumpable(False)
    limit()
    landlock.fence([SCRATCH, "/tmp", "/dev"])
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(environment, HOME=SCRATCH, TMPDIR=SCRATCH, PATH="/usr/bin:/bin")
    calls.die_with_parent()
    seccomp.install()


def own_user() -> tuple[int, int]:
    """A user and a group that no other process has now."""
    number = FIRST_USER + int(os.readlink("/proc/self"))  # by its number outside: in its own namespace it is 1
    with open("/proc/self/uid_map", encoding="ascii") as known:
        ranges = [tuple(map(int, line.split())) for line in known]
    if any(first <= number < first + count for first, _, count in ranges):
        return number, number
    return NOBODY, NOBODY


def map_user(user: int, group: int) -> None:
    """In the user namespace this process is who it is outside, and there is nobody else."""
    calls.set_dumpable(True)  # or the files below are root's
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def limit() -> None:
    """Sets all limits but that of memory."""
    for kind, most in (
        (resource.RLIMIT_NPROC, THREADS), (resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, SCRATCH_MIB * 2**20), (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_NICE, 0), (resource.RLIMIT_RTPRIO, 0),
    ):  # fmt: skip
        _, allowed = resource.getrlimit(kind)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (most, most))
